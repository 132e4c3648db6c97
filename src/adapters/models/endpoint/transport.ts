import type http from 'node:http';
import type { Proxy } from '../../net/proxies';
import { failureOf, refusalOf } from '../../net/usedProxy';
import { closedByServer, openRequest, type ConnectionAhead } from './connectionAhead';

/** Where a body is posted. `proxy`: that the request goes through; by default, that of VS Code or none. */
export interface PostTarget {
  readonly url: URL;
  readonly headers: http.OutgoingHttpHeaders;
  readonly proxy?: Proxy | undefined;
  /** A connection to this URL that was opened before; used for the first request after that. */
  readonly ahead?: ConnectionAhead | undefined;
}

/**
 * Posts a body and resolves with the response as soon as its headers arrive. Aborting `signal`, which belongs to this
 * one request, closes the socket, also while the body is read. Rejects with the signal's reason, a `ProxyRefusal`, a
 * `ProxyFailure`, or Node's error.
 */
export async function postBody(target: PostTarget, body: Buffer, signal: AbortSignal): Promise<http.IncomingMessage> {
  const agent = await target.proxy?.agent();
  const opened = await target.ahead?.take();
  try {
    return await attempt(target, { body, agent, signal, opened });
  } catch (error) {
    // The server closed an open socket while it was idle, which says nothing about the server: retry once on a new one.
    if (!(error instanceof StaleSocket)) throw error;
    return attempt({ ...target, headers: { ...target.headers, connection: 'close' } }, { body, agent, signal });
  }
}

class StaleSocket extends Error {}

function attempt(
  { url, headers }: PostTarget,
  {
    body,
    agent,
    signal,
    opened,
  }: {
    readonly body: Buffer;
    readonly agent: http.Agent | undefined;
    readonly signal: AbortSignal;
    readonly opened?: http.ClientRequest | undefined;
  },
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) opened?.destroy();
    signal.throwIfAborted();
    const request = opened ?? openRequest(url, agent);
    setHeaders(request, { ...headers, 'content-length': body.length });
    let response: http.IncomingMessage | undefined;
    const cancel = (): void => {
      reject(signal.reason);
      response?.destroy(signal.reason as Error);
      request.destroy();
    };
    signal.addEventListener('abort', cancel, { once: true });
    request.on('error', (error) => {
      const stale = (request.reusedSocket || opened !== undefined) && !response && closedByServer(error);
      reject(stale ? new StaleSocket() : failureOf(request, error));
    });
    request.on('response', (incoming) => {
      response = incoming;
      // The reader of the body gets the error as well; without a listener a late one would crash the process.
      incoming.on('error', () => {});
      const refusal = refusalOf(request, incoming);
      if (refusal) incoming.destroy();
      if (refusal) reject(refusal);
      else resolve(incoming);
    });
    request.end(body);
  });
}

/** Throws Node's error, and closes the connection, if one of them cannot be sent. */
function setHeaders(request: http.ClientRequest, headers: http.OutgoingHttpHeaders): void {
  try {
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) request.setHeader(name, value);
  } catch (error) {
    request.on('error', () => undefined).destroy();
    throw error;
  }
}
