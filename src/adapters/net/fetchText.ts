import type { LookupFunction } from 'node:net';
import { isTrustworthy } from '../../core/shell/verdict/address';
import { plainText } from '../../core/context/plainText';
import { httpFor } from './http';
import { addressKind, checkedLookup, checkPooled, checkProxiedName, writtenAddress } from './privateAddress';
import { failureOf, noteProxy, readingProxy, refusalOf } from './usedProxy';

const maxBytes = 2 * 1024 * 1024;
const maxMilliseconds = 15_000;
const maxHops = 5;

/**
 * Fetches an address as text, without markup for pages. Sends nothing of the user's, neither cookies nor keys. Throws
 * an `Error` with a message for people. `find` looks names up; by default, the system does.
 */
export async function fetchText(
  address: string,
  signal: AbortSignal = AbortSignal.timeout(maxMilliseconds),
  find?: LookupFunction,
): Promise<{ readonly address: string; readonly text: string }> {
  let at = parseAddress(address);
  const asked = at.host;
  const written = writtenAddress(at);
  let startsPublic = written !== undefined && isPublic(written);
  for (let hop = 0; hop <= maxHops; hop++) {
    const refusal: Refusal = (found) => {
      if (hop === 0) startsPublic ||= found.some(isPublic);
      // The same name may have another address now.
      return hop > 0 && startsPublic && !found.every(isPublic) ? redirectedInside(asked, at.host) : undefined;
    };
    // VS Code may have a proxy, which looks names up itself.
    if (writtenAddress(at) === undefined) await checkProxiedName(at.hostname, refusal, find);
    const answer = await get(at, signal, { refusal, find });
    if (answer.location === undefined)
      return { address: at.href, text: /html/.test(answer.type) ? plainText(answer.text) : answer.text };
    const next = parseAddress(new URL(answer.location, at).href);
    // A public page must not redirect into this machine or its network.
    if (next.host !== at.host && !isTrustworthy(next.href))
      throw new Error(
        `${at.host} redirects to ${next.host}, which is not a plain public address, so Waymark did not follow it. If this is intended, use that address directly.`,
      );
    at = next;
  }
  throw new Error(`${address} redirects more than ${maxHops} times. Use the final address.`);
}

const isPublic = (address: string): boolean => addressKind(address) === 'public';

const redirectedInside = (from: string, to: string): Error =>
  new Error(`${from} leads to ${to}, which is an address of this machine or its network`);

function parseAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new Error(
      `${address} cannot be fetched. Use an address that begins with http:// or https:// and contains no password.`,
    );
  return url;
}

/** Returns an error if a request to these addresses is refused. */
type Refusal = (addresses: readonly string[]) => Error | undefined;

interface Answer {
  readonly type: string;
  readonly text: string;
  readonly location?: string;
}

function get(
  url: URL,
  signal: AbortSignal,
  { refusal, find }: { readonly refusal: Refusal; readonly find: LookupFunction | undefined },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`${url.href} could not be fetched: ${why}.`));
    // Without an agent: with http.proxySupport "on", VS Code gives its proxy only to such requests.
    const request = httpFor(url.protocol).get(url, {
      signal,
      lookup: checkedLookup(refusal, find),
      headers: {
        accept: 'text/html, text/*;q=0.9, application/json;q=0.9, */*;q=0.1',
        connection: 'close',
        'user-agent': 'Waymark',
      },
    });
    checkPooled(noteProxy(request), refusal);
    request.on('response', (response) => {
      const { statusCode = 0, headers } = response;
      const refused = refusalOf(request, response);
      if (refused) {
        fail(refused.message);
        return void response.destroy();
      }
      const type = headers['content-type'] ?? '';
      const give = (answer: Answer): void => {
        resolve(answer);
        response.destroy();
      };
      if (statusCode >= 300 && statusCode < 400 && headers.location)
        return give({ type, text: '', location: headers.location });
      if (statusCode !== 200) {
        const proxy = readingProxy(response);
        fail(`the server${proxy === undefined ? '' : `, reached through the proxy ${proxy},`} answered ${statusCode}`);
        return void response.destroy();
      }
      if (type !== '' && !/^text\/|json|xml|javascript|yaml|toml/.test(type)) {
        fail(`it is not text (${type.split(';')[0]})`);
        return void response.destroy();
      }
      const parts: Buffer[] = [];
      let size = 0;
      const end = (): void =>
        give({ type, text: Buffer.concat(parts).toString('utf8').replaceAll('\0', '').replace(/\r\n?/g, '\n') });
      response.on('data', (part: Buffer) => {
        parts.push(part);
        if ((size += part.length) > maxBytes) end();
      });
      response.on('end', end);
      response.on('error', (error) => fail(error.message));
    });
    request.on('error', (error) => fail(signal.aborted ? 'it took too long' : failureOf(request, error).message));
  });
}
