import { strict as assert } from 'node:assert';
import net from 'node:net';
import * as vscode from 'vscode';
import { webPages } from '../../src/adapters/documents/webPages';
import { limitedElsewhere } from '../../src/adapters/mcp/requestsElsewhere';
import { listModels } from '../../src/adapters/models/modelList';
import { compatibleModel } from '../../src/adapters/models/compatibleModel';

async function withProxy(
  answer: string | undefined,
  use: (port: number, asked: string[]) => Promise<void>,
): Promise<void> {
  const open = new Set<net.Socket>();
  const asked: string[] = [];
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    if (answer === 'close') return void socket.destroy();
    socket.once('data', (data) => {
      asked.push(String(data).replace(/\r\n/g, ' | ').slice(0, 300));
      if (answer !== undefined) socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  try {
    await use(port, asked);
  } finally {
    for (const socket of open) socket.destroy();
    server.close();
  }
}
const setHttp = async (values: Record<string, unknown>) => {
  for (const [key, value] of Object.entries(values))
    await vscode.workspace.getConfiguration('http').update(key, value, vscode.ConfigurationTarget.Global);
};
const lines: string[] = [];
const say = (text: string) => lines.push(text);
const requests: Record<string, (url: string) => Promise<unknown>> = {
  page: (url) => webPages({ privateHosts: [], timeoutMs: 4000 }).read(url, new AbortController().signal),
  list: (url) => listModels({ baseUrl: url, timeoutMs: 4000, apiKey: 'sk-geheim-key-0123456789' }),
  mcp: (url) => fetch(url, { signal: AbortSignal.timeout(4000) }).then(async (r) => [r.status, await r.text()]),
  mcpElse: (url) =>
    limitedElsewhere({ url: 'http://other.test/', headers: {} }, (u, init, connect) => (connect ?? fetch)(u, init))(url).then(async (r) => [r.status, await r.text()]),
  model: async (url) =>
    (await compatibleModel({ baseUrl: url, name: 'test-model', apiKey: 'sk-geheim-key-0123456789' } as never)).complete(
      { messages: [{ role: 'user', content: 'hi' }], tools: [] } as never,
      AbortSignal.timeout(4000),
    ),
  ahead: async (url) => {
    const model = await compatibleModel({ baseUrl: url, name: 'test-model', apiKey: 'sk-geheim-key-0123456789' } as never);
    model.connect?.();
    await new Promise((resolve) => setTimeout(resolve, 300));
    return model.complete(
      { messages: [{ role: 'user', content: 'hi' }], tools: [] } as never,
      AbortSignal.timeout(4000),
    );
  },
};
describe('probe', function () {
  this.timeout(300_000);
  const sse =
    'data: {"choices":[{"delta":{"content":"FORGED"},"index":0,"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  for (const [what, answer] of Object.entries({
    'forged 201': `HTTP/1.1 201 OK\r\nContent-Type: text/event-stream\r\nContent-Length: ${sse.length}\r\n\r\n${sse}`,
    '407': 'HTTP/1.1 407 Auth\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n',
    '401': 'HTTP/1.1 401 Auth\r\nContent-Length: 0\r\n\r\n',
    '503': 'HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n',
    garbage: 'SSH-2.0-OpenSSH\r\n\r\n\r\n',
    close: 'close',
  }))
    for (const scheme of ['http', 'https'])
      it(`${what} ${scheme}`, () =>
        withProxy(answer, async (port, asked) => {
          await setHttp({ proxy: `http://user:geheim@127.0.0.1:${port}` });
          for (const [name, request] of Object.entries(requests)) {
            asked.length = 0;
            const out = await request(`${scheme}://site.test/v1`).then(
              (value) => `OK ${JSON.stringify(value).slice(0, 300)}`,
              (error: Error & {what?: string; why?: string; next?: string}) => `ERR ${error.constructor.name} ${error.message} ## ${error.what} ## ${error.why} ## ${error.next}`,
            );
            say(`[${what} ${scheme}] ${name}: ${out} -- ${JSON.stringify(asked)}`);
          }
        }));
  for (const support of ['off', 'on', 'override', 'fallback'])
    it(`support ${support}`, () =>
      withProxy('HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n', async (port, asked) => {
        await setHttp({ proxy: `http://user:geheim@127.0.0.1:${port}`, proxySupport: support });
        for (const scheme of ['http', 'https'])
          for (const [name, request] of Object.entries(requests)) {
            asked.length = 0;
            await request(`${scheme}://site.test/v1`).catch(() => undefined);
            say(`[support ${support} ${scheme}] ${name}: ${asked.length > 0 ? 'PROXIED' : 'direct'}`);
          }
      }));
  it('dead port', async () => {
    await setHttp({ proxy: `http://user:geheim@127.0.0.1:1`, proxySupport: undefined });
    for (const scheme of ['http', 'https'])
      for (const [name, request] of Object.entries(requests)) {
        const out = await request(`${scheme}://site.test/v1`).then(
          (value) => `OK ${JSON.stringify(value).slice(0, 300)}`,
              (error: Error & {what?: string; why?: string; next?: string}) => `ERR ${error.constructor.name} ${error.message} ## ${error.what} ## ${error.why} ## ${error.next}`,
        );
        say(`[dead ${scheme}] ${name}: ${out}`);
      }
  });
  after(async () => {
    await setHttp({ proxy: undefined, proxySupport: undefined });
    console.log(lines.join('\n'));
    (await import('node:fs')).writeFileSync('/work/tmp/attack17/probe.txt', lines.join('\n'));
    assert.ok(true);
  });
});
