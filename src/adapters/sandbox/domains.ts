import { onPath } from '../processes/onPath';
import { findSandboxRuntime } from './sandboxRuntime';
import { spawn, type ChildProcess } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { childEnvironment } from '../processes/childEnvironment';

/** Lets programs in the sandbox reach some domains, only through a proxy that enforces the list. */
export interface Domains {
  /** Starts the proxy unless it is running. Rejects if it cannot. */
  begin(): Promise<void>;
  /** Returns options for bubblewrap, and the command line to put before the program; empty if no proxy is running. */
  wrap(): { readonly options: readonly string[]; readonly before: readonly string[] };
  /** Returns the variables with which programs find the proxy. */
  environment(): Readonly<Record<string, string>>;
  end(): void;
}

/**
 * A host name, optionally with "*." before it for all subdomains, and a port after it. Nothing that matches every
 * domain.
 */
const domain = /^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?(:\d{1,5})?$/i;
export const isDomain = (text: string): boolean => domain.test(text) && !/^\*\.[a-z0-9-]+(:\d+)?$/i.test(text);

/** Returns the rules of the proxy for a domain: the ports of HTTP and HTTPS, unless it names another one. */
export const webPorts = (allowed: string): readonly string[] =>
  /:\d+$/.test(allowed) ? [allowed] : [`${allowed}:80`, `${allowed}:443`];

/** Port of the proxy inside the sandbox, which has its own network. */
const port = 3128;
const inside = '/tmp/.waymark-network';
/**
 * Listens in the sandbox, as a child of its first process, and forwards to the socket. Its environment is empty, so
 * that it does not count as one of the commands.
 */
const relay = `socat=$1; shift; (env -i "$socat" TCP-LISTEN:${port},bind=127.0.0.1,fork,reuseaddr UNIX-CONNECT:${inside} </dev/null >/dev/null 2>&1 &); n=0
while [ $n -lt 100 ] && ! grep -q ":${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A" /proc/net/tcp; do n=$((n+1)); sleep 0.02; done; exec "$@"`;

/** Returns what is wrong with the list, and what to do. */
export function wrongDomain(allowed: readonly string[]): { readonly why: string; readonly next: string } | undefined {
  const wrong = allowed.find((each) => !isDomain(each));
  return wrong === undefined
    ? undefined
    : {
        why: `“${wrong}” in waymark.allowedDomains is not a domain`,
        next: 'Use names such as registry.npmjs.org or *.example.com.',
      };
}

/**
 * Returns undefined if no domain is allowed. `why`: why no domain can be reached although some are allowed, and what to
 * do.
 */
export function domainsFor(
  allowed: readonly string[],
  environment: NodeJS.ProcessEnv,
  folders: readonly string[],
): Domains | { readonly why: string; readonly next: string } | undefined {
  if (allowed.length === 0) return undefined;
  const wrong = wrongDomain(allowed);
  if (wrong) return wrong;
  const runtime = findSandboxRuntime(environment, folders);
  if (!('index' in runtime)) return runtime;
  const socat = onPath('socat', folders, environment)[0]!;
  let proxy: DomainProxy | undefined;
  const running = (): DomainProxy | undefined => (proxy?.alive ? proxy : undefined);
  return {
    async begin() {
      if (!running()) proxy = await startDomainProxy(runtime.index, allowed.flatMap(webPorts), environment);
    },
    wrap() {
      const at = running();
      return at
        ? { options: ['--ro-bind', at.socket, inside], before: ['/bin/sh', '-c', relay, 'sh', socat] }
        : { options: [], before: [] };
    },
    environment() {
      const at = running();
      if (!at) return {};
      const address = `http://waymark:${at.token}@127.0.0.1:${port}`;
      const local = 'localhost,127.0.0.1,::1';
      return {
        HTTP_PROXY: address,
        HTTPS_PROXY: address,
        http_proxy: address,
        https_proxy: address,
        NO_PROXY: local,
        no_proxy: local,
        NODE_USE_ENV_PROXY: '1',
      };
    },
    end() {
      proxy?.end();
      proxy = undefined;
    },
  };
}

/**
 * A process outside the sandbox that fetches from allowed domains for clients that can reach its socket and know its
 * token.
 */
interface DomainProxy {
  /** Absolute path of a socket. */
  readonly socket: string;
  readonly token: string;
  readonly alive: boolean;
  end(): void;
}

/** Ends when its input closes, so that it never outlives its parent. */
const host = `
// Without a listener, this signal makes Node open a port through which anybody on this machine can run code in it.
process.on('SIGUSR1', () => {});
const { createInterface } = await import('node:readline');
const lines = createInterface({ input: process.stdin });
lines.once('line', async line => {
  const { index, config } = JSON.parse(line);
  try {
    const { SandboxManager } = await import(index);
    await SandboxManager.initialize(config);
    const [socket, token] = [SandboxManager.getLinuxHttpSocketPath(), SandboxManager.getProxyAuthToken()];
    if (!socket || !token) throw new Error('it names no socket');
    process.stdout.write('\\n' + JSON.stringify({ socket, token }) + '\\n');
    const end = () => {
      const exit = () => process.exit(0);
      Promise.resolve(SandboxManager.reset()).catch(() => undefined).then(exit);
      setTimeout(exit, 3000);
    };
    lines.once('close', end);
    process.once('SIGTERM', end);
  } catch (problem) {
    process.stdout.write('\\n' + JSON.stringify({ problem: String(problem && problem.message || problem) }) + '\\n');
    process.exit(1);
  }
});
`;
const startMs = 20_000;

/**
 * Starts the runtime at `index` for these domains, in its own process. If that fails, it ends the process and rejects.
 */
async function startDomainProxy(
  index: string,
  domains: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<DomainProxy> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', host], {
    // The editor's executable acts as Node only with this variable.
    env: { ...childEnvironment(environment), ELECTRON_RUN_AS_NODE: '1' },
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let alive = true;
  child.once('exit', () => {
    alive = false;
  });
  child.stdin.on('error', () => {
    /* it exited; the waiting caller gets the error */
  });
  // The runtime requires a ripgrep for the files that it would protect; here it protects none and never starts it.
  const config = {
    network: { allowedDomains: domains, deniedDomains: [] },
    filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
    ripgrep: { command: process.execPath },
  };
  child.stdin.write(`${JSON.stringify({ index: pathToFileURL(index).href, config })}\n`);
  const end = (): void => {
    child.stdin.destroy();
    child.kill('SIGTERM');
  };
  try {
    const answer = await answerOf(child);
    return {
      ...answer,
      get alive() {
        return alive;
      },
      end,
    };
  } catch (problem) {
    end();
    throw problem;
  }
}

async function answerOf(child: ChildProcess): Promise<{ readonly socket: string; readonly token: string }> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      let printed = '';
      timer = setTimeout(
        () => reject(new Error(`the sandbox runtime did not answer within ${startMs / 1000} seconds`)),
        startMs,
      );
      child.once('error', reject);
      child.once('exit', () => reject(new Error('the sandbox runtime ended while it started')));
      child.stdout!.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        const line = printed
          .split('\n')
          .slice(0, -1)
          .find((each) => /^\{"(socket|problem)":/.test(each));
        if (line === undefined) return;
        const { socket, token, problem } = JSON.parse(line) as { socket?: string; token?: string; problem?: string };
        if (socket !== undefined && token !== undefined && /^[\w-]+$/.test(token)) resolve({ socket, token });
        else reject(new Error(`the sandbox runtime does not start (${problem ?? 'it names no socket'})`));
      });
    });
  } finally {
    clearTimeout(timer);
  }
}
