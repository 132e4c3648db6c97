import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { ConnectionAhead } from '../../../../src/adapters/models/endpoint/connectionAhead';
import { chatModel } from '../../../../src/adapters/models/chat/chatModel';
import { ModelProblem, type Model } from '../../../../src/core/ports/model';
import { question } from '../../../support/ask';
import { reply } from '../../../support/modelServer';
import { startProxy } from '../../../support/proxyServer';
import { proxiesOf } from '../../../../src/adapters/net/proxies';
import { setTimeout as pause } from 'node:timers/promises';

const never = new AbortController().signal;
const ask = async (model: Model): Promise<string> =>
  (await model.complete({ messages: question, tools: [] }, never)).text;

/** A model server that counts its connections. `onConnection`: what it does with each, before any request. */
class CountingServer {
  readonly sockets: Socket[] = [];
  readonly usedBy: Socket[] = [];
  private readonly server = http.createServer((request, response) => {
    this.usedBy.push(request.socket);
    request.resume().on('end', () => {
      const { headers, body } = reply('Yes.');
      response.shouldKeepAlive = !this.closesEach;
      response.writeHead(200, headers).end(body);
    });
  });
  closesEach = false;

  /** `port`: any that is free if 0. */
  async start(onConnection: (socket: Socket, index: number) => void = () => undefined, port = 0): Promise<Model> {
    this.server.on('connection', (socket) => onConnection(socket, this.sockets.push(socket) - 1));
    await once(this.server.listen(port, '127.0.0.1'), 'listening');
    return chatModel({ baseUrl: `http://127.0.0.1:${this.port}/v1`, name: 'test-model' });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Makes a model connect ahead. Resolves with that connection. */
  async connectedBy(model: Model): Promise<Socket> {
    const connected = once(this.server, 'connection') as Promise<[Socket]>;
    model.connect?.();
    const [socket] = await connected;
    return socket;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

describe('a connection that is opened ahead', () => {
  let server: CountingServer;

  beforeEach(() => {
    server = new CountingServer();
  });

  afterEach(() => server.stop());

  it('carries nothing until the next request uses it', async () => {
    const model = await server.start();
    const connected = server.connectedBy(model);
    model.connect?.();
    const socket = await connected;
    assert.equal(socket.bytesRead, 0);
    assert.deepEqual([await ask(model), await ask(model)], ['Yes.', 'Yes.']);
    assert.equal(server.usedBy[0], socket);
    assert.equal(server.sockets[0], socket);
    assert.ok(server.sockets.length <= 2, 'only a second request may need a connection of its own');
  });

  it('is used while it is still being opened', async () => {
    const model = await server.start();
    model.connect?.();
    assert.equal(await ask(model), 'Yes.');
    assert.equal(server.sockets.length, 1);
  });

  it('is one if a request asks for it just before it is opened', async () => {
    await server.start();
    const ahead = new ConnectionAhead(new URL(`http://127.0.0.1:${server.port}/`), undefined);
    const taken = ahead.take();
    ahead.open();
    assert.equal(await taken, undefined);
    await pause(0);
    ahead.open();
    await pause(200);
    assert.equal(server.sockets.length, 1);
    (await ahead.take())?.destroy();
  });

  it('is replaced if the server closed it meanwhile', async () => {
    const model = await server.start();
    const socket = await server.connectedBy(model);
    socket.destroy();
    await once(socket, 'close');
    assert.equal(await ask(model), 'Yes.');
    assert.equal(server.usedBy.length, 1);
  });

  it('is replaced if the server resets it as soon as a request arrives', async () => {
    const model = await server.start((socket, index) => {
      if (index === 0) socket.once('data', () => socket.resetAndDestroy());
    });
    await server.connectedBy(model);
    assert.equal(await ask(model), 'Yes.');
    assert.equal(server.sockets.length, 2);
  });

  it('is replaced if the server answers before it is asked', async () => {
    const model = await server.start((socket, index) => {
      if (index === 0) socket.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    });
    const socket = await server.connectedBy(model);
    if (!socket.closed) await once(socket, 'close');
    assert.equal(await ask(model), 'Yes.');
    assert.equal(server.sockets.length, 2);
  });

  it('is not opened beside a server that closes each connection, which may serve one at a time', async () => {
    const model = await server.start();
    server.closesEach = true;
    assert.equal(await ask(model), 'Yes.');
    model.connect?.();
    await pause(4500); // by then the last connection would have to be kept
    assert.equal(server.sockets.length, 1);
    assert.equal(await ask(model), 'Yes.');
  }).timeout(20_000);

  it('is not left open if the request is no longer wanted', async () => {
    const model = await server.start();
    const socket = await server.connectedBy(model);
    const closed = once(socket, 'close');
    await assert.rejects(model.complete({ messages: question, tools: [] }, AbortSignal.abort(new Error('stopped'))));
    const stopping = new AbortController();
    const asked = model.complete({ messages: question, tools: [] }, stopping.signal);
    stopping.abort(new Error('stopped'));
    await assert.rejects(asked, /stopped/);
    await closed;
    assert.equal(server.usedBy.length, 0);
  });

  it('is replaced if a proxy over http has fixed its headers by then', async () => {
    await server.start();
    const proxy = await startProxy(() => server.port);
    try {
      const model = chatModel({
        baseUrl: 'http://model.test/v1',
        name: 'test-model',
        proxyFor: proxiesOf({ http_proxy: proxy.host }),
      });
      model.connect?.();
      await pause(200); // so that the connection to the proxy is open
      assert.equal(await ask(model), 'Yes.');
      assert.equal(proxy.requests.length, 1);
    } finally {
      await proxy.stop();
    }
  });

  describe('to a server that does not run', () => {
    let port: number;
    let model: Model;

    beforeEach(async () => {
      const unused = net.createServer().listen(0, '127.0.0.1');
      await once(unused, 'listening');
      port = (unused.address() as AddressInfo).port;
      unused.close();
      await once(unused, 'close');
      model = chatModel({ baseUrl: `http://127.0.0.1:${port}/v1`, name: 'test-model' });
    });

    it('fails silently; the request reports why', async () => {
      await server.start();
      model.connect?.();
      await assert.rejects(ask(model), (error) => error instanceof ModelProblem && error.kind === 'network');
    });

    it('counts as failed only for a moment: the server may have been started since', async () => {
      model.connect?.();
      await pause(1500);
      await server.start(undefined, port);
      assert.equal(await ask(model), 'Yes.');
    });
  });
});
