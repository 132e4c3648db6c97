// Anthropic's own protocol: request contents, parsed replies and handling of errors.
import assert from 'node:assert/strict';
import { modelFor } from '../../../../src/adapters/models/models';
import { compatibleModel, type CompatibleModelOptions } from '../../../../src/adapters/models/compatibleModel';
import type { ChatMessage, Model, ToolSchema } from '../../../../src/core/ports/model';
import { providerNamed } from '../../../../src/core/model/providers/rulesFor';
import { ask, problemFrom, question } from '../../../support/ask';
import {
  failure,
  message,
  messageEventsOf,
  messageFailure,
  messageStream,
  reply,
  startModelServer,
  type Answering,
  type ModelServer,
} from '../../../support/modelServer';

type Options = Partial<CompatibleModelOptions>;

/** Runs `use` with an Anthropic model served by such a server. */
async function withClaude(
  answers: readonly Answering[],
  use: (model: Model, server: ModelServer) => Promise<void>,
  options: Options = {},
): Promise<void> {
  const server = await startModelServer(answers);
  try {
    const provider = providerNamed('anthropic');
    await use(
      await compatibleModel({
        baseUrl: server.baseUrl,
        name: 'claude-opus-4-6',
        apiKey: 'sk-ant-12345678',
        provider,
        ...options,
      }),
      server,
    );
  } finally {
    await server.stop();
  }
}

const bodies = ({ requests }: ModelServer): Record<string, any>[] => requests.map(({ body }) => body);

const readFile: ToolSchema = {
  name: 'read_file',
  description: 'Reads.',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
};
const origin = 'anthropic claude-opus-4-6';
const calls = (...ids: string[]): ChatMessage => ({
  role: 'assistant',
  content: 'I look.',
  origin,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'read_file', arguments: '{"path": "a"}' } })),
});
const result = (id: string, content = 'hello'): ChatMessage => ({ role: 'tool', tool_call_id: id, content, origin });
const said = (content: string): ChatMessage => ({ role: 'user', content });
const system: ChatMessage = { role: 'system', content: 'Work.' };

/** Returns the body of one request. */
async function bodyFor(
  messages: readonly ChatMessage[],
  options: Options = {},
  tools: readonly ToolSchema[] = [readFile],
): Promise<Record<string, any>> {
  let found: Record<string, any> = {};
  await withClaude(
    [message('x')],
    async (model, server) => {
      await ask(model, { messages, tools });
      found = bodies(server)[0]!;
    },
    options,
  );
  return found;
}

describe('a Messages API request', () => {
  it('goes to its own URL with its own headers and the complete body', () =>
    withClaude([message('x')], async (model, server) => {
      await ask(model, { messages: [system, said('Go.')], tools: [readFile] });
      const [{ path, headers }] = server.requests as [ModelServer['requests'][0]];
      assert.equal(path, '/v1/messages');
      assert.deepEqual(
        [headers['x-api-key'], headers['anthropic-version'], headers.authorization, headers['anthropic-beta']],
        ['sk-ant-12345678', '2023-06-01', undefined, undefined],
      );
      const mark = { cache_control: { type: 'ephemeral' } };
      assert.deepEqual(bodies(server)[0], {
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Go.', ...mark }] }],
        model: 'claude-opus-4-6',
        max_tokens: 32_000,
        system: [{ type: 'text', text: 'Work.', ...mark }],
        tools: [{ name: 'read_file', description: 'Reads.', input_schema: readFile.parameters }],
        stream: true,
      });
    }));

  it('puts tool results first into one message, followed by the user’s text', async () => {
    const image = { mediaType: 'image/png', data: 'AAAA' };
    const unknown = { mediaType: 'image/tiff', data: 'BBBB' };
    const messages: ChatMessage[] = [
      system,
      said('Go.'),
      calls('call_1', 'call_2'),
      result('call_1'),
      result('call_2', ''),
      { role: 'user', content: 'See.', images: [image, unknown] },
      { role: 'system', content: 'Be brief.' },
    ];
    const { messages: sent } = await bodyFor(messages, { promptCaching: 'off' });
    assert.deepEqual(sent, [
      { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'call_1', name: 'read_file', input: { path: 'a' } },
          { type: 'tool_use', id: 'call_2', name: 'read_file', input: { path: 'a' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: 'hello' },
          { type: 'tool_result', tool_use_id: 'call_2', content: '(empty)' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          { type: 'text', text: 'See.\n\n[An image (image/tiff) was omitted: this model cannot read images.]' },
          { type: 'text', text: 'Be brief.' },
        ],
      },
    ]);
  });

  it('omits blank text, invalid arguments and foreign ids, and starts and ends with a user message', async () => {
    const broken: ChatMessage = {
      role: 'assistant',
      content: ' \n',
      tool_calls: [{ id: 'call:1', type: 'function', function: { name: 'read_file', arguments: '{"path": "a.t' } }],
      origin: 'other',
    };
    const {
      messages: [begun, first, second, third, last],
    } = await bodyFor([
      broken,
      { role: 'tool', tool_call_id: 'call:1', content: 'no', origin: 'other' },
      { role: 'assistant', content: 'Done.' },
    ]);
    assert.deepEqual([begun.role, last.role, third.content], ['user', 'user', [{ type: 'text', text: 'Done.' }]]);
    assert.deepEqual(
      first.content.map(({ type, input }: any) => [type, input]),
      [['tool_use', { malformed_json: '{"path": "a.t' }]],
    );
    assert.match(first.content[0].id, /^\w{9}$/);
    assert.equal(second.content[0].tool_use_id, first.content[0].id);
  });

  it('keeps escaped characters in the input of a call, and replaces half ones', async () => {
    const path = '\\ud83d\\ude00 \\uD83D\\uDE00 \\ud83d \\uDE00 \\\\ud83d \\\\\\ud83d';
    const {
      messages: [, call],
    } = await bodyFor([
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read_file', arguments: `{"path":"${path}"}` } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'no' },
    ]);
    assert.deepEqual(call.content[0].input, { path: '😀 😀 \ufffd \ufffd \\ud83d \\\ufffd' });
  });

  it('returns thinking in its original position, only to the model that produced it', async () => {
    const details = [
      { type: 'thinking', thinking: 'One.', signature: 's1' },
      { type: 'place', of: 'text', length: 3 },
      { type: 'redacted_thinking', data: 'r' },
      { type: 'place', of: 'tool_use' },
      { type: 'thinking', thinking: '', signature: 's2' },
    ];
    const thoughtful: ChatMessage = {
      ...calls('call_1', 'call_2'),
      reasoning: { text: 'One.', details, detailsField: 'content' },
    } as ChatMessage;
    const kinds = async (options: Options): Promise<unknown> => {
      const { messages } = await bodyFor([said('Go.'), thoughtful, result('call_1'), result('call_2')], options);
      return messages[1].content.map((block: any) => block.signature ?? block.data ?? block.text ?? block.id);
    };
    assert.deepEqual(await kinds({}), ['s1', 'I l', 'r', 'call_1', 's2', 'ook.', 'call_2']);
    assert.deepEqual(await kinds({ name: 'claude-opus-4-7' }), ['I look.', 'call_1', 'call_2']);
  });

  it('requests thinking in the model’s format, and only if the user asked for it or the model always thinks', async () => {
    const thinkingOf = async (name: string, more: Options = {}): Promise<unknown> => {
      const {
        thinking,
        output_config: output,
        temperature,
        max_tokens: limit,
      } = await bodyFor([said('Go.')], { name, ...more });
      return JSON.parse(JSON.stringify({ thinking, output, temperature, limit }));
    };
    const wish = (reasoningEffort: string, more: Options = {}): Options => ({
      reasoningEffort,
      temperature: 0.5,
      ...more,
    });
    const shown = { type: 'adaptive', display: 'summarized' };
    const bound = { ...shown, block_binding: { prefix_mismatch_behavior: 'drop_block' } };
    assert.deepEqual(await thinkingOf('claude-opus-4-6', { temperature: 1.5 }), { temperature: 1, limit: 32_000 });
    assert.deepEqual(await thinkingOf('claude-opus-4-6', wish('high')), {
      thinking: shown,
      output: { effort: 'high' },
      limit: 32_000,
    });
    assert.deepEqual(await thinkingOf('claude-opus-4-6', wish('none')), { temperature: 0.5, limit: 32_000 });
    assert.deepEqual(await thinkingOf('claude-sonnet-4-5-20250929', wish('low')), {
      thinking: { type: 'enabled', budget_tokens: 4_096 },
      limit: 32_000,
    });
    assert.deepEqual(await thinkingOf('claude-sonnet-4-5', wish('high', { maxOutputTokens: 5_000 })), {
      thinking: { type: 'enabled', budget_tokens: 3_976 },
      limit: 5_000,
    });
    assert.deepEqual(await thinkingOf('claude-sonnet-4-5', wish('high', { maxOutputTokens: 500 })), {
      temperature: 0.5,
      limit: 500,
    });
    assert.deepEqual(await thinkingOf('claude-opus-4-7', { temperature: 0.5 }), { limit: 32_000 });
    assert.deepEqual(await thinkingOf('claude-opus-5'), { thinking: shown, limit: 32_000 });
    assert.deepEqual(await thinkingOf('claude-opus-5', wish('none')), {
      thinking: { type: 'disabled' },
      limit: 32_000,
    });
    assert.deepEqual(await thinkingOf('claude-opus-5-5', wish('minimal')), {
      thinking: bound,
      output: { effort: 'low' },
      limit: 32_000,
    });
    assert.deepEqual(await thinkingOf('claude-3-haiku-20240307', wish('high')), { temperature: 0.5, limit: 4_096 });
  });

  it('does not enable budget thinking between another model’s call and its result', async () => {
    const options = { name: 'claude-sonnet-4-5', reasoningEffort: 'high' };
    assert.equal((await bodyFor([said('Go.'), calls('call_1'), result('call_1')], options)).thinking, undefined);
    assert.equal(
      (
        await bodyFor(
          [said('Go.'), calls('call_1'), result('call_1'), { role: 'assistant', content: 'Done.' }, said('On.')],
          options,
        )
      ).thinking.type,
      'enabled',
    );
  });

  it('declares former tools without allowing calls', async () => {
    let body: Record<string, any> = {};
    await withClaude([message('x')], async (model, server) => {
      await ask(model, { messages: [said('Go.'), calls('call_1'), result('call_1')], formerTools: [readFile] });
      body = bodies(server)[0]!;
    });
    assert.deepEqual([body.tools.length, body.tool_choice], [1, { type: 'none' }]);
  });

  it('begins byte for byte with the previous request, up to the moving cache marks', async () => {
    const messages: ChatMessage[] = [system, said('Go.')];
    const steps = 8;
    await withClaude(
      Array.from({ length: steps }, () => message('x')),
      async (model, server) => {
        for (let step = 0; step < steps; step++) {
          await ask(model, { messages, tools: [readFile] });
          messages.push(calls(`call_${step}a`, `call_${step}b`), result(`call_${step}a`), result(`call_${step}b`));
          if (step % 3 === 2) messages.push(said(`More ${step}.`));
        }
        const mark = ',"cache_control":{"type":"ephemeral"}';
        const texts = server.requests.map(({ text }) => text);
        for (const [index, text] of texts.slice(1).entries()) {
          const before = texts[index]!;
          // The cached part of a request ends with the last cache mark in its messages.
          const cached = before.slice(0, before.lastIndexOf(mark, before.indexOf('],"model"')));
          const marksBefore = cached.split(mark).length - 1;
          assert.ok(cached.length > 50 && marksBefore <= 1);
          assert.ok(text.replaceAll(mark, '').startsWith(cached.replaceAll(mark, '')), `request ${index + 2}`);
          assert.ok(
            text.startsWith(cached.slice(0, cached.indexOf(mark) < 0 ? undefined : cached.indexOf(mark))),
            `request ${index + 2}, as it is`,
          );
          // The end of the previous request is marked again, so that its cache entry is found.
          const end = before.slice(0, before.indexOf('],"model"')).replaceAll(mark, '').length - ']}'.length;
          const marked = text
            .split(mark)
            .slice(0, -1)
            .map((_, at, parts) => parts.slice(0, at + 1).join('').length + 1);
          assert.ok(marked.includes(end), `request ${index + 2}: ${marked.join()} lack ${end}`);
        }
      },
    );
  });
});

describe('a Messages API reply', () => {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: '{"path": "ä.txt"}' };

  it('is assembled from its events with thinking and usage', () =>
    withClaude(
      [
        message(
          [
            { type: 'thinking', thinking: 'Let me see.', signature: 'abcdefgh' },
            { type: 'text', text: 'I look.' },
            { type: 'redacted_thinking', data: 'zzz' },
            call,
            { type: 'tool_use', id: 'toolu_2', name: 'list_files', input: '' },
          ],
          { stop: 'tool_use' },
        ),
      ],
      async (model) => {
        const { reply: got, deltas } = await ask(model);
        assert.deepEqual(
          [got.text, got.finishReason, got.model, got.origin],
          ['I look.', 'tool_calls', 'claude-test', origin],
        );
        assert.deepEqual(got.reasoning, {
          text: 'Let me see.',
          detailsField: 'content',
          details: [
            { type: 'thinking', thinking: 'Let me see.', signature: 'abcdefgh' },
            { type: 'place', of: 'text', length: 7 },
            { type: 'redacted_thinking', data: 'zzz' },
          ],
        });
        assert.deepEqual(
          got.toolCalls.map(({ id, function: { name, arguments: text } }) => [id, name, text]),
          [
            ['toolu_1', 'read_file', '{"path": "ä.txt"}'],
            ['toolu_2', 'list_files', '{}'],
          ],
        );
        assert.deepEqual([got.usage.inputTokens, got.usage.cachedTokens, got.usage.outputTokens], [327, 300, 11]);
        const streamed = (kind: string): string =>
          deltas.map((delta) => (delta.kind === kind && 'text' in delta ? delta.text : '')).join('');
        assert.deepEqual([streamed('text'), streamed('reasoning')], ['I look.', 'Let me see.']);
        const pieces = deltas.filter((delta) => delta.kind === 'tool');
        const { piece, call, ...last } = pieces.at(-1)!;
        assert.deepEqual(last, { kind: 'tool', tool: 'read_file', bytes: 17 });
        const ofCall = pieces.filter((delta) => delta.call === call).map((delta) => delta.piece);
        assert.equal(ofCall.join(''), '{"path": "ä.txt"}');
        assert.ok('{"path": "ä.txt"}'.endsWith(piece!));
      },
    ));

  it('costs a quarter more for input that was written to the cache', () =>
    withClaude(
      [message('x')],
      async (model) => {
        const { reply: got } = await ask(model);
        assert.equal(got.usage.cost, (7 * 4 + 20 * 5 + 300 * 0.5 + got.usage.outputTokens! * 16) / 1_000_000);
      },
      { prices: { 'claude-opus-4-6': { input: 4, cached: 0.5, output: 16 } } },
    ));

  it('may come complete from a server that does not stream', () =>
    withClaude(
      [
        {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            type: 'message',
            model: 'm',
            content: [
              { type: 'text', text: 'yes' },
              { ...call, input: { path: 'a' } },
            ],
            stop_reason: 'tool_use',
            usage: { input_tokens: 3, output_tokens: 2 },
          }),
        },
      ],
      async (model) => {
        const { reply: got } = await ask(model);
        assert.deepEqual(
          [got.text, got.toolCalls[0]?.function.arguments, got.usage.inputTokens, got.usage.cachedTokens],
          ['yes', '{"path":"a"}', 3, null],
        );
      },
    ));

  for (const [stop, reason] of [
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['refusal', 'refusal'],
    ['new_word', 'new_word'],
  ] as const) {
    it(`that ends with ${stop} ends with ${reason}`, () =>
      withClaude([message([call], { stop })], async (model) => {
        const { reply: got } = await ask(model);
        assert.deepEqual([got.finishReason, got.toolCalls.length], [reason, stop === 'refusal' ? 0 : 1]);
      }));
  }

  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  const events = messageEventsOf([{ type: 'text', text: 'half' }]);
  for (const [what, answer, kind] of [
    ['without a word why it stopped', message('half', { stop: null }), 'cut'],
    ['broken off', messageStream(events.slice(0, 4)), 'cut'],
    ['with an error inside', messageStream([...events.slice(0, 4), overloaded]), 'server'],
    ['too long for the window', message('half', { stop: 'model_context_window_exceeded' }), 'context_overflow'],
  ] as const) {
    it(`${what} is a problem: ${kind}`, () =>
      withClaude([answer], async (model) => assert.equal((await problemFrom(ask(model))).kind, kind)));
  }

  it('is complete if only the very last event is missing', () =>
    withClaude([message('whole', { stopped: false })], async (model) =>
      assert.equal((await ask(model)).reply.text, 'whole'),
    ));
});

describe('a Messages API error', () => {
  for (const [status, type, words, kind] of [
    [400, 'invalid_request_error', 'prompt is too long: 213462 tokens > 200000 maximum', 'context_overflow'],
    [413, 'request_too_large', 'Request exceeds the maximum size', 'context_overflow'],
    [401, 'authentication_error', 'invalid x-api-key', 'authentication'],
    [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.', 'quota'],
    [404, 'not_found_error', 'model: claude-nine', 'not_found'],
    [429, 'rate_limit_error', 'Too many tokens', 'rate_limit'],
    [529, 'overloaded_error', 'Overloaded', 'server'],
  ] as const) {
    it(`${status} ${type} is ${kind}`, () =>
      withClaude([messageFailure(status, type, words)], async (model) => {
        const problem = await problemFrom(ask(model));
        assert.equal(problem.kind, kind);
        assert.match(problem.message, /Request req_7/);
      }));
  }

  const refusal = (words: string): Answering => messageFailure(400, 'invalid_request_error', words);
  const thoughtful: ChatMessage = {
    ...calls('call_1'),
    origin: 'anthropic claude-next-6',
    reasoning: { text: '', details: [{ type: 'thinking', thinking: '', signature: 's' }], detailsField: 'content' },
  } as ChatMessage;
  const later: ChatMessage[] = [said('Go.'), thoughtful, result('call_1')];

  it('about thinking of another chat asks the server to drop it, and omits thinking if that is refused', () => {
    const bound =
      'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block". That setting requires the `thinking-binding-controls-2026-08-01` value in the `anthropic-beta` header.';
    return withClaude(
      [
        refusal(bound),
        message('one'),
        refusal('thinking.adaptive.block_binding: Extra inputs are not permitted'),
        message('two'),
      ],
      async (model, server) => {
        await ask(model, { messages: later, tools: [readFile] });
        await ask(model, { messages: later, tools: [readFile] });
        const facts = server.requests.map(({ body, headers }) => [
          headers['anthropic-beta'],
          Boolean((body.thinking as any).block_binding),
          JSON.stringify(body).includes('"signature":"s"'),
        ]);
        const beta = 'mine-1,thinking-binding-controls-2026-08-01';
        assert.deepEqual(facts, [
          ['mine-1', false, true],
          [beta, true, true],
          [beta, true, true],
          ['mine-1', false, false],
        ]);
      },
      { name: 'claude-next-6', headers: { 'anthropic-beta': 'mine-1' } },
    );
  });

  it('about altered thinking omits thinking on the next try', () =>
    withClaude(
      [
        refusal(
          'messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
        ),
        message('x'),
      ],
      async (model, server) => {
        await ask(model, { messages: later, tools: [readFile] });
        assert.deepEqual(
          bodies(server).map((body) => [JSON.stringify(body).includes('"signature"'), body.thinking !== undefined]),
          [
            [true, true],
            [false, true],
          ],
        );
      },
      { name: 'claude-next-6' },
    ));

  it('about the token limit, thinking or cache marks retries without them', () =>
    withClaude(
      [
        refusal('max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for kimi'),
        refusal('thinking: adaptive thinking is not supported on this model'),
        refusal('system.0.cache_control: Extra inputs are not permitted'),
        message('x'),
      ],
      async (model, server) => {
        await ask(model, { messages: [system, ...question] });
        const facts = bodies(server).map((body) => [
          body.max_tokens,
          body.thinking !== undefined,
          JSON.stringify(body).includes('cache_control'),
        ]);
        assert.deepEqual(facts, [
          [32_000, true, true],
          [4_096, true, true],
          [4_096, false, true],
          [4_096, false, false],
        ]);
      },
      { name: 'claude-next-6' },
    ));

  it('about a missing route switches to chat completions for later requests', () =>
    withClaude([failure(404, 'Not Found'), reply('one'), reply('two')], async (model, server) => {
      assert.deepEqual([(await ask(model)).reply.text, (await ask(model)).reply.text], ['one', 'two']);
      assert.deepEqual(
        server.requests.map(({ path }) => path),
        ['/v1/messages', '/v1/chat/completions', '/v1/chat/completions'],
      );
    }));

  it('about a missing model is not retried', () =>
    withClaude([messageFailure(404, 'not_found_error', 'model: claude-nine')], async (model, server) => {
      assert.equal((await problemFrom(ask(model))).kind, 'not_found');
      assert.equal(server.requests.length, 1);
    }));
});

describe('another server with the Messages API', () => {
  it('is called through it if the user chose it, with the key in both headers', async () => {
    const server = await startModelServer([message('x')]);
    try {
      const model = await modelFor({
        provider: 'compatible',
        protocol: 'messages',
        baseUrl: `${server.baseUrl}/messages`,
        name: 'kimi-k3',
        apiKey: 'sk-12345678',
      });
      assert.equal((await ask(model)).reply.text, 'x');
      const [{ path, headers }] = server.requests as [ModelServer['requests'][0]];
      assert.deepEqual(
        [path, headers['x-api-key'], headers.authorization, headers['anthropic-version']],
        ['/v1/messages', 'sk-12345678', 'Bearer sk-12345678', '2023-06-01'],
      );
    } finally {
      await server.stop();
    }
  });
});
