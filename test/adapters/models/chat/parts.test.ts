import assert from 'node:assert/strict';
import type { EndpointOptions } from '../../../../src/adapters/models/endpoint/endpoint';
import { providerAt, rulesFor } from '../../../../src/core/model/providers/rulesFor';
import type { ChatMessage } from '../../../../src/core/ports/model';
import { ask, problemFrom, question, withServer } from '../../../support/ask';
import {
  failure,
  reply,
  stream,
  type Answer,
  type ModelServer,
  type RecordedRequest,
} from '../../../support/modelServer';

const picture = { mediaType: 'image/png', data: 'iVBORw0KGgo=' };
const seen: ChatMessage[] = [question[0]!, { role: 'user', content: 'What is this?', images: [picture] }];
const call = (id: string): ChatMessage => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name: 'ls', arguments: '{}' } }],
});
const answerTo = (id: string, content = 'a.ts'): ChatMessage => ({ role: 'tool', tool_call_id: id, content });
const messagesOf = (server: ModelServer, index = 0): Record<string, any>[] => server.requests[index]!.body.messages;
const ephemeral = { type: 'ephemeral' };
/** Returns the messages of a request that are marked for the cache, each with the position of its mark. */
const marks = (server: ModelServer, index = 0): string[] =>
  messagesOf(server, index).flatMap((message, at) => [
    ...(message.cache_control ? [`${at} message`] : []),
    ...(Array.isArray(message.content)
      ? message.content.filter((part: { cache_control?: unknown }) => part.cache_control).map(() => `${at} part`)
      : []),
  ]);
const once =
  (refusedIf: (request: RecordedRequest) => boolean, words: string, status = 400) =>
  (request: RecordedRequest): Answer =>
    refusedIf(request) ? failure(status, words) : reply('fine');

describe('pictures in a request', () => {
  it('are parts with data URLs before the text', () =>
    withServer([reply('a dot')], async (model, server) => {
      await ask(model, { messages: seen });
      assert.deepEqual(messagesOf(server)[1], {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
          { type: 'text', text: 'What is this?' },
        ],
      });
    }));

  it('are replaced by a note, and the user is told, if a server accepts none', () => {
    const picky = once(
      ({ text }) => text.includes('image_url'),
      'messages[1]: unknown variant `image_url`, expected `text`',
    );
    return withServer([picky, picky, picky], async (model, server) => {
      const notices: string[] = [];
      const request = { messages: seen, onNotice: (words: string) => notices.push(words) };
      assert.equal((await ask(model, request)).reply.text, 'fine');
      await ask(model, request);
      assert.equal(server.requests.length, 3, 'refused once');
      assert.equal(
        messagesOf(server, 2)[1]!.content,
        'What is this?\n\n[An image (image/png) was omitted: this model cannot read images.]',
      );
      assert.deepEqual(
        notices.map((words) => /does not support pictures/.test(words)),
        [true],
      );
    });
  });
});

/** A server that forwards to Claude. */
const marksTaken = { takes: ['cache_control'] };

describe('prompt cache marks', () => {
  const chat = [...question, call('c1'), answerTo('c1'), call('c2'), answerTo('c2')];

  it('are on the system prompt and the last three messages for Anthropic models', () =>
    withServer(
      [reply('x'), reply('x')],
      async (model, server) => {
        await ask(model, { messages: chat });
        assert.deepEqual(marks(server), ['0 part', '3 message', '4 message', '5 message']);
        assert.deepEqual(messagesOf(server)[0]!.content, [{ type: 'text', text: 'Answer.', cache_control: ephemeral }]);
        await ask(model);
        assert.deepEqual(marks(server, 1), ['0 part', '1 part'], 'the system prompt is not marked twice');
      },
      { name: 'anthropic/claude-sonnet-5' },
      marksTaken,
    ));

  it('move with the chat and leave earlier messages unchanged', () =>
    withServer(
      [reply('x'), reply('x'), reply('x')],
      async (model, server) => {
        await ask(model, { messages: chat.slice(0, 4) });
        await ask(model, { messages: chat });
        assert.deepEqual(marks(server, 1), ['0 part', '3 message', '4 message', '5 message']);
        await ask(model, { messages: [...chat, { role: 'user', content: 'Go on.' }] });
        assert.deepEqual(marks(server, 2), ['0 part', '4 message', '5 message', '6 part']);
        assert.deepEqual(messagesOf(server, 2)[1], question[1]);
        assert.deepEqual(messagesOf(server, 2)[3], answerTo('c1'));
      },
      { name: 'claude-opus-5' },
      marksTaken,
    ));

  for (const [promptCaching, name, expected] of [
    ['auto', 'gpt-5', 0],
    ['on', 'gpt-5', 4],
    ['off', 'claude-haiku-5.5', 0],
  ] as const) {
    it(`are ${expected} for ${name} with caching ${promptCaching}`, () =>
      withServer(
        [reply('x')],
        async (model, server) => {
          await ask(model, { messages: chat });
          assert.equal(marks(server).length, expected);
        },
        { name, promptCaching },
        marksTaken,
      ));
  }

  it('are left out if a server refuses them', () => {
    const picky = once(
      ({ text }) => text.includes('cache_control'),
      'messages.0.content.0.cache_control: Extra inputs are not permitted',
    );
    return withServer(
      [picky, picky, picky],
      async (model, server) => {
        await ask(model, { messages: chat });
        await ask(model, { messages: chat });
        assert.deepEqual(
          server.requests.map((_, index) => marks(server, index).length),
          [4, 0, 0],
        );
      },
      { name: 'claude-opus-5' },
      marksTaken,
    );
  });
});

describe('reasoning that is sent back', () => {
  const block = (fields: object): object => ({ choices: [{ index: 0, delta: fields, finish_reason: null }] });
  const end = { choices: [{ index: 0, delta: { content: 'yes' }, finish_reason: 'stop' }] };

  it('as thinking blocks comes first in the message, complete and signed', () =>
    withServer(
      [
        stream([
          block({
            reasoning_content: 'Let me ',
            thinking_blocks: [{ type: 'thinking', thinking: 'Let me ', signature: '' }],
          }),
          block({
            reasoning_content: 'see.',
            thinking_blocks: [{ type: 'thinking', thinking: 'see.', signature: null }],
          }),
          block({ thinking_blocks: [{ type: 'thinking', thinking: '', signature: 'sig-1' }] }),
          block({ thinking_blocks: [{ type: 'thinking', thinking: 'Again.', signature: '' }] }),
          block({ thinking_blocks: [{ type: 'thinking', thinking: '', signature: 'sig-2' }] }),
          block({ thinking_blocks: [{ type: 'redacted_thinking', data: 'AAA' }] }),
          end,
          '[DONE]',
        ]),
        reply('x'),
      ],
      async (model, server) => {
        const {
          reply: { reasoning },
        } = await ask(model);
        const blocks = [
          { type: 'thinking', thinking: 'Let me see.', signature: 'sig-1' },
          { type: 'thinking', thinking: 'Again.', signature: 'sig-2' },
          { type: 'redacted_thinking', data: 'AAA' },
        ];
        assert.deepEqual(reasoning, {
          text: 'Let me see.',
          field: 'reasoning_content',
          details: blocks,
          detailsField: 'thinking_blocks',
        });
        await ask(model, { messages: [...question, { ...call('c1'), reasoning } as ChatMessage, answerTo('c1')] });
        assert.deepEqual(Object.keys(messagesOf(server, 1)[2]!).slice(0, 2), ['role', 'thinking_blocks']);
        assert.deepEqual(messagesOf(server, 1)[2]!.thinking_blocks, blocks);
      },
    ));

  it('as content parts comes before the text', () =>
    withServer(
      [
        stream([
          block({ content: [{ type: 'thinking', thinking: 'Hm, ' }] }),
          block({ content: [{ type: 'thinking', thinking: 'so.', signature: 'sig' }] }),
          end,
          '[DONE]',
        ]),
        reply('x'),
      ],
      async (model, server) => {
        const {
          reply: { reasoning, text },
          deltas,
        } = await ask(model);
        assert.deepEqual(
          [reasoning, text],
          [
            {
              text: 'Hm, so.',
              details: [{ type: 'thinking', thinking: 'Hm, so.', signature: 'sig' }],
              detailsField: 'content',
            },
            'yes',
          ],
        );
        assert.equal(deltas.filter(({ kind }) => kind === 'reasoning').length, 2);
        await ask(model, {
          messages: [
            ...question,
            { role: 'assistant', content: text, reasoning: reasoning! },
            { role: 'user', content: 'And?' },
          ],
        });
        assert.deepEqual(messagesOf(server, 1)[2]!.content, [
          { type: 'thinking', thinking: 'Hm, so.', signature: 'sig' },
          { type: 'text', text: 'yes' },
        ]);
      },
    ));

  it('is a single blank in every message without any, once a server demands the field', () => {
    const bare = ({ body }: RecordedRequest): boolean =>
      body.messages.some((message) => message.role === 'assistant' && !message.reasoning_content);
    const demanding = once(
      bare,
      'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
    );
    return withServer(
      [demanding, demanding, demanding],
      async (model, server) => {
        const messages: ChatMessage[] = [
          ...question,
          call('c1'),
          answerTo('c1'),
          { ...call('c2'), reasoning: { text: 'hm', field: 'reasoning' } } as ChatMessage,
          answerTo('c2'),
        ];
        await ask(model, { messages });
        await ask(model, { messages });
        assert.deepEqual(
          server.requests.map((_, index) =>
            messagesOf(server, index).flatMap((one) =>
              one.role === 'assistant' ? [one.reasoning_content as unknown] : [],
            ),
          ),
          [
            [undefined, undefined],
            [' ', 'hm'],
            [' ', 'hm'],
          ],
        );
      },
      {},
      { takes: ['reasoning_content', 'reasoning'] },
    );
  });

  it('is required by DeepSeek and Kimi, not by others, and not accepted by OpenAI’s chat', () => {
    const known = (address: string): unknown[] => {
      const url = new URL(address);
      const { reasoning, reasoningRequired } = rulesFor(providerAt(url), 'some-model', url);
      return [reasoning, reasoningRequired];
    };
    for (const url of ['https://api.deepseek.com/v1', 'https://api.moonshot.ai/v1', 'https://api.kimi.com/coding/v1']) {
      assert.deepEqual(known(url), ['reasoning_content', true], url);
    }
    for (const url of ['https://openrouter.ai/api/v1', 'http://127.0.0.1:11434/v1', 'https://notdeepseek.com/v1']) {
      assert.deepEqual(known(url), ['as_received', false], url);
    }
    assert.deepEqual(known('https://api.openai.com/v1/chat/completions'), ['never', false]);
  });
});

describe('an output limit', () => {
  const limited: Partial<EndpointOptions> = { maxOutputTokens: 4_000 };

  it('is sent as max_tokens', () =>
    withServer(
      [reply('x')],
      async (model, server) => {
        await ask(model);
        assert.equal(server.requests[0]!.body.max_tokens, 4_000);
      },
      limited,
    ));

  it('uses the newer name if a server refuses the old one', () => {
    const picky = once(
      ({ body }) => 'max_tokens' in body,
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    );
    return withServer(
      [picky, picky, picky],
      async (model, server) => {
        await ask(model);
        await ask(model);
        assert.deepEqual(
          server.requests.map(({ body }) => body.max_completion_tokens as unknown),
          [undefined, 4_000, 4_000],
        );
      },
      limited,
    );
  });

  for (const words of [
    'max_tokens is too large: 4000. This model supports at most 2048 completion tokens.',
    'Invalid max_tokens value, the valid range of max_tokens is [1, 2048]',
  ]) {
    it(`is left to the server that says “${words.slice(0, 32)}…”`, () => {
      const picky = once(({ body }) => 'max_tokens' in body || 'max_completion_tokens' in body, words);
      return withServer(
        [picky, picky],
        async (model, server) => {
          assert.equal((await ask(model)).reply.text, 'fine');
          assert.equal(server.requests.length, 2);
        },
        limited,
      );
    });
  }

  it('does not hide that the conversation is too long', () =>
    withServer(
      [failure(400, 'input length and `max_tokens` exceed context limit: 199000 + 4000 > 200000')],
      async (model, server) => {
        assert.equal((await problemFrom(ask(model))).kind, 'context_overflow');
        assert.equal(server.requests.length, 1);
      },
      limited,
    ));
});

describe('several replies in one call', () => {
  const choice = (index: number, delta: object, finish: string | null = null): object => ({
    choices: [{ index, delta, finish_reason: finish }],
  });
  const called = (id: string, command: string): object => ({
    tool_calls: [{ index: 0, id, type: 'function', function: { name: 'run', arguments: JSON.stringify({ command }) } }],
  });

  it('are all returned; the first is the reply itself, and only that one streams', () =>
    withServer(
      [
        stream([
          choice(1, { content: 'two ' }),
          choice(0, { content: 'one' }),
          choice(1, called('c1', 'b')),
          choice(0, called('c1', 'a')),
          choice(2, { content: 'cut' }),
          choice(0, {}, 'tool_calls'),
          choice(1, {}, 'tool_calls'),
          { choices: [], usage: { prompt_tokens: 10, completion_tokens: 30 } },
          '[DONE]',
        ]),
      ],
      async (model, server) => {
        const { reply: got, deltas } = await ask(model, { n: 3 });
        assert.equal(server.requests[0]!.body.n, 3);
        assert.deepEqual(
          got.choices?.map(({ text, toolCalls }) => [text, toolCalls[0]?.function.arguments]),
          [
            ['one', '{"command":"a"}'],
            ['two ', '{"command":"b"}'],
          ],
          'the one that was cut is left out',
        );
        assert.deepEqual([got.text, got.usage.outputTokens, got.choices![0]!.usage.outputTokens], ['one', 30, null]);
        assert.notEqual(got.choices![0]!.toolCalls[0]!.id, got.choices![1]!.toolCalls[0]!.id);
        assert.equal(deltas.flatMap((delta) => (delta.kind === 'text' ? [delta.text] : [])).join(''), 'one');
      },
    ));

  it('become one if a server ignores the parameter', () =>
    withServer([reply('alone')], async (model) => {
      const { reply: got } = await ask(model, { n: 3 });
      assert.deepEqual([got.text, 'choices' in got], ['alone', false]);
    }));

  for (const words of [
    "'n' : number must be at most 1",
    'n must be 1 when using greedy sampling, got 3.',
    'Multiple candidates is not enabled for this model',
  ]) {
    it(`become one if a server says “${words}”, and are not requested from it again`, () => {
      const picky = once(({ body }) => 'n' in body, words);
      return withServer([picky, picky, picky], async (model, server) => {
        assert.equal((await ask(model, { n: 3 })).reply.text, 'fine');
        await ask(model, { n: 3 });
        assert.deepEqual(
          server.requests.map(({ body }) => body.n as unknown),
          [3, undefined, undefined],
        );
      });
    });
  }

  it('are not requested unless wanted', () =>
    withServer([reply('x')], async (model, server) => {
      await ask(model, { n: 1 });
      assert.equal('n' in server.requests[0]!.body, false);
    }));
});
