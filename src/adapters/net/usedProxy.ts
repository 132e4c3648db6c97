import type { ClientRequest, IncomingMessage } from 'node:http';
import { ProxyFailure, ProxyRefusal, type Proxy } from './proxies';

/** The proxy of one request, as its agent reported it. */
interface UsedProxy {
  /** Host and port, without user and password. */
  readonly host: string;
  /** Why there is no connection to it, or none through it. */
  readonly failure?: Error | undefined;
}

const usedProxies = new WeakMap<ClientRequest, UsedProxy>();

/** An agent of VS Code, or of `proxyAgents.ts`, emits this as "proxy". `proxy`: such as "PROXY user:password@host:3128". */
interface ProxyReport {
  readonly proxy?: unknown;
  readonly error?: Error | undefined;
}

/** Remembers which proxy a request goes through. Call it as soon as the request exists. */
export function noteProxy(request: ClientRequest): ClientRequest {
  return request.on('proxy', ({ proxy, error }: ProxyReport) => {
    const [kind = '', address = ''] = String(proxy).trim().split(/\s+/);
    if (kind === 'DIRECT' || address === '') return;
    usedProxies.set(request, { host: address.slice(address.lastIndexOf('@') + 1), failure: error });
  });
}

/** Returns host and port of the proxy of a request. Undefined if it has none, or has no connection yet. */
export const proxyOf = (request: ClientRequest): string | undefined => usedProxies.get(request)?.host;

/** Returns why a request failed: `error`, or what is known about its proxy. */
export function failureOf(request: ClientRequest, error: NodeJS.ErrnoException): Error {
  if (error instanceof ProxyRefusal || error instanceof ProxyFailure) return error;
  const used = usedProxies.get(request);
  if (used?.failure) return new ProxyFailure(used.host, used.failure);
  // VS Code could not read the address of its proxy: that of the request was parsed before.
  if (error.code === 'ERR_INVALID_URL') return new ProxyFailure(undefined, error);
  if (!used || request.reusedSocket) return error;
  // What follows could be said by the proxy alone: nothing of it is encrypted.
  const isReadByProxy = request.protocol === 'http:' || !isEncrypted(request.socket);
  const isOfConnection = error.code?.startsWith('HPE_') || ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
  return isReadByProxy && isOfConnection ? new ProxyFailure(used.host, error) : error;
}

/**
 * Returns the refusal if a proxy answered a request over https in place of the server. VS Code passes such an answer on
 * as if the server had sent it, but only the server's own is encrypted.
 */
export const refusalOf = (request: ClientRequest, { socket, statusCode = 0 }: IncomingMessage): Error | undefined =>
  request.protocol === 'https:' && !isEncrypted(socket) ? new ProxyRefusal(statusCode, proxyOf(request)) : undefined;

/**
 * Returns the proxy that may itself have written an answer, because it can read the request: that of one over http.
 * `proxy`: which the request goes through if its agent, as one of the command line, reports it only once per connection.
 */
export function readingProxy(answer: IncomingMessage, proxy?: Pick<Proxy, 'host'>): string | undefined {
  // Node sets it, and its types omit it.
  const { req: request } = answer as IncomingMessage & { readonly req: ClientRequest };
  return request.protocol === 'http:' ? (proxyOf(request) ?? proxy?.host) : undefined;
}

const isEncrypted = (socket: unknown): boolean =>
  (socket as { readonly encrypted?: boolean } | null)?.encrypted === true;
