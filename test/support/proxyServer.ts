import http from 'node:http';
import net from 'node:net';

/** A request or tunnel that a proxy was asked for. */
interface ProxiedRequest {
  /** "CONNECT" for a tunnel. */
  readonly method: string;
  /** "model.test:443" for a tunnel, otherwise a URL. */
  readonly target: string;
  /** The `proxy-authorization` header; "" if there is none. */
  readonly signIn: string;
}

export interface ProxyServer {
  /** "127.0.0.1:3128" */
  readonly host: string;
  readonly requests: readonly ProxiedRequest[];
  stop(): Promise<void>;
}

/**
 * Starts an HTTP proxy that knows every host: each leads to a port of this machine. `status`: its answer to everything,
 * instead.
 */
export async function startProxy(portOf: (host: string) => number, status = 200): Promise<ProxyServer> {
  const requests: ProxiedRequest[] = [];
  const sockets = new Set<net.Socket>();
  const note = ({ method = '', url = '', headers }: http.IncomingMessage): void => {
    requests.push({ method, target: url, signIn: headers['proxy-authorization'] ?? '' });
  };
  const server = http.createServer((incoming, response) => {
    note(incoming);
    if (status !== 200) return void response.writeHead(status).end('<title>Refused</title>');
    const url = new URL(incoming.url!);
    const { method } = incoming;
    const { 'proxy-authorization': _, ...headers } = incoming.headers;
    const outgoing = http.request(
      { host: '127.0.0.1', port: portOf(url.hostname), path: `${url.pathname}${url.search}`, method, headers },
      (answer) => answer.pipe(response.writeHead(answer.statusCode!, answer.headers)),
    );
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.on('connect', (incoming, socket: net.Socket) => {
    note(incoming);
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\n\r\n`);
    const onward = net.connect(portOf(incoming.url!.split(':')[0]!), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    requests,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
