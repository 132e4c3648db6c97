import { onPath } from '../processes/onPath';
import { startDomainProxy, type DomainProxy } from './domainProxy';
import { findSandboxRuntime } from './sandboxRuntime';

/** Lets what runs in the sandbox reach some domains, and only through a proxy that knows them. */
export interface Domains {
  /** Starts the proxy, unless it runs. Rejects when it cannot. */
  begin(): Promise<void>;
  /** Options of bubblewrap, and the command line that stands before the program; empty while no proxy runs. */
  wrap(): { readonly options: readonly string[]; readonly before: readonly string[] };
  /** What programs need to find the proxy. */
  environment(): Readonly<Record<string, string>>;
  end(): void;
}

/** Of a host name, with "*." before it for all below; a port behind it. Nothing that means every domain. */
const domain = /^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?(:\d{1,5})?$/i;
export const isDomain = (text: string): boolean => domain.test(text) && !/^\*\.[a-z0-9-]+(:\d+)?$/i.test(text);

/** Where programs in the sandbox find the proxy. The network in there is the sandbox's own. */
const port = 3128;
const inside = '/tmp/.waymark-network';
/**
 * Listens in the sandbox, as a child of its first process, and hands on to the socket. It carries no
 * environment that would count it among the commands.
 */
const relay = `socat=$1; shift; (env -i "$socat" TCP-LISTEN:${port},bind=127.0.0.1,fork,reuseaddr UNIX-CONNECT:${inside} </dev/null >/dev/null 2>&1 &); n=0
while [ $n -lt 100 ] && ! grep -q ":${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A" /proc/net/tcp; do n=$((n+1)); sleep 0.02; done; exec "$@"`;

/** What is wrong with the list, and what to do. */
export function wrongDomain(allowed: readonly string[]): { readonly why: string; readonly next: string } | undefined {
  const wrong = allowed.find((each) => !isDomain(each));
  return wrong === undefined
    ? undefined
    : {
        why: `“${wrong}” in waymark.allowedDomains is no domain`,
        next: 'Write names such as registry.npmjs.org or *.example.com.',
      };
}

/** Undefined where no domain is allowed. `why` no domain can be reached although some are allowed, and what to do. */
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
      if (!running()) proxy = await startDomainProxy(runtime.index, allowed, environment);
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
