import { onPath } from '../processes/onPath';
import { startDomainProxy, type DomainProxy } from './domainProxy';
import { findSandboxRuntime } from './sandboxRuntime';

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
