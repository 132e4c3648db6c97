import { lookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { riskOfAddress } from '../../core/shell/verdict/address';
import type { HttpServer } from '../../core/mcp/server';
import { addressKind, checkedLookup, checkPooled, checkProxiedName, writtenAddress } from '../net/privateAddress';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import { httpFor } from '../net/http';
import { decompressedBody } from '../net/decompressedBody';
import { isUntrusted, ProxyFailure, ProxyRefusal, type Proxy } from '../net/proxies';
import { sentenceOf } from '../../core/text/errorMessage';
import { failureOf, noteProxy, refusalOf } from '../net/usedProxy';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
/** A `fetch`, with what connects for it; by default, the `fetch` of the system. */
type FetchWith = (url: string | URL, init?: RequestInit, connect?: Fetch) => Promise<Response>;

const maxRedirects = 5;
/** Headers that are meant for one host, whoever set them. */
const credentials = ['authorization', 'proxy-authorization', 'cookie', 'mcp-session-id'];

/**
 * Limits the requests that a server causes to other hosts, such as to those that its sign-in names. They carry none of
 * its configured headers, and neither do unencrypted ones to its own host if its address is encrypted. Redirects to
 * another host carry no credentials. Requests do not reach services that control this machine, and if the server is
 * public, nothing on this machine or its network, whether the address is written or a name leads to it. `find` looks
 * names up. `isProxied`: a proxy looks up the names of such addresses again.
 */
export function limitedElsewhere(
  { url: own, headers }: Pick<HttpServer, 'url' | 'headers'>,
  get: FetchWith,
  find: LookupFunction = lookup,
  isProxied: (url: URL) => boolean = () => false,
): Fetch {
  const ours = new URL(own);
  let known: Promise<boolean> | undefined;
  const isPublicServer = (): Promise<boolean> => (known ??= leadsToPublic(ours, find));
  const elsewhere = async (address: URL, init: RequestInit): Promise<Response> => {
    if (writtenAddress(address) !== undefined) return get(address, init);
    const isPublic = await isPublicServer();
    const refusal = (addresses: readonly string[]): Error | undefined => {
      const kinds = addresses.map(addressKind);
      const refused = kinds.includes('control') || (isPublic && kinds.some((kind) => kind !== 'public'));
      return refused ? notRequested(address) : undefined;
    };
    if (isProxied(address)) await checkProxiedName(address.hostname, refusal, find);
    return get(address, init, checkedFetch(refusal, find));
  };
  const request = (at: URL, init: RequestInit): Promise<Response> => {
    if (at.origin === ours.origin) return get(at, init);
    if (isRefused(at, ours)) throw notRequested(at);
    return elsewhere(at, init);
  };
  return async (url, init) => {
    let at = new URL(url);
    if (at.origin === ours.origin && init?.redirect !== undefined) return get(at, init);
    let sent = at.origin === ours.origin ? init : withoutHeaders(Object.keys(headers), init);
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const answer = await request(at, { ...sent, redirect: init?.redirect ?? 'manual' });
      const location = init?.redirect === undefined ? redirectOf(answer) : null;
      if (location === null) return answer;
      await answer.body?.cancel();
      if ((init?.method ?? 'GET') !== 'GET' || !URL.canParse(location, at.href)) break;
      const next = new URL(location, at);
      // Also if a later redirect leads back: another host chose that address.
      if (next.origin !== at.origin) sent = withoutHeaders([...Object.keys(headers), ...credentials], sent);
      at = next;
    }
    throw new Error(`${at.host} redirects where Waymark does not follow.`);
  };
}

const redirectOf = ({ status, headers }: Response): string | null =>
  status >= 300 && status < 400 ? headers.get('location') : null;

/** A request is not sent. The message says why, in a sentence for people. */
class NotRequested extends Error {}

const notRequested = ({ host }: URL): Error =>
  new NotRequested(`It leads to ${host}, an address of this machine or its network, which is not requested.`);

function isRefused(url: URL, own: URL): boolean {
  if (!/^https?:$/.test(url.protocol) || riskOfAddress(url.href) !== undefined) return true;
  return isPrivate(url) && !isPrivate(own);
}

function isPrivate(url: URL): boolean {
  const written = writtenAddress(url);
  return written === undefined ? /(?:^|\.)localhost\.?$/.test(url.hostname) : addressKind(written) !== 'public';
}

/** Returns whether a server has a public address. If its name cannot be looked up, it counts as public. */
async function leadsToPublic(url: URL, find: LookupFunction): Promise<boolean> {
  const written = writtenAddress(url);
  if (written !== undefined) return addressKind(written) === 'public';
  return new Promise((resolve) =>
    find(url.hostname, { all: true }, (error, found) =>
      resolve(
        error !== null || !Array.isArray(found) || found.some(({ address }) => addressKind(address) === 'public'),
      ),
    ),
  );
}

function withoutHeaders(names: readonly string[], init: RequestInit | undefined): RequestInit {
  const left = new Headers(init?.headers);
  for (const name of names) left.delete(name);
  return { ...init, headers: left };
}

/** Returns a `fetch` that goes through a proxy. It follows no redirect. */
export const proxiedFetch =
  (proxy: Proxy): Fetch =>
  async (url, init) =>
    fetchWithNode(url, init, { agent: await proxy.agent() });

/** A `fetch` that leaves the choice of a proxy to VS Code, and has none outside of it. It follows no redirect. */
export const directFetch: Fetch = (url, init) => fetchWithNode(url, init, {});

/** Returns an error if a request to these addresses is refused. */
type Refusal = (addresses: readonly string[]) => Error | undefined;

/**
 * Returns a `fetch` that connects only to addresses that `refusal` accepts: the global one cannot be given a look-up of
 * names. It follows no redirect.
 */
export const checkedFetch =
  (refusal: Refusal, find: LookupFunction): Fetch =>
  (url, init) =>
    // Without an agent: with http.proxySupport "on", VS Code gives its proxy only to such requests.
    fetchWithNode(url, init, { lookup: checkedLookup(refusal, find) }, refusal);

async function fetchWithNode(
  url: string | URL,
  init: RequestInit | undefined,
  options: Pick<RequestOptions, 'agent' | 'lookup'>,
  refusal: Refusal = () => undefined,
): Promise<Response> {
  const request = new Request(url, init);
  const body = Buffer.from(await request.arrayBuffer());
  const headers: Record<string, string> = { ...Object.fromEntries(request.headers), 'accept-encoding': 'identity' };
  if (body.length > 0) headers['content-length'] = String(body.length);
  // VS Code would close each connection. A checked one is not left to requests that check nothing.
  headers['connection'] = options.lookup ? 'close' : 'keep-alive';
  const given = { method: request.method, headers, ...options, ...(init?.signal && { signal: init.signal }) };
  for (;;) {
    try {
      return await send(new URL(url), given, body, refusal);
    } catch (error) {
      // Each time, one kept connection less.
      if (!(error instanceof IdleTooLong)) throw error;
    }
  }
}

/**
 * In ms: how long after an answer its connection is used again. Many servers close it after 5 s; a request that is on its
 * way just then is lost, and a call must not be sent twice.
 */
const maxIdleMs = 4000;

/** When the last answer of a connection ended, as `performance.now()`. */
const lastEnds = new WeakMap<Socket, number>();

/** A kept connection is not used any more. Nothing was sent over it. */
class IdleTooLong extends Error {}

function send(url: URL, options: RequestOptions, body: Buffer, refusal: Refusal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = noteProxy(httpFor(url.protocol).request(url, options));
    if (options.lookup) checkPooled(sent, refusal);
    sent.once('socket', (socket) => {
      const end = sent.reusedSocket ? lastEnds.get(socket) : undefined;
      if (end !== undefined && performance.now() - end > maxIdleMs) sent.destroy(new IdleTooLong());
    });
    sent.on('response', (answer) => {
      const { socket } = answer;
      answer.once('end', () => lastEnds.set(socket, performance.now()));
      const refused = refusalOf(sent, answer);
      if (refused) {
        answer.destroy();
        return reject(unreachable(refused, url.host));
      }
      responseOf(answer).then(resolve, () => {
        // Such as a status that does not exist.
        answer.destroy();
        reject(new Error(`${sent.host} did not answer in HTTP.`));
      });
    });
    sent.on('error', (error) => {
      if (options.signal?.aborted) reject(options.signal.reason as Error);
      else if (error instanceof IdleTooLong || error instanceof NotRequested) reject(error);
      else reject(unreachable(failureOf(sent, error), url.host));
    });
    sent.end(body);
  });
}

/** Nothing answered at the address of a server. The message says why, in a sentence for people. */
export class Unreachable extends Error {}

function unreachable(error: NodeJS.ErrnoException, host: string): Error {
  const { code, message } = error;
  const isOfProxy = error instanceof ProxyFailure || error instanceof ProxyRefusal;
  return new Unreachable(isOfProxy ? sentenceOf(error) : whyUnreachable(host, code ?? message), { cause: error });
}

function whyUnreachable(host: string, code: string): string {
  if (isUntrusted(code)) return `The certificate of ${host} is not trusted (${code}).`;
  if (['ECONNRESET', 'EPIPE'].includes(code)) return `${host} closed the connection.`;
  return `Nothing answers at ${host} (${code}).`;
}

/** Rejects if it is not a response of HTTP. Some servers compress although they were not asked to. */
async function responseOf(answer: IncomingMessage): Promise<Response> {
  const status = answer.statusCode ?? 502;
  const isEmpty = [204, 205, 304].includes(status);
  const body = isEmpty ? null : (Readable.toWeb(await decompressedBody(answer)) as ReadableStream);
  const response = new Response(body, {
    ...(answer.statusMessage && { statusText: answer.statusMessage }),
    status,
    headers: Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  });
  if (isEmpty) answer.resume();
  return response;
}
