// Loaded only if a proxy is used.
import type { Agent, ClientRequest } from 'node:http';
import { isIP } from 'node:net';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';

const keptOpen = { keepAlive: true };

/** Sends requests over http through a proxy. A request that is aborted gives up its connection at once. */
export function plainAgent(proxy: string): Agent {
  const agent = new HttpProxyAgent(proxy, keptOpen);
  agent.connect = (request, options) =>
    reported(proxy, request, (signal) =>
      new HttpProxyAgent(proxy, { ...keptOpen, signal }).connect(
        request as Parameters<typeof agent.connect>[0],
        options,
      ),
    );
  return agent;
}

/**
 * Sends requests over https through a tunnel of a proxy. A request that is aborted gives up its connection at once.
 * Emits `proxyConnect` with the answer of the proxy and the request.
 */
export function tunnelAgent(proxy: string): Agent {
  const agent = new HttpsProxyAgent(proxy, keptOpen);
  agent.connect = (request, options) =>
    reported(proxy, request, (signal) => {
      const once = new HttpsProxyAgent(proxy, { ...keptOpen, signal });
      once.on('proxyConnect', (...answer) => agent.emit('proxyConnect', ...answer));
      return once.connect(request, { ...options, ...identityOfAddress(options.host) });
    });
  return agent;
}

/** As `untilDestroyed`. The request emits "proxy" with the proxy and, if it failed, the error, as those of VS Code do. */
async function reported<Socket>(
  proxy: string,
  request: ClientRequest,
  connect: (signal: AbortSignal) => Promise<Socket>,
): Promise<Socket> {
  const report = { proxy: `PROXY ${new URL(proxy).host}` };
  try {
    const socket = await untilDestroyed(request, connect);
    request.emit('proxy', report);
    return socket;
  } catch (error) {
    request.emit('proxy', { ...report, error });
    throw error;
  }
}

/**
 * Returns options that check the certificate of a server without a name. The package does not pass the address on, so Node
 * would expect a certificate of "localhost".
 */
function identityOfAddress(host: string | undefined): Pick<ConnectionOptions, 'checkServerIdentity'> {
  if (host === undefined || isIP(host) === 0) return {};
  return { checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate) };
}

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
