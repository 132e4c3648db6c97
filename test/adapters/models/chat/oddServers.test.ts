import { strict as assert } from 'node:assert';
import zlib from 'node:zlib';
import { listModels } from '../../../../src/adapters/models/modelList';
import { ask, problemFrom, replyTo, withServer } from '../../../support/ask';
import { chunksOf, failure, raw, reply, stream, type Answer } from '../../../support/modelServer';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

const whole = reply('Grüße 🎉', { usage: null });
const text = whole.body.toString();
const chunk = (delta: object, more: object = {}): object => ({
  choices: [{ index: 0, delta, finish_reason: null }],
  ...more,
});
const ending = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const packed = (pack: (body: Buffer) => Buffer, encoding: string, of: Answer = whole): Answer => ({
  ...of,
  headers: { ...of.headers, 'content-encoding': encoding },
  body: pack(Buffer.from(of.body)),
});

describe('a reply of an odd server', () => {
  const same: [string, Answer][] = [
    ['compressed with gzip, although nobody asked', packed(zlib.gzipSync, 'gzip')],
    ['compressed with deflate', packed(zlib.deflateSync, 'deflate')],
    ['compressed with Brotli', packed(zlib.brotliCompressSync, 'br')],
    ['with events without data', { ...whole, body: `data:\n\ndata: \n\n${text}` }],
    ['with a blank behind [DONE]', { ...whole, body: text.replace('[DONE]', '[DONE] ') }],
    ['with indexes as text', { ...whole, body: text.replaceAll('"index":0', '"index":"0"') }],
    [
      'that ends with the whole message once more',
      stream([
        chunk({ content: 'Grüße 🎉' }),
        { choices: [{ index: 0, message: { role: 'assistant', content: 'Grüße 🎉' }, finish_reason: 'stop' }] },
        '[DONE]',
      ]),
    ],
    [
      'of one JSON object after a byte order mark',
      raw(
        `\uFEFF${JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'Grüße 🎉' }, finish_reason: 'stop' }] })}`,
        { type: 'application/json' },
      ),
    ],
  ];
  for (const [name, answer] of same) {
    it(`${name} is the same`, async () => {
      const { reply: got, deltas } = await replyTo([answer]);
      assert.equal(got.text, 'Grüße 🎉');
      assert.equal(deltas.map((delta) => (delta.kind === 'text' ? delta.text : '')).join(''), 'Grüße 🎉');
    });
  }

  for (const [name, last] of [
    ['empty', {}],
    ['zero', { prompt_tokens: 0, completion_tokens: 0 }],
  ] as const) {
    it(`keeps its usage if the last report is ${name}`, async () => {
      const counts = { prompt_tokens: 12, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } };
      const { reply: got } = await replyTo([
        stream([chunk({ content: 'x' }, { usage: counts }), ending, { choices: [], usage: last }, '[DONE]']),
      ]);
      assert.deepEqual(got.usage, { inputTokens: 12, outputTokens: 3, cachedTokens: 4, cost: null });
    });
  }

  it('has the arguments of a call once if the server repeats them as an object', async () => {
    const part = { tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: { path: 'x' } } }] };
    const { reply: got } = await replyTo([stream([chunk(part), chunk(part), ending, '[DONE]'])]);
    assert.deepEqual(
      got.toolCalls.map(({ function: call }) => call.arguments),
      ['{"path":"x"}'],
    );
  });

  it('has the beginning of a name of a megabyte', async () => {
    const { reply: got } = await replyTo([reply('x', { model: 'm'.repeat(1024 * 1024) })]);
    assert.equal(got.model.length, 200);
  });

  for (const [name, more] of [
    ['falls silent', ''],
    ['sends only comments', ': still here\n\n'.repeat(400)],
  ] as const) {
    it(`counts although the server ${name} after its finish reason`, async () => {
      const body = `${text.replace('data: [DONE]\n\n', '')}${more}`;
      const finish = Buffer.byteLength(text) - Buffer.byteLength('data: [DONE]\n\n');
      const answer = more
        ? { ...whole, body, pieceBytes: 14, pauseMs: 20, stallAfter: Buffer.byteLength(body) }
        : { ...whole, body, stallAfter: finish };
      const { reply: got } = await replyTo([answer], { idleTimeoutMs: 300 });
      assert.deepEqual([got.text, got.finishReason], ['Grüße 🎉', 'stop']);
    }).timeout(30_000);
  }

  it('does not count if the caller stops it after its finish reason', () =>
    withServer([{ ...whole, stallAfter: Buffer.byteLength(text) - Buffer.byteLength('data: [DONE]\n\n') }], (model) => {
      const stop = new AbortController();
      const reason = new Error('stopped');
      const onDelta = (): void => void setTimeout(() => stop.abort(reason), 50);
      return assert.rejects(ask(model, { onDelta }, stop.signal), reason);
    }));
});

describe('an answer that is no reply', () => {
  it('but plain text is quoted', async () => {
    const { kind, why } = await problemFrom(replyTo([raw('no healthy upstream', { type: 'text/plain' })]));
    assert.equal(kind, 'bad_stream');
    assert.match(why, / sent a text that begins “no healthy upstream”\.$/);
  });
  it('but words in an error event names them', async () => {
    const answer = raw(
      `data: ${JSON.stringify(chunksOf({ text: 'Hel' })[0])}\n\nevent: error\ndata: upstream died\n\n`,
    );
    assert.match((await problemFrom(replyTo([answer]))).why, /: upstream died\.$/);
  });
  it('but a compressed error is readable', async () => {
    const { kind, why } = await problemFrom(
      replyTo([packed(zlib.gzipSync, 'gzip', failure(400, 'maximum context length is 8192 tokens'))]),
    );
    assert.equal(kind, 'context_overflow');
    assert.match(why, /: maximum context length is 8192 tokens\.$/);
  });
  it('but damaged compressed data counts as cut off', async () =>
    assert.equal((await problemFrom(replyTo([packed((body) => body, 'gzip')]))).kind, 'cut'));
  it('but JSON that never ends times out, although blanks arrive', async () => {
    const answer = { ...raw(`{${' '.repeat(400)}`, { type: 'application/json' }), pieceBytes: 1, pauseMs: 20 };
    assert.equal((await problemFrom(replyTo([answer], { idleTimeoutMs: 300 }))).kind, 'stalled');
  }).timeout(30_000);
  for (const wait of ['1000000000', '1e308', '2678401']) {
    it(`but a limit that asks to wait ${wait} seconds asks for nothing`, async () =>
      assert.equal((await problemFrom(replyTo([failure(429, 'x', { 'retry-after': wait })]))).retryAfterMs, undefined));
  }
});

describe('a list of models', () => {
  it('may be compressed', async () => {
    const list = zlib.gzipSync(JSON.stringify({ data: [{ id: 'one' }] }));
    const server = http.createServer((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(list);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const models = await listModels({ baseUrl: `http://127.0.0.1:${port}/v1` });
      assert.deepEqual(
        models.map(({ id }) => id),
        ['one'],
      );
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
