// Node's own http instead of `fetch`. Measured: a request costs 0.5 ms instead of 0.9, and a run of 400 requests peaks
// at 66 MB instead of 130.
import type http from 'node:http';
import { httpFor } from '../../net/http';
import type { Proxy } from '../../net/proxies';

/** Where a body is posted. `proxy`: that the request goes through; by default, that of VS Code or none. */
export interface PostTarget {
  readonly url: URL;
  readonly headers: http.OutgoingHttpHeaders;
  readonly proxy?: Proxy | undefined;
}

/**
 * Posts a body and resolves with the response as soon as its headers arrive. Aborting `signal`, which belongs to this
 * one request, closes the socket, also while the body is read. Rejects with the signal's reason, a `ProxyRefusal`, or
 * Node's error.
 */
export async function postBody(target: PostTarget, body: Buffer, signal: AbortSignal): Promise<http.IncomingMessage> {
  const agent = await target.proxy?.agent();
  try {
    return await attempt(target, { body, agent, signal });
  } catch (error) {
    // The server closed a kept-alive socket while it was idle, which says nothing about the server: retry once on a new
    // one.
    if (!(error instanceof StaleSocket)) throw error;
    return attempt({ ...target, headers: { ...target.headers, connection: 'close' } }, { body, agent, signal });
  }
}

class StaleSocket extends Error {}

/**
 * VS Code wraps each request of an extension in its own agent, which asks servers to close the connection
 * (microsoft/vscode#173861). Each step would begin with a new handshake; this header prevents that.
 */
const keptOpen = { connection: 'keep-alive' };

function attempt(
  { url, headers }: PostTarget,
  {
    body,
    agent,
    signal,
  }: { readonly body: Buffer; readonly agent: http.Agent | undefined; readonly signal: AbortSignal },
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = httpFor(url.protocol).request(url, {
      method: 'POST',
      headers: { ...keptOpen, ...headers, 'content-length': body.length },
      ...(agent && { agent }),
    });
    let response: http.IncomingMessage | undefined;
    const cancel = (): void => {
      reject(signal.reason);
      response?.destroy(signal.reason as Error);
      request.destroy();
    };
    signal.addEventListener('abort', cancel, { once: true });
    request.on('error', (error) => {
      const stale =
        request.reusedSocket &&
        !response &&
        ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
      reject(stale ? new StaleSocket() : error);
    });
    request.on('response', (incoming) => {
      response = incoming;
      // The reader of the body gets the error as well; without a listener a late one would crash the process.
      incoming.on('error', () => {});
      resolve(incoming);
    });
    request.end(body);
  });
}
