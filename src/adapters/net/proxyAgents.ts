// Loaded only if a proxy is used.
import type { ClientRequest } from 'node:http';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';

/** Sends requests over http through a proxy. An aborted request gives up its connection at once. */
export class PlainProxyAgent extends HttpProxyAgent<string> {
  override connect(
    request: Parameters<HttpProxyAgent<string>['connect']>[0],
    options: Parameters<HttpProxyAgent<string>['connect']>[1],
  ): ReturnType<HttpProxyAgent<string>['connect']> {
    return untilDestroyed(request, (signal) =>
      new HttpProxyAgent(this.proxy, { ...connectOptions, signal }).connect(request, options),
    );
  }
}

/** Sends requests over https through a tunnel of a proxy. An aborted request gives up its connection at once. */
export class TunnelAgent extends HttpsProxyAgent<string> {
  override connect(
    request: ClientRequest,
    options: Parameters<HttpsProxyAgent<string>['connect']>[1],
  ): ReturnType<HttpsProxyAgent<string>['connect']> {
    return untilDestroyed(request, (signal) => {
      const once = new HttpsProxyAgent(this.proxy, { ...connectOptions, signal });
      once.on('proxyConnect', (...answer) => this.emit('proxyConnect', ...answer));
      return once.connect(request, options);
    });
  }
}

const connectOptions = { keepAlive: true };

/**
 * Runs `connect` with a signal that is aborted when the request is destroyed. Node says so only once the request has a
 * connection, so a proxy that never answers would keep the request, and this process, waiting.
 */
async function untilDestroyed<Socket>(
  request: ClientRequest,
  connect: (signal: AbortSignal) => Promise<Socket>,
): Promise<Socket> {
  const gone = new AbortController();
  if (request.destroyed) gone.abort();
  const { destroy } = request;
  request.destroy = (error) => {
    gone.abort(error);
    return destroy.call(request, error);
  };
  try {
    return await connect(gone.signal);
  } finally {
    request.destroy = destroy;
  }
}
