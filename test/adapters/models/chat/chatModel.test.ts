import assert from 'node:assert/strict';
import type { ToolCall } from '../../../../src/core/ports/model';
import { replyTo } from '../../../support/ask';
import { answer, chunksOf, reply, stream, toolCall, toolCalls, unstreamed } from '../../../support/modelServer';
import { uncounted } from '../../../support/newEvents';

const delta = (fields: object, finish: string | null = null): object => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});
const calledIn = async (...deltas: object[]): Promise<readonly ToolCall[]> =>
  (await replyTo([stream([...deltas, delta({}, 'tool_calls'), '[DONE]'])])).reply.toolCalls;
const heard = (calls: readonly ToolCall[]): string[] =>
  calls.map(({ function: { name, arguments: text } }) => `${name} ${text}`);
const part = (fields: object): object => delta({ tool_calls: [fields] });

describe('a reply of an OpenAI-compatible server', () => {
  it('has its text, finish reason, model and time of the first token', async () => {
    const { reply: got, deltas } = await replyTo([reply('Hello there, wide world.')]);
    assert.equal(got.text, 'Hello there, wide world.');
    assert.equal(got.finishReason, 'stop');
    assert.equal(got.model, 'test-model');
    assert.ok(got.firstTokenMs !== null && got.firstTokenMs > 0);
    assert.ok(deltas.length > 2, 'it came in pieces');
    assert.equal('reasoning' in got, false);
  });

  it('counts tokens and cached tokens as the provider does', async () => {
    const { reply: got } = await replyTo(
      [
        reply('x', {
          usage: { prompt_tokens: 100, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 60 } },
        }),
      ],
      { name: 'gpt-5', prices: {} },
    );
    assert.deepEqual({ ...got.usage, cost: null }, { inputTokens: 100, outputTokens: 7, cachedTokens: 60, cost: null });
  });

  it('counts the cost of what was written to the cache, as OpenAI reports it from GPT-5.6 on', async () => {
    const details = { cached_tokens: 250_000, cache_write_tokens: 500_000 };
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 0, prompt_tokens_details: details };
    const prices = { 'gpt-5.6-sol': { input: 4, cached: 0.5, output: 20 } };
    const { reply: got } = await replyTo([reply('x', { usage })], { name: 'gpt-5.6-sol', prices });
    assert.deepEqual(got.usage, {
      inputTokens: 1_000_000,
      outputTokens: 0,
      cachedTokens: 250_000,
      cost: 0.25 * 4 + 0.25 * 0.5 + 0.5 * 5,
    });
  });

  it('understands DeepSeek’s cache hits and Groq’s usage', async () => {
    const deepSeek = await replyTo([
      reply('x', { usage: { prompt_tokens: 9, completion_tokens: 1, prompt_cache_hit_tokens: 4 } }),
    ]);
    assert.equal(deepSeek.reply.usage.cachedTokens, 4);
    const groq = await replyTo([
      stream([
        delta({ content: 'x' }),
        { ...delta({}, 'stop'), x_groq: { usage: { prompt_tokens: 3, completion_tokens: 2 } } },
        '[DONE]',
      ]),
    ]);
    assert.deepEqual([groq.reply.usage.inputTokens, groq.reply.usage.outputTokens], [3, 2]);
  });

  it('has unknown usage if usage is missing or not numeric', async () => {
    const unknown = uncounted;
    assert.deepEqual((await replyTo([reply('x', { usage: null })])).reply.usage, unknown);
    assert.deepEqual(
      (
        await replyTo([
          reply('x', { usage: { prompt_tokens: 'many', completion_tokens: -1, prompt_tokens_details: null } }),
        ])
      ).reply.usage,
      unknown,
    );
  });

  it('costs what the user’s own price says', async () => {
    const { reply: got } = await replyTo(
      [reply('x', { usage: { prompt_tokens: 1_000_000, completion_tokens: 500_000 } })],
      { prices: { 'test-model': { input: 2, cached: 1, output: 4 } } },
    );
    assert.equal(got.usage.cost, 4);
  });

  for (const field of ['reasoning_content', 'reasoning'] as const) {
    it(`keeps the reasoning of the field ${field} and the field’s name`, async () => {
      const { reply: got, deltas } = await replyTo([
        reply('So: 4.', { reasoning: 'Two and two, one after the other.', reasoningField: field }),
      ]);
      assert.deepEqual(got.reasoning, { text: 'Two and two, one after the other.', field });
      assert.equal(
        deltas
          .filter(({ kind }) => kind === 'reasoning')
          .map((one) => ('text' in one ? one.text : ''))
          .join(''),
        'Two and two, one after the other.',
      );
      assert.equal(got.text, 'So: 4.');
    });
  }

  it('does not duplicate reasoning that a server sends in two fields', async () => {
    const { reply: got } = await replyTo([
      stream([delta({ reasoning: 'once', reasoning_content: 'once' }), delta({ content: 'x' }, 'stop'), '[DONE]']),
    ]);
    assert.deepEqual(got.reasoning, { text: 'once', field: 'reasoning_content' });
  });

  it('joins streamed reasoning details into whole blocks and keeps encrypted ones', async () => {
    const detail = (fields: object): object => delta({ reasoning_details: [fields] });
    const { reply: got } = await replyTo([
      stream([
        detail({ type: 'reasoning.text', index: 0, text: 'Let me ' }),
        detail({ type: 'reasoning.text', index: 0, text: 'see.' }),
        detail({ type: 'reasoning.text', index: 0, text: '', signature: 'sig' }),
        detail({ type: 'reasoning.encrypted', index: 1, data: 'AAA' }),
        delta({ content: 'x' }, 'stop'),
        '[DONE]',
      ]),
    ]);
    assert.deepEqual(got.reasoning, {
      text: 'Let me see.',
      details: [
        { type: 'reasoning.text', index: 0, text: 'Let me see.', signature: 'sig' },
        { type: 'reasoning.encrypted', index: 1, data: 'AAA' },
      ],
    });
  });

  it('reads content that comes in parts, including thinking', async () => {
    const { reply: got } = await replyTo([
      stream([
        delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }),
        delta({ content: [{ type: 'text', text: 'yes' }] }, 'stop'),
        '[DONE]',
      ]),
    ]);
    const details = [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }];
    assert.deepEqual([got.reasoning, got.text], [{ text: 'hm', details, detailsField: 'content' }, 'yes']);
  });

  it('shows a refusal as its text', async () => {
    assert.equal(
      (await replyTo([stream([delta({ refusal: 'I cannot.' }), delta({}, 'content_filter'), '[DONE]'])])).reply.text,
      'I cannot.',
    );
  });

  it('is read from one JSON response if the server cannot stream', async () => {
    const { reply: got, deltas } = await replyTo([
      unstreamed({ text: 'whole', reasoning: 'thought', calls: [{ tool: 'ls', input: { path: '.' } }] }),
    ]);
    assert.deepEqual(
      [got.text, got.reasoning?.text, heard(got.toolCalls), got.finishReason, got.usage.inputTokens],
      ['whole', 'thought', ['ls {"path":"."}'], 'tool_calls', 10],
    );
    assert.ok(deltas.some((one) => one.kind === 'text' && one.text === 'whole'));
  });

  it('ignores choices other than the first', async () => {
    const { reply: got } = await replyTo([
      stream([
        { choices: [{ index: 1, delta: { content: 'other' }, finish_reason: 'stop' }] },
        delta({ content: 'first' }, 'stop'),
        '[DONE]',
      ]),
    ]);
    assert.equal(got.text, 'first');
  });

  it('stops at an excessive length with the finish reason length', async () => {
    const piece = delta({ content: 'x'.repeat(1024 * 1024) });
    const { reply: got } = await replyTo([
      stream([...Array.from({ length: 24 }, () => piece), delta({}, 'stop'), '[DONE]']),
    ]);
    assert.equal(got.finishReason, 'length');
    assert.ok(got.text.length < 20 * 1024 * 1024);
  }).timeout(30_000);
});

describe('the tool calls of a reply', () => {
  it('are complete and in order, with progress while they arrive', async () => {
    const { reply: got, deltas } = await replyTo([
      toolCalls([
        { tool: 'read_file', input: { path: 'src/a.ts' }, id: 'a' },
        { tool: 'run_command', input: { command: 'echo "ü🎉"' }, id: 'b' },
      ]),
    ]);
    assert.deepEqual(heard(got.toolCalls), [
      'read_file {"path":"src/a.ts"}',
      'run_command {"command":"echo \\"ü🎉\\""}',
    ]);
    assert.deepEqual(
      got.toolCalls.map(({ id }) => id),
      ['a', 'b'],
    );
    const pieces = deltas.filter((one) => one.kind === 'tool');
    const { piece, ...last } = pieces.at(-1)!;
    const { arguments: whole } = got.toolCalls[1]!.function;
    assert.deepEqual(last, { kind: 'tool', tool: 'run_command', bytes: whole.length, call: 1 });
    assert.ok(whole.endsWith(piece!));
    for (const [place, call] of got.toolCalls.entries()) {
      const own = pieces.filter((one) => one.call === place);
      assert.equal(own.map((one) => one.piece).join(''), call.function.arguments);
    }
  });

  it('may come with text', async () => {
    const { reply: got } = await replyTo([toolCall('ls', {}, { text: 'Looking.' })]);
    assert.deepEqual([got.text, heard(got.toolCalls)], ['Looking.', ['ls {}']]);
  });

  it('are joined without indexes, by id or with the latest call', async () => {
    assert.deepEqual(
      heard(
        await calledIn(
          part({ id: 'a', function: { name: 'one', arguments: '{"x"' } }),
          part({ function: { arguments: ':1}' } }),
          part({ id: 'b', function: { name: 'two', arguments: '{' } }),
          part({ id: 'b', function: { arguments: '}' } }),
        ),
      ),
      ['one {"x":1}', 'two {}'],
    );
  });

  it('are told apart without indexes and ids', async () => {
    assert.deepEqual(
      heard(
        await calledIn(
          part({ function: { name: 'ls', arguments: '{"p":1}' } }),
          part({ function: { name: 'ls', arguments: '{"p":2}' } }),
        ),
      ),
      ['ls {"p":1}', 'ls {"p":2}'],
    );
  });

  it('are joined if a server repeats the name in every piece', async () => {
    assert.deepEqual(
      heard(
        await calledIn(
          part({ function: { name: 'ls', arguments: '' } }),
          part({ function: { name: 'ls', arguments: '{"p":' } }),
          part({ function: { name: 'ls', arguments: '2}' } }),
        ),
      ),
      ['ls {"p":2}'],
    );
    assert.deepEqual(
      heard(
        await calledIn(
          part({ index: 0, id: 'a', function: { name: 'ls', arguments: '{' } }),
          part({ index: 0, id: 'a', function: { name: 'ls', arguments: '}' } }),
        ),
      ),
      ['ls {}'],
    );
  });

  it('are told apart if a server gives every call the index 0', async () => {
    assert.deepEqual(
      heard(
        await calledIn(
          part({ index: 0, id: 'a', function: { name: 'ls', arguments: '{}' } }),
          part({ index: 0, id: 'b', function: { name: 'ls', arguments: '{"p":2}' } }),
          part({ index: 0, function: { arguments: '' } }),
        ),
      ),
      ['ls {}', 'ls {"p":2}'],
    );
  });

  it('may arrive several in one delta, with and without indexes', async () => {
    assert.deepEqual(
      heard(
        await calledIn(
          delta({
            tool_calls: [
              { index: 0, id: 'a', function: { name: 'one', arguments: '{}' } },
              { index: 1, id: 'b', function: { name: 'two', arguments: '{}' } },
            ],
          }),
        ),
      ),
      ['one {}', 'two {}'],
    );
    assert.deepEqual(
      heard(
        await calledIn(
          delta({
            tool_calls: [{ function: { name: 'one', arguments: '' } }, { function: { name: 'one', arguments: '' } }],
          }),
        ),
      ),
      ['one ', 'one '],
    );
  });

  it('may interleave', async () => {
    assert.deepEqual(
      heard(
        await calledIn(
          part({ index: 0, id: 'a', function: { name: 'one', arguments: '{' } }),
          part({ index: 1, id: 'b', function: { name: 'two', arguments: '[' } }),
          part({ index: 0, function: { arguments: '}' } }),
          part({ index: 1, function: { arguments: ']' } }),
        ),
      ),
      ['one {}', 'two []'],
    );
  });

  it('may have their arguments as an object, or none', async () => {
    assert.deepEqual(
      heard(
        await calledIn(
          part({ index: 0, id: 'a', function: { name: 'one', arguments: { x: 1 } } }),
          part({ index: 1, id: 'b', function: { name: 'two' } }),
        ),
      ),
      ['one {"x":1}', 'two '],
    );
  });

  it('get ids if a server sends none, empty or duplicate ones', async () => {
    const calls = await calledIn(
      part({ index: 0, function: { name: 'one', arguments: '{}' } }),
      part({ index: 1, id: '', function: { name: 'two', arguments: '{}' } }),
      part({ index: 2, id: 'same', function: { name: 'three', arguments: '{}' } }),
      part({ index: 3, id: 'same', function: { name: 'four', arguments: '{}' } }),
    );
    assert.deepEqual(
      calls.map(({ function: { name } }) => name),
      ['one', 'two', 'three', 'four'],
    );
    assert.equal(new Set(calls.map(({ id }) => id)).size, 4);
    assert.ok(calls.every(({ id }) => id.length > 0 && id.length <= 64));
  });

  it('need no role, and empty pieces make no call', async () => {
    assert.deepEqual(
      heard(
        await calledIn(
          { choices: [{ delta: { tool_calls: [{}, null] } }] },
          { choices: [] },
          {},
          delta({ tool_calls: null }),
        ),
      ),
      [],
    );
  });

  it('are also read from the older function_call', async () => {
    assert.deepEqual(
      heard(
        await calledIn(
          delta({ function_call: { name: 'ls', arguments: '{' } }),
          delta({ function_call: { arguments: '}' } }),
        ),
      ),
      ['ls {}'],
    );
  });

  it('keep the finish reason “length”, so truncated calls do not run', async () => {
    const { reply: got } = await replyTo([answer({ calls: [{ tool: 'ls', input: '{"path": "a' }], finish: 'length' })]);
    assert.deepEqual([got.finishReason, heard(got.toolCalls)], ['length', ['ls {"path": "a']]);
  });

  it('are all returned if a model makes forty', async () => {
    const { reply: got } = await replyTo([
      toolCalls(Array.from({ length: 40 }, (_, index) => ({ tool: 'read_file', input: { path: `${index}` } }))),
    ]);
    assert.deepEqual(
      got.toolCalls.map((call) => (JSON.parse(call.function.arguments) as { path: string }).path),
      Array.from({ length: 40 }, (_, index) => `${index}`),
    );
    assert.ok(chunksOf({ text: 'x' }).length > 1);
  });
});
