import { spawn, type ChildProcess } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { childEnvironment } from '../processes/childEnvironment';

/**
 * A process outside the sandbox that fetches from allowed domains for clients that can reach its socket and know its
 * token.
 */
export interface DomainProxy {
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
    const end = () => { Promise.resolve(SandboxManager.reset()).catch(() => undefined).then(() => process.exit(0)); setTimeout(() => process.exit(0), 3000); };
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
export async function startDomainProxy(
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
    const said = await answerOf(child);
    return {
      ...said,
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
      let said = '';
      timer = setTimeout(
        () => reject(new Error(`the sandbox runtime did not answer within ${startMs / 1000} seconds`)),
        startMs,
      );
      child.once('error', reject);
      child.once('exit', () => reject(new Error('the sandbox runtime ended while it started')));
      child.stdout!.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const line = said
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
