// What VS Code does with the requests of an extension, by its own settings for proxies.
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { webPages } from '../../src/adapters/documents/webPages';
import { connectToServer } from '../../src/adapters/mcp/connectToServer';
import { limitedElsewhere } from '../../src/adapters/mcp/requestsElsewhere';
import { compatibleModel } from '../../src/adapters/models/compatibleModel';
import { listModels } from '../../src/adapters/models/modelList';
import { fetchText } from '../../src/adapters/net/fetchText';

const apiKey = 'sk-secret-0123456789';

/** A proxy that answers everything with `text`, or closes each connection if there is none. */
async function withProxy(
  text: string | undefined,
  use: (host: string, received: string[]) => Promise<void>,
): Promise<void> {
  const open = new Set<net.Socket>();
  const received: string[] = [];
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    if (text === undefined) return void socket.destroy();
    socket.once('data', (data: Buffer) => {
      received.push(data.toString());
      socket.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`127.0.0.1:${(server.address() as net.AddressInfo).port}`, received);
  } finally {
    for (const socket of open) socket.destroy();
    server.close();
  }
}

/** Changes settings of VS Code that begin with "http.". */
async function setHttp(values: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [key, value] of Object.entries(values))
    await vscode.workspace.getConfiguration('http').update(key, value, vscode.ConfigurationTarget.Global);
}

const question = { messages: [{ role: 'user', content: 'Hi.' }], tools: [] } as never;
const complete = async (baseUrl: string, isAhead: boolean): Promise<unknown> => {
  const model = await compatibleModel({ baseUrl, name: 'test-model', apiKey });
  if (isAhead) model.connect?.();
  if (isAhead) await pause(200); // so that the connection is open
  return model.complete(question, AbortSignal.timeout(5000));
};
/** What Waymark requests, by name. Each resolves to the answer of the server. */
const requests: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  'a web page': (url) => webPages({ privateHosts: [] }).read(url, new AbortController().signal),
  'a mention of an address': (url) => fetchText(url),
  'the list of models': (url) => listModels({ baseUrl: url, apiKey }),
  'a model': (url) => complete(url, false),
  'a model with an open connection': (url) => complete(url, true),
  'an MCP server': (url) =>
    connectToServer({ kind: 'http', name: 'notes', url, headers: {} } as never, {
      folders: () => [],
      signal: AbortSignal.timeout(5000),
      timeoutMs: 5000,
      onLog: () => undefined,
      onClosed: () => undefined,
      onQuestion: () => Promise.reject(new Error('no question')),
      onChanged: () => undefined,
    }),
  'the sign-in of an MCP server': (url) =>
    limitedElsewhere({ url: 'http://other.test/', headers: {} }, (at, init, connect = fetch) => connect(at, init))(
      url,
    ).then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(`answered ${answer.status}`)))),
};

const messageOf = (request: Promise<unknown>): Promise<string> =>
  request.then(
    (answer) => `answered ${JSON.stringify(answer)}`,
    (error: unknown) => String(error),
  );

const answer = (status: string, body = ''): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

describe('with the proxy of VS Code', function () {
  this.timeout(60_000);
  afterEach(() => setHttp({ proxy: undefined, proxySupport: undefined }));
  const withSetting = (
    text: string | undefined,
    use: (host: string, received: string[]) => Promise<void>,
  ): Promise<void> =>
    withProxy(text, async (host, received) => {
      await setHttp({ proxy: `http://user:geheim@${host}` });
      await use(host, received);
    });

  for (const proxySupport of ['override', 'on', 'fallback'])
    it(`"${proxySupport}", everything goes through it`, () =>
      withSetting(answer('503 No'), async (_host, received) => {
        await setHttp({ proxySupport });
        for (const scheme of ['http', 'https'])
          for (const [name, request] of Object.entries(requests)) {
            received.length = 0;
            await messageOf(request(`${scheme}://site.test/v1`));
            assert.ok(received.length > 0, `${name} over ${scheme} went around the proxy`);
            if (scheme === 'https') assert.ok(!received.join().includes(apiKey), `${name} showed the key to the proxy`);
          }
      }));

  it('"off", nothing goes through it', () =>
    withSetting(answer('503 No'), async (_host, received) => {
      await setHttp({ proxySupport: 'off' });
      for (const request of Object.values(requests)) await messageOf(request('https://site.test/v1'));
      assert.deepEqual(received, []);
    }));

  it('an answer of the proxy over https never counts as that of the server', async () => {
    const forged = 'data: {"choices":[{"delta":{"content":"FORGED"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
    for (const status of ['201 Created', '204 None', '302 Found\r\nLocation: https://site.test/v2'])
      await withSetting(answer(status, status.startsWith('201') ? forged : ''), async (host) => {
        for (const [name, request] of Object.entries(requests)) {
          const message = await messageOf(request('https://site.test/v1'));
          assert.doesNotMatch(message, /^answered|FORGED/, name);
          assert.ok(message.includes(host), `${name}: ${message}`);
        }
      });
  });

  for (const [what, text, words] of [
    ['refuses', answer('503 No'), /the proxy HOST refused the connection and answered 503/i],
    ['requires a sign-in', answer('407 Auth'), /the proxy HOST refused the connection and answered 407/i],
    ['speaks another protocol', 'SSH-2.0-OpenSSH\r\n\r\n\r\n', /the proxy HOST does not answer in HTTP/i],
    ['closes each connection', undefined, /the proxy HOST closed the connection/i],
  ] as const)
    it(`an error over https names the proxy that ${what}, without its password`, () =>
      withSetting(text, async (host) => {
        for (const [name, request] of Object.entries(requests)) {
          const message = await messageOf(request('https://site.test/v1'));
          assert.match(message.replaceAll(host, 'HOST'), words, name);
          assert.doesNotMatch(message, /geheim|credentials/, name);
        }
      }));

  for (const [what, text, words] of [
    ['answers 503', answer('503 No'), /reached through the proxy HOST,? answered 503/],
    ['requires a sign-in', answer('407 Auth'), /the proxy HOST (?:answered 407|requires a user name and a password)/i],
    ['answers 401', answer('401 No'), /reached through the proxy HOST,? answered 401/],
    ['speaks another protocol', 'SSH-2.0-OpenSSH\r\n\r\n\r\n', /the proxy HOST does not answer in HTTP/i],
    ['closes each connection', undefined, /the proxy HOST closed the connection/i],
  ] as const)
    it(`an error over http names the proxy that ${what}, without its password`, () =>
      withSetting(text, async (host) => {
        for (const name of ['a web page', 'the list of models', 'a model', 'a model with an open connection']) {
          const message = await messageOf(requests[name]!('http://site.test/v1'));
          assert.match(message.replaceAll(host, 'HOST'), words, name);
          assert.doesNotMatch(message, /geheim|credentials|headers are sent/i, name);
        }
      }));

  for (const [what, proxy, words] of [
    [
      'no proxy listens',
      'http://user:geheim@127.0.0.1:1',
      /the proxy 127\.0\.0\.1:1 does not answer \(ECONNREFUSED\)/i,
    ],
    [
      'its address has a "#" in the password',
      'http://user:geh#eim@127.0.0.1:1',
      /the address of the proxy is not valid/i,
    ],
  ] as const)
    it(`an error says that ${what}`, async () => {
      await setHttp({ proxy });
      for (const [name, request] of Object.entries(requests)) {
        const message = await messageOf(request('https://site.test/v1'));
        assert.match(message, words, name);
        assert.doesNotMatch(message, /geh#?eim|credentials/, name);
      }
    });

  it('an error says that the certificate of the proxy is not trusted', async function () {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-proxy-'));
    const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
    const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=127.0.0.1'];
    const made = spawnSync('openssl', ['req', ...kind, '-keyout', key, '-out', cert]);
    if (made.status !== 0) this.skip();
    const server = https.createServer({ key: fs.readFileSync(key), cert: fs.readFileSync(cert) });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
      await setHttp({ proxy: `https://user:geheim@${host}` });
      const message = await messageOf(requests['a model']!('https://site.test/v1'));
      assert.match(
        message.replace(host, 'HOST'),
        /The proxy HOST has a certificate that is not trusted \(\w+\)\. If your .*NODE_EXTRA_CA_CERTS/,
      );
    } finally {
      server.close();
      fs.rmSync(folder, { recursive: true });
    }
  });
});
