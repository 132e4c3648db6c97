import type { IncomingMessage, RequestOptions } from 'node:http';
import type { Web, WebPage } from '../../core/ports/web';
import { riskOfAddress } from '../../core/shell/verdict/address';
import {
  addressKind,
  checkedLookup,
  checkPooled,
  checkProxiedName,
  writtenAddress,
  type AddressKind,
} from '../net/privateAddress';
import { httpFor } from '../net/http';
import { ProxyFailure, ProxyRefusal, type ProxyFor } from '../net/proxies';
import { failureOf, noteProxy, proxyOf, readingProxy, refusalOf } from '../net/usedProxy';
import { decompressedBody } from '../net/decompressedBody';
import { documents } from './documents';
import { errorMessage } from '../../core/text/errorMessage';

/** What the tool for web pages may read, and how much. */
export interface WebOptions {
  /** Hosts of this machine or its network that may be read, each optionally with its port. */
  readonly privateHosts: readonly string[];
  /** Maximum size of one page, in bytes after decompression. */
  readonly maxBytes?: number;
  /** Returns the proxy for an address; if absent, requests go through that of VS Code or directly. */
  readonly proxyFor?: ProxyFor;
  /** Time limit from the first byte sent to the last byte read, in ms. */
  readonly timeoutMs?: number;
}

const maxRedirects = 5;
const maxPdfPages = 100;
const maxPdfCharacters = 500_000;

/** Web access for tools of the agent. */
export const webPages = (options: WebOptions): Web => ({
  mayRead: async (address) => {
    const url = new URL(address);
    return refusedAsWritten(url, isListedIn(options.privateHosts, url)) === undefined;
  },
  read: (address, signal) => readPage(address, signal, options),
});

async function readPage(address: string, signal: AbortSignal, options: WebOptions): Promise<WebPage> {
  const { timeoutMs = 30_000 } = options;
  const patience = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, patience]);
  let at = new URL(address);
  // Errors count as text of Waymark, so they name the requested address and nothing that a server wrote.
  const asked = at.href;
  try {
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const answer = await get(at, either, options);
      if (answer.location === undefined) return await pageIn(answer, at, either);
      const next = redirectTarget(answer.location, at);
      if (!isSameSite(at, next))
        return { address: at.href, redirectsTo: next.href, type: answer.type, bytes: 0, text: '' };
      at = next;
    }
    throw new Error(`it redirects more than ${maxRedirects} times`);
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    if (patience.aborted) throw new Error(`${asked} was not read within ${timeoutMs / 1000} seconds.`);
    if (thrown instanceof Refused) throw thrown;
    throw new Error(`${asked} could not be read: ${errorMessage(thrown).replace(/\.$/, '')}.`);
  }
}

/** Resolves the target of a redirect, without user name and password. */
function redirectTarget(location: string, from: URL): URL {
  const next = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (!next || !/^https?:$/.test(next.protocol)) {
    const scheme = /^[a-z]{1,8}:/i.exec(location)?.[0] ?? 'something';
    throw new Error(`it redirects to ${scheme}, which is not the address of a page`);
  }
  next.username = '';
  next.password = '';
  return next;
}

/** The user approved one site: its host, and the same host over HTTPS. */
const isSameSite = (from: URL, to: URL): boolean =>
  from.host === to.host && (from.protocol === to.protocol || to.protocol === 'https:');

interface Answer {
  readonly type: string;
  readonly charset: string | undefined;
  readonly body: Buffer;
  readonly isCut: boolean;
  readonly location?: string;
}

async function get(
  url: URL,
  signal: AbortSignal,
  { privateHosts, proxyFor, maxBytes = 5_000_000 }: WebOptions,
): Promise<Answer> {
  const isListed = isListedIn(privateHosts, url);
  const refused = refusedAsWritten(url, isListed);
  if (refused) throw refused;
  const refuse = (addresses: readonly string[]): Refused | undefined =>
    addresses
      .map((address) => refusalFor(url, addressKind(address), isListed))
      .find((refusal) => refusal !== undefined);
  const proxy = proxyFor?.(url);
  // VS Code may have a proxy for it.
  const isProxied = proxyFor === undefined || proxy !== undefined;
  if (isProxied && writtenAddress(url) === undefined) await checkProxiedName(url.hostname, refuse);
  const agent = await proxy?.agent();
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      signal,
      // With http.proxySupport "on", VS Code gives its proxy only to requests without an agent.
      ...(agent && { agent }),
      lookup: checkedLookup(refuse),
      headers: {
        accept: 'text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,application/json;q=0.9,*/*;q=0.5',
        'accept-encoding': 'gzip, deflate, br',
        connection: 'close',
        'user-agent': 'Waymark',
      },
    };
    const request = noteProxy(httpFor(url.protocol).get(url, options));
    if (!agent) checkPooled(request, refuse);
    const fail = (why: string): void => reject(new Error(why));
    const failWith = (error: NodeJS.ErrnoException): void => {
      const isInWords = [Refused, ProxyRefusal, ProxyFailure].some((kind) => error instanceof kind);
      if (isInWords) return reject(error);
      const host = error.code === undefined ? undefined : (proxyOf(request) ?? proxy?.host);
      fail(`${reasonOf(error)}${host === undefined ? '' : ` (through the proxy ${host})`}`);
    };
    request.on('error', (error) => failWith(failureOf(request, error)));
    request.on('response', (response) => {
      const refusal = refusalOf(request, response);
      const { statusCode = 0, headers } = response;
      const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
      const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1];
      if (refusal) {
        reject(refusal);
        return void response.destroy();
      }
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        resolve({ type, charset, body: Buffer.alloc(0), isCut: false, location: headers.location });
        return void response.destroy();
      }
      const problem =
        statusCode === 200
          ? typeProblem(type)
          : refusedWith(
              statusCode,
              readingProxy(response, proxy),
              proxy ? 'the variable that names it' : 'the setting http.proxy',
            );
      if (problem !== undefined) {
        fail(problem);
        return void response.destroy();
      }
      void collect(response, maxBytes)
        .then(({ body, isCut }) => resolve({ type, charset, body, isCut }), failWith)
        .finally(() => response.destroy());
    });
  });
}

/** Returns whether the user listed the host of an address, with or without its port. */
function isListedIn(privateHosts: readonly string[], { hostname, port, protocol }: URL): boolean {
  const usualPort = protocol === 'https:' ? '443' : '80';
  const names = [hostname, `${hostname}:${port === '' ? usualPort : port}`];
  return privateHosts.some((host) => names.includes(host.toLowerCase()));
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such server exists',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the server closed the connection',
  Z_DATA_ERROR: 'its compression is damaged',
  Z_BUF_ERROR: 'the connection ended before the whole page had arrived',
  EPROTO: 'the server does not answer over TLS, as an address with https requires',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed, so it proves nothing',
  SELF_SIGNED_CERT_IN_CHAIN: 'a certificate authority that this machine does not trust signed the certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'a certificate authority that this machine does not know signed the certificate',
};

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.message === 'aborted') return reasons['Z_BUF_ERROR']!;
  if (error.code?.startsWith('HPE_')) return 'the answer is not HTTP';
  return reasons[error.code ?? ''] ?? error.message;
}

/**
 * Returns why an answer without a page is of no use. `proxy`: one that may have given it; `place`: where it is set. Only a
 * proxy answers 407.
 */
function refusedWith(status: number, proxy: string | undefined, place: string): string {
  if (proxy === undefined) return `the server answered ${status}`;
  return status === 407
    ? `the proxy ${proxy} requires a user name and a password, which ${place} can contain`
    : `the server, reached through the proxy ${proxy}, answered ${status}`;
}

/** An address that may not be requested. The message says why. */
class Refused extends Error {}

/** Returns why an address may not be requested, or undefined if it may. */
function refusalFor({ host }: URL, kind: AddressKind, isListed: boolean): Refused | undefined {
  if (kind === 'control')
    return new Refused(`${host} was not requested: it serves credentials of this machine, not pages.`);
  if (kind === 'public' || isListed) return undefined;
  return new Refused(
    `${host} is an address of this machine or its network, so it was not requested. A command such as curl can read it, or the user can add it to the setting waymark.web.privateHosts (--web-private-hosts).`,
  );
}

/** Returns why an address may not be requested, as far as that is known without a DNS lookup. */
function refusedAsWritten(url: URL, isListed: boolean): Refused | undefined {
  if (riskOfAddress(url.href) !== undefined) return refusalFor(url, 'control', isListed);
  // Names that always mean this machine, see RFC 6761.
  if (/(?:^|\.)localhost\.?$/.test(url.hostname)) return refusalFor(url, 'own', isListed);
  const written = writtenAddress(url);
  return written === undefined ? undefined : refusalFor(url, addressKind(written), isListed);
}

const isText = (type: string): boolean =>
  type === '' || /^text\/|[/+](?:json|xml|x?yaml|toml|javascript|ecmascript|x-ndjson|graphql)$/.test(type);

const isHtml = (type: string): boolean => type === 'text/html' || type === 'application/xhtml+xml';
const isPdf = (type: string): boolean => type === 'application/pdf';

/** Content types that an error may name: others can contain whole sentences of the server. */
const toldType = /^(?:image|audio|video|font)\/[a-z0-9.+-]{1,15}$|^application\/(?:zip|gzip|octet-stream|msword|wasm)$/;

function typeProblem(type: string): string | undefined {
  if (isText(type) || isHtml(type) || isPdf(type)) return undefined;
  return toldType.test(type) ? `it is ${type}, which contains no text to read` : 'its content type contains no text';
}

/** Reads the decompressed body of a response, up to a limit. */
async function collect(response: IncomingMessage, most: number): Promise<{ body: Buffer; isCut: boolean }> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of (await decompressedBody(response)) as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > most) break;
  }
  return { body: Buffer.concat(parts).subarray(0, most), isCut: size > most };
}

async function pageIn({ type, charset, body, isCut }: Answer, url: URL, signal: AbortSignal): Promise<WebPage> {
  const page = { address: url.href, type, bytes: body.length };
  const cut = isCut && { missing: `Only the first ${Math.round(body.length / 1000)} KB were read.` };
  if (isPdf(type) || body.subarray(0, 5).toString('latin1') === '%PDF-') {
    if (isCut) throw new Error(`it is a PDF file of more than ${Math.round(body.length / 1e6)} MB`);
    return { ...page, ...(await pdfIn(body, signal)) };
  }
  const text = decodeBody(body, charset ?? (isHtml(type) ? charsetIn(body) : undefined));
  if (type === '' && text.includes('\0')) throw new Error('it contains no text');
  if (isHtml(type) || (type === '' && /^\s*<(?:!doctype html|html)\b/i.test(text))) {
    const { pageText } = await import('./pageText');
    return { ...page, ...pageText(text, url.href), ...cut };
  }
  return { ...page, text: text.replaceAll('\0', '').replace(/\r\n?/g, '\n').trim(), ...cut };
}

async function pdfIn(body: Buffer, signal: AbortSignal): Promise<Pick<WebPage, 'text' | 'missing'>> {
  const wanted = { from: 1, to: maxPdfPages, maxCharacters: maxPdfCharacters };
  const read = await documents.pdfText(new Uint8Array(body), wanted, signal);
  const text = read.pages.map((page, index) => `Page ${index + 1} of ${read.total}\n${page}`).join('\n\n');
  const isCut = read.pages.length < read.total || read.stopped !== undefined;
  return { text, ...(isCut && { missing: `Read up to page ${read.pages.length} of ${read.total}.` }) };
}

const charsetIn = (body: Buffer): string | undefined =>
  /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(body.subarray(0, 2048).toString('latin1'))?.[1];

function decodeBody(body: Buffer, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body); // Unknown encoding.
  }
}
