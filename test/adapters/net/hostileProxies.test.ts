// Proxies that hang, break off or answer with something else than HTTP.
import { strict as assert } from 'node:assert';
import { lookup } from 'node:dns/promises';
import os from 'node:os';
import net, { type LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { webPages } from '../../../src/adapters/documents/webPages';
import { limitedElsewhere, proxiedFetch } from '../../../src/adapters/mcp/requestsElsewhere';
import { listModels } from '../../../src/adapters/models/modelList';
import { postBody } from '../../../src/adapters/models/endpoint/transport';
import { addressKind, checkProxiedName } from '../../../src/adapters/net/privateAddress';
import { proxiesOf, type ProxyFor } from '../../../src/adapters/net/proxies';

/** A proxy that does with each connection what `serve` says. */
async function withProxy(
  serve: (socket: net.Socket) => void,
  use: (proxyFor: ProxyFor, open: ReadonlySet<net.Socket>) => Promise<void>,
  ownScheme = 'http',
): Promise<void> {
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  try {
    await use(proxiesOf({ all_proxy: `${ownScheme}://user:geheim@127.0.0.1:${port}` }), open);
  } finally {
    for (const socket of open) socket.destroy();
    server.close();
  }
}

const limitMs = 400;
/** What goes through a proxy, each with its own time limit. */
const requests: Readonly<Record<string, (url: string, proxyFor: ProxyFor) => Promise<unknown>>> = {
  'a web page': (url, proxyFor) =>
    webPages({ privateHosts: [], proxyFor, timeoutMs: limitMs }).read(url, new AbortController().signal),
  'the list of models': (url, proxyFor) => listModels({ baseUrl: url, proxyFor, timeoutMs: limitMs }),
  'an MCP server': (url, proxyFor) =>
    proxiedFetch(proxyFor(new URL(url))!)(url, { signal: AbortSignal.timeout(limitMs) }),
  'a model': (url, proxyFor) =>
    postBody(
      { url: new URL(url), headers: {}, proxy: proxyFor(new URL(url)) },
      Buffer.from('{}'),
      AbortSignal.timeout(limitMs),
    ),
};
const behaviors: Readonly<Record<string, (socket: net.Socket) => void>> = {
  'never answers': (socket) => socket.resume(),
  'answers half a line': (socket) => socket.once('data', () => socket.write('HTTP/1.1 2')),
  'closes at once': (socket) => socket.destroy(),
  'closes halfway': (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 Conn')),
  'answers garbage': (socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.6\r\n\r\n\r\n')),
  'answers garbage without an end': (socket) => socket.once('data', () => socket.write('SSH-2.0-OpenSSH_9.6\r\n\r\n')),
  'closes after the tunnel is open': (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\n')),
};

describe('a proxy that', function () {
  this.timeout(20_000);
  for (const [what, serve] of Object.entries(behaviors))
    // Over http, what it answers is a response.
    for (const scheme of what.includes('tunnel') ? ['https'] : ['http', 'https'])
      for (const [name, request] of Object.entries(requests))
        it(`${what}: ${name} over ${scheme} fails in time, without a trace of the password, and leaves no connection`, () =>
          withProxy(serve, async (proxyFor, open) => {
            const late = pause(5000).then(() => 'hangs' as const);
            const outcome = await Promise.race([
              request(`${scheme}://site.test/v1`, proxyFor).then(
                () => 'answered' as const,
                (error: unknown) => error as Error,
              ),
              late,
            ]);
            assert.ok(outcome instanceof Error, String(outcome));
            assert.doesNotMatch(`${outcome.message} ${outcome.stack}`, /geheim|NaN/);
            for (let round = 0; round < 40 && open.size > 0; round++) await pause(25);
            assert.equal(open.size, 0);
          }));

  for (const [name, request] of Object.entries(requests))
    it(`never answers over TLS: ${name} fails in time and leaves no connection`, () =>
      withProxy(
        behaviors['never answers']!,
        async (proxyFor, open) => {
          await assert.rejects(request('http://site.test/v1', proxyFor));
          await assert.rejects(request('https://site.test/v1', proxyFor));
          for (let round = 0; round < 40 && open.size > 0; round++) await pause(25);
          assert.equal(open.size, 0);
        },
        'https',
      ));
});

describe('a page behind a proxy', function () {
  this.timeout(20_000);
  const ending = (text: string) => (socket: net.Socket) => void socket.once('data', () => socket.end(text));
  for (const [what, address, serve, message] of [
    [
      'wants a password',
      'http://site.test/',
      ending('HTTP/1.1 407 Auth\r\nContent-Length: 0\r\n\r\n'),
      /: the proxy 127\.0\.0\.1:\d+ requires a user name and a password, which the variable that names it can contain\.$/,
    ],
    [
      'wants a password for a tunnel',
      'https://site.test/',
      ending('HTTP/1.1 407 Auth\r\n\r\n'),
      /: the proxy 127\.0\.0\.1:\d+ refused the connection and answered 407\.$/,
    ],
    [
      'cuts a page',
      'http://site.test/',
      ending('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 99\r\n\r\nhalf'),
      /: the connection ended before the whole page had arrived \(through the proxy 127\.0\.0\.1:\d+\)\.$/,
    ],
    [
      'speaks another protocol',
      'http://site.test/',
      ending('SSH-2.0-OpenSSH\r\n\r\n'),
      /: the proxy 127\.0\.0\.1:\d+ does not answer in HTTP\.$/,
    ],
    [
      'leads to a server without TLS',
      'https://site.test/',
      (socket: net.Socket) =>
        void socket.once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          socket.once('data', () => socket.end('hello, this is plain'));
        }),
      /: the server does not answer over TLS, as an address with https requires \(through the proxy 127\.0\.0\.1:\d+\)\.$/,
    ],
  ] as const)
    it(`that ${what} is not read, and the message says why`, () =>
      withProxy(serve, async (proxyFor) => {
        const web = webPages({ privateHosts: [], proxyFor });
        await assert.rejects(web.read(address, new AbortController().signal), { message });
      }));

  it('of a kind that Waymark does not support is named in one sentence', async () => {
    const web = webPages({ privateHosts: [], proxyFor: proxiesOf({ http_proxy: 'socks5://127.0.0.1:1' }) });
    await assert.rejects(web.read('http://site.test/', new AbortController().signal), {
      message:
        'http://site.test/ could not be read: http_proxy names a proxy of the kind socks5, which Waymark does not support.',
    });
  });
});

describe('a name that leads to this machine', () => {
  const own = os.hostname().toLowerCase();

  it('is not requested through a proxy either', async function () {
    const known = await lookup(own).catch(() => undefined);
    if (!known || addressKind(known.address) !== 'own') this.skip();
    await withProxy(
      (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi')),
      async (proxyFor, open) => {
        const web = webPages({ privateHosts: [], proxyFor });
        const { signal } = new AbortController();
        await assert.rejects(web.read(`http://${own}/`, signal), /an address of this machine or its network/);
        assert.equal(open.size, 0);
        assert.equal((await web.read('http://site.test/', signal)).text, 'hi');
        assert.equal((await webPages({ privateHosts: [own], proxyFor }).read(`http://${own}/`, signal)).text, 'hi');
      },
    );
  });

  const found =
    (...addresses: readonly string[]): LookupFunction =>
    (_name, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
  const refuse = (addresses: readonly string[]): Error | undefined =>
    addresses.some((address) => addressKind(address) !== 'public') ? new Error('refused') : undefined;

  it('is refused if one of its addresses is', async () => {
    await assert.rejects(checkProxiedName('a.test', refuse, found('93.184.216.34', '10.0.0.1')), /refused/);
    await checkProxiedName('a.test', refuse, found('93.184.216.34'));
  });

  it('is left to the proxy if it is not known here, or the proxy stands for it', async () => {
    const unknown: LookupFunction = (_name, _options, callback) =>
      callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), []);
    await checkProxiedName('a.test', refuse, unknown);
    await checkProxiedName('a.test', refuse, found('198.18.3.4'));
    await checkProxiedName('a.test', refuse, () => undefined);
  });

  it('is not requested for an MCP server through a proxy', async () => {
    const server = { url: 'https://93.184.216.34/mcp', headers: {} };
    const requested: string[] = [];
    const get = (url: string | URL): Promise<Response> => {
      requested.push(String(url));
      return Promise.resolve(new Response('secret'));
    };
    const fetched = limitedElsewhere(server, get, found('127.0.0.1'), () => true);
    await assert.rejects(fetched('https://rebind.test/token'), /an address of this machine or its network/);
    assert.deepEqual(requested, []);
  });
});
