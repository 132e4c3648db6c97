import type { Agent, ClientRequest } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** A proxy that the requests to some servers go through. */
export interface Proxy {
  /** Host and port, for people. */
  readonly host: string;
  /** Returns the agent for such requests. Loads its code on the first call. Rejects with `UnusableProxy`. */
  agent(): Promise<Agent>;
}

/** Waymark cannot use a proxy. The message says why, in a sentence for people. */
export class UnusableProxy extends Error {}

/** A proxy did not connect to the server, and answered with this status of HTTP. `host`: of the proxy, if known. */
export class ProxyRefusal extends Error {
  constructor(
    readonly status: number,
    readonly host: string | undefined,
  ) {
    super(`the proxy${host === undefined ? '' : ` ${host}`} refused the connection and answered ${status}`);
  }
}

/** There is no connection to a proxy, or it does not speak HTTP. `host`: undefined if its address cannot be read. */
export class ProxyFailure extends Error {
  /** Whether its certificate is not trusted. */
  readonly isUntrusted: boolean;
  /** Whether only another address or certificate helps, so that trying again is useless. */
  readonly isLasting: boolean;

  constructor(host: string | undefined, cause: NodeJS.ErrnoException) {
    const { code = '' } = cause;
    super(host === undefined ? 'the address of the proxy is not valid' : `the proxy ${host} ${faultOf(cause)}`, {
      cause,
    });
    this.isUntrusted = isUntrusted(code);
    this.isLasting =
      this.isUntrusted || /^HPE_|^ERR_INVALID_URL$|^ERR_SSL_|^EPROTO$/.test(code) || cause instanceof URIError;
  }
}

/** Returns whether this machine does not accept the certificate. "ERR_SSL_" means that the server ended the handshake. */
export const isUntrusted = (code: string): boolean =>
  !code.startsWith('ERR_SSL_') && /CERT|SIGNATURE|SELF_SIGNED|ISSUER/.test(code);

function faultOf({ code = '', message, name }: NodeJS.ErrnoException): string {
  if (isUntrusted(code)) return `has a certificate that is not trusted (${code})`;
  if (/^ERR_SSL_|^EPROTO$/.test(code)) return `does not answer over https (${code})`;
  if (code.startsWith('HPE_')) return 'does not answer in HTTP';
  if (['ECONNRESET', 'EPIPE'].includes(code) || /ended before receiving/.test(message)) return 'closed the connection';
  // The message would contain the password.
  if (name === 'URIError') return 'has a user or password with a percent sign, which is written as %25 there';
  return `does not answer${code === '' ? '' : ` (${code})`}`;
}

/** Returns the proxy for an address. Undefined if requests go to its server directly. */
export type ProxyFor = (url: URL) => Proxy | undefined;

/**
 * Reads the proxies that environment variables name, as curl does: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and
 * `NO_PROXY`, in lower or upper case. This machine is always reached directly. VS Code has proxies of its own for what
 * runs in it.
 */
export function proxiesOf(environment: NodeJS.ProcessEnv): ProxyFor {
  const variable = (name: string): readonly [name: string, value: string] | undefined => {
    const set = [name, name.toUpperCase()].find((each) => environment[each]);
    return set === undefined ? undefined : [set, environment[set]!.trim()];
  };
  const direct = (variable('no_proxy')?.[1] ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const known = new Map<string, Proxy>();
  return (url) => {
    const scheme = url.protocol.slice(0, -1);
    const [name, value] = variable(`${scheme}_proxy`) ?? variable('all_proxy') ?? [];
    if (name === undefined || !value || isThisMachine(url) || direct.some((entry) => isNamedBy(entry, url)))
      return undefined;
    const key = `${scheme} ${value}`;
    const proxy = known.get(key) ?? proxyAt(value, { scheme, variable: name });
    known.set(key, proxy);
    return proxy;
  };
}

function proxyAt(value: string, { scheme, variable }: { readonly scheme: string; readonly variable: string }): Proxy {
  const written = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const address = proxyAddress(written);
  let agent: Promise<Agent> | undefined;
  return {
    host: address?.host ?? variable,
    agent: () => (agent ??= createAgent(address, { scheme, variable })),
  };
}

/** Reads the address of a proxy. A percent sign in its password may stand for itself, as for curl. */
function proxyAddress(written: string): URL | undefined {
  const plain = written.replace(/%(?![\da-f]{2})/gi, '%25');
  if (!URL.canParse(plain)) return undefined;
  const address = new URL(plain);
  // A "/", "#" or "?" in a password ends the host: what seems to be one is a part of the password.
  const isCut = `${address.pathname}${address.search}${address.hash}`.includes('@');
  const canSignIn = [address.username, address.password].every(canDecode);
  return isCut || !canSignIn ? undefined : address;
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

async function createAgent(
  address: URL | undefined,
  { scheme, variable }: { readonly scheme: string; readonly variable: string },
): Promise<Agent> {
  // The value may contain a password.
  if (!address) throw new UnusableProxy(`${variable} is not the address of a proxy.`);
  if (!/^https?:$/.test(address.protocol))
    throw new UnusableProxy(
      `${variable} names a proxy of the kind ${address.protocol.slice(0, -1)}, which Waymark does not support.`,
    );
  const { plainAgent, tunnelAgent } = await import('./proxyAgents');
  const agent = scheme === 'https' ? tunnelAgent(address.href) : plainAgent(address.href);
  // Otherwise, the answer of the proxy would count as that of the server.
  return agent.on('proxyConnect', ({ statusCode }: { readonly statusCode: number }, request: ClientRequest) => {
    if (Number.isNaN(statusCode)) request.destroy(new ProxyFailure(address.host, notHttp()));
    else if (statusCode !== 200) request.destroy(new ProxyRefusal(statusCode, address.host));
  });
}

const notHttp = (): Error => Object.assign(new Error('not HTTP'), { code: 'HPE_INVALID_CONSTANT' });

const hostOf = ({ hostname }: URL): string => hostname.toLowerCase().replace(/^\[|\]$|\.$/g, '');

const isThisMachine = (url: URL): boolean => /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|::1)$/.test(hostOf(url));

/** `entry`: "*", a host, which stands for its subdomains as well, or a range of addresses; with or without a port. */
function isNamedBy(entry: string, url: URL): boolean {
  const [, withoutPort = entry, port] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  const usualPort = url.protocol === 'https:' ? '443' : '80';
  if (port !== undefined && port !== (url.port || usualPort)) return false;
  const name = withoutPort.replace(/^\[|\]$/g, '').replace(/^\*?\.(?=.)|(?<=.)\.$/g, '');
  const host = hostOf(url);
  return name === '*' || host === name || host.endsWith(`.${name}`) || isInRange(host, name);
}

/** `range`: such as "10.0.0.0/8", or an address in any spelling. */
function isInRange(host: string, range: string): boolean {
  const [, base = '', bits] = /^([\d.]+|[\da-f:.]+)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
  const version = isIP(base);
  if (version === 0 || isIP(host) !== version) return false;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  const whole = version === 6 ? 128 : 32;
  const length = Number(bits ?? whole);
  if (length > whole) return false;
  const addresses = new BlockList();
  addresses.addSubnet(base, length, family);
  return addresses.check(host, family);
}
