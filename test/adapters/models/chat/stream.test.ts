import assert from 'node:assert/strict';
import type { Answer } from '../../../support/modelServer';
import {
  brokenAfter,
  chunksOf,
  htmlPage,
  inPieces,
  raw,
  reply,
  stream,
  toolCall,
  withComments,
  withCrlf,
  withDataLines,
} from '../../../support/modelServer';
import { problemFrom, replyTo, withServer, ask } from '../../../support/ask';

const whole: Answer = toolCall(
  'write_file',
  { path: 'ä.txt', content: 'line\n"two" 🎉 — ∑' },
  { text: 'Grüße 🎉!', reasoning: 'Überlegt ∑.' },
);
const fixed: Answer = { ...whole, body: whole.body.toString().replace(/call_\d+/g, 'call_1') };
const kindOf = async (answer: Answer): Promise<string> => (await problemFrom(replyTo([answer]))).kind;

describe('a stream of an OpenAI-compatible server', () => {
  const shapes: Record<string, (of: Answer) => Answer> = {
    'one byte at a time': (of) => inPieces(of, 1),
    'three bytes at a time': (of) => inPieces(of, 3),
    'with CRLF': withCrlf,
    'with CRLF, one byte at a time': (of) => inPieces(withCrlf(of), 1),
    'with comments between': (of) => inPieces(withComments(of), 5),
    'with data over several lines': withDataLines,
    'with event names, ids and a byte order mark': (of) => ({
      ...of,
      body: `\uFEFF${of.body.toString().replaceAll('data:', 'event: message\nid: 7\nretry: 10\ndata:')}`,
    }),
    'without a space after the colon': (of) => ({ ...of, body: of.body.toString().replaceAll('data: ', 'data:') }),
    'after white space and under another content type': (of) => ({
      ...of,
      headers: { 'content-type': 'text/plain' },
      body: `\n\n${of.body.toString()}`,
    }),
  };
  for (const [name, shape] of Object.entries(shapes)) {
    it(`means the same ${name}`, async () => {
      const plain = await replyTo([fixed]);
      const shaped = await replyTo([shape(fixed)]);
      // Two servers: only the port in the origin differs.
      const same = { firstTokenMs: 0, origin: '' };
      assert.deepEqual({ ...shaped.reply, ...same }, { ...plain.reply, ...same });
      assert.deepEqual(shaped.deltas, plain.deltas);
      assert.equal(plain.reply.text, 'Grüße 🎉!');
      assert.deepEqual(JSON.parse(plain.reply.toolCalls[0]!.function.arguments), {
        path: 'ä.txt',
        content: 'line\n"two" 🎉 — ∑',
      });
    }).timeout(60_000);
  }

  it('that breaks after any byte counts as cut off, and a call in it is never complete', async () => {
    const short = stream([
      ...chunksOf({ text: 'ok', calls: [{ tool: 'run_command', input: { command: 'rm x' }, id: 'c' }], usage: null }),
      '[DONE]',
    ]);
    const bytes = Buffer.from(short.body);
    // Nothing is missing after the line with the finish reason.
    const finished = bytes.indexOf('"tool_calls"}]}') + '"tool_calls"}]}'.length;
    const places = Array.from({ length: finished }, (_, place) => place).filter(
      (place) => place % 3 === 0 || place > finished - 10,
    );
    await withServer(
      places.map((place) => brokenAfter(short, place)),
      async (model, server) => {
        for (const place of places) {
          const problem = await problemFrom(ask(model));
          assert.ok(['cut', 'network'].includes(problem.kind), `byte ${place}: ${problem.kind}: ${problem.message}`);
        }
        assert.equal(server.requests.length, places.length);
      },
    );
  }).timeout(60_000);

  it('that ends without a finish reason counts as cut off, wherever it ends', async () => {
    const short = stream([
      ...chunksOf({ calls: [{ tool: 'run_command', input: { command: 'rm x' }, id: 'c' }], usage: null }),
      '[DONE]',
    ]);
    const bytes = Buffer.from(short.body);
    const finished = bytes.indexOf('"tool_calls"}]}') + '"tool_calls"}]}'.length;
    const places = Array.from({ length: finished }, (_, place) => place).filter(
      (place) => place % 3 === 0 || place > finished - 10,
    );
    await withServer(
      places.map((place) => ({ ...short, body: bytes.subarray(0, place) })),
      async (model) => {
        for (const place of places) assert.equal((await problemFrom(ask(model))).kind, 'cut', `byte ${place}`);
      },
    );
  }).timeout(60_000);

  it('needs no [DONE] after a finish reason', async () => {
    assert.equal((await replyTo([reply('fine', { done: false })])).reply.text, 'fine');
    assert.equal(
      await replyTo([
        brokenAfter(
          { ...reply('fine', { done: false }), body: `${reply('fine', { done: false }).body.toString()}: more` },
          Buffer.byteLength(reply('fine', { done: false }).body),
        ),
      ]).catch(() => undefined),
      undefined,
      'a connection that breaks is a cut even so',
    );
  });

  it('may end a text with [DONE] alone, but never a call', async () => {
    const { reply: got } = await replyTo([reply('fine', { finish: null })]);
    assert.deepEqual([got.text, got.finishReason], ['fine', 'stop']);
    assert.equal(await kindOf(toolCall('rm', { path: '/' }, { finish: null })), 'cut');
    assert.equal(await kindOf(reply('half', { finish: null, done: false })), 'cut');
  });

  for (const reason of ['error', 'network_error', 'abort']) {
    it(`that ends with “${reason}” counts as cut off`, async () =>
      assert.equal(await kindOf(toolCall('rm', {}, { finish: reason })), 'cut'));
  }

  it('that ends with a full context is a context overflow', async () =>
    assert.equal(await kindOf(reply('x', { finish: 'model_context_window_exceeded' })), 'context_overflow'));

  it('with invalid JSON is a bad stream', async () => {
    const [first, ...rest] = chunksOf({ text: 'hello' });
    assert.equal(await kindOf(stream([first!, '{"choices": [', ...rest, '[DONE]'])), 'bad_stream');
    assert.equal(await kindOf(stream(['not json', '[DONE]'])), 'bad_stream');
    assert.equal(await kindOf(raw('{"choices": [', { type: 'application/json' })), 'bad_stream');
  });

  it('prints nothing if it is bad', async () => {
    const printed: unknown[] = [];
    const { error } = console;
    console.error = (...words: unknown[]) => void printed.push(words);
    try {
      await kindOf(stream(['not json']));
    } finally {
      console.error = error;
    }
    assert.deepEqual(printed, []);
  });

  it('that is a web page is a bad stream and names the page', async () => {
    const problem = await problemFrom(replyTo([htmlPage('Welcome to the hotel')]));
    assert.equal(problem.kind, 'bad_stream');
    assert.match(problem.message, /Welcome to the hotel/);
    assert.match(problem.next, /base URL/);
  });

  it('that is empty counts as cut off', async () => {
    assert.equal(await kindOf(raw('')), 'cut');
    assert.equal(await kindOf(raw(': nothing but comments\n\n')), 'cut');
  });

  it('of only [DONE] is an empty reply', async () => {
    const { reply: got } = await replyTo([raw('data: [DONE]\n\n')]);
    assert.deepEqual([got.text, got.toolCalls, got.finishReason], ['', [], 'stop']);
  });

  it('with an error inside ends with the meaning of that error', async () => {
    const [first] = chunksOf({ text: 'hello' });
    const within = (error: unknown): Promise<string> => kindOf(stream([first!, { error }, '[DONE]'] as object[]));
    assert.equal(await within({ message: 'slow down', code: 429 }), 'rate_limit');
    assert.equal(await within({ message: 'Overloaded', type: 'overloaded_error' }), 'server');
    assert.equal(await within({ message: 'no idea' }), 'server');
    assert.equal(await within('prompt is too long: 9 tokens > 8 maximum'), 'context_overflow');
    assert.equal(await within({ message: 'bad key', code: 401 }), 'authentication');
    assert.equal(
      await kindOf(
        stream([
          { choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { code: 502, message: 'upstream' } }] },
          '[DONE]',
        ]),
      ),
      'server',
    );
    assert.equal(
      await kindOf(
        raw(JSON.stringify({ error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }), {
          type: 'application/json',
        }),
      ),
      'quota',
    );
    assert.equal(
      await kindOf(raw(JSON.stringify({ object: 'error', message: 'nope', code: 500 }), { type: 'application/json' })),
      'server',
    );
  });

  it('with an error inside is reported as that, with no status that no server sent', async () => {
    const [first] = chunksOf({ text: 'hello' });
    const why = async (error: object | string): Promise<string> =>
      (await problemFrom(replyTo([stream([first!, { error }, '[DONE]'] as object[])]))).why;
    assert.match(
      await why({ message: 'Rate limit reached', type: 'rate_limit_error' }),
      /^127\.0\.0\.1:\d+ sent an error in its answer: Rate limit reached\.$/,
    );
    assert.match(await why('CUDA out of memory'), / sent an error in its answer: CUDA out of memory\.$/);
    assert.match(await why({ type: 'overloaded_error' }), / sent an error in its answer without saying why\.$/);
    assert.match(await why({ message: 'slow down', code: 429 }), / sent error 429 in its answer: slow down\.$/);
    const tooLong = await problemFrom(replyTo([reply('x', { finish: 'model_context_window_exceeded' })]));
    assert.match(tooLong.why, / sent an error in its answer: model_context_window_exceeded\.$/);
  });
});
