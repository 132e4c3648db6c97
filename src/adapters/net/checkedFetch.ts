import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { LookupFunction } from 'node:net';
import { httpFor } from './http';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Returns a `fetch` that connects to the addresses which `find` returns, and to no others: the global one cannot be given
 * a look-up of names. It follows no redirect.
 */
export const checkedFetch =
  (find: LookupFunction): Fetch =>
  async (url, init) => {
    const request = new Request(url, init);
    const body = Buffer.from(await request.arrayBuffer());
    const headers: Record<string, string> = { ...Object.fromEntries(request.headers), 'accept-encoding': 'identity' };
    if (body.length > 0) headers['content-length'] = String(body.length);
    return new Promise((resolve, reject) => {
      const sent = httpFor(new URL(url).protocol).request(
        url,
        {
          method: request.method,
          headers,
          lookup: find,
          // A new connection: a pooled one may lead to an address that was not checked here.
          agent: false,
          ...(init?.signal && { signal: init.signal }),
        },
        (answer) => {
          try {
            resolve(responseOf(answer));
          } catch {
            // Such as a status that does not exist.
            answer.destroy();
            reject(new Error(`${sent.host} did not answer in HTTP.`));
          }
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  };

/** Throws if it is not a response of HTTP. */
function responseOf(answer: IncomingMessage): Response {
  const status = answer.statusCode ?? 502;
  const isEmpty = [204, 205, 304].includes(status);
  const response = new Response(isEmpty ? null : (Readable.toWeb(answer) as ReadableStream), {
    status,
    headers: Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  });
  if (isEmpty) answer.resume();
  return response;
}
