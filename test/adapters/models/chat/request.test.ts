import assert from 'node:assert/strict';
import { chatModel } from '../../../../src/adapters/models/chat/chatModel';
import type { ChatMessage } from '../../../../src/core/ports/model';
import { ask, problemFrom, question, withServer } from '../../../support/ask';
import {
  failure,
  reply,
  startModelServer,
  toolCall,
  toolCalls,
  type Answer,
  type RecordedRequest,
} from '../../../support/modelServer';

const thought: ChatMessage[] = [
  ...question,
  {
    role: 'assistant',
    content: '',
    reasoning: { text: 'hm', field: 'reasoning_content', details: [{ type: 'reasoning.encrypted', data: 'A' }] },
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{ "p": 1 }' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'a.ts' },
];
const tools = [{ name: 'ls', description: 'List.', parameters: { type: 'object', properties: {} } }];

const takesReasoning = { takes: ['reasoning', 'reasoning_content', 'reasoning_details'] };

describe('a request to an OpenAI-compatible server', () => {
  it('asks for a stream with usage and contains the tools and the chat', () =>
    withServer([reply('x')], async (model, server) => {
      await ask(model, { messages: thought, tools });
      const { body, path, method } = server.requests[0]!;
      assert.deepEqual(
        [method, path, body.model, body.stream, body.stream_options],
        ['POST', '/v1/chat/completions', 'test-model', true, { include_usage: true }],
      );
      assert.deepEqual(body.tools, [{ type: 'function', function: tools[0] }]);
      assert.deepEqual(
        body.messages.map(({ role }) => role as string),
        ['system', 'user', 'assistant', 'tool'],
      );
      assert.equal(
        body.messages[2]!.tool_calls[0].function.arguments,
        '{ "p": 1 }',
        'the arguments go back byte for byte',
      );
    }));

  it('contains no lone surrogate, neither in messages nor in tools: strict servers refuse the whole request', () =>
    withServer([reply('x')], async (model, server) => {
      const broken = [{ ...tools[0]!, description: 'List \ud83d files \\ud83d.' }];
      await ask(model, { messages: [{ role: 'user', content: 'cut \ud83d' }], tools: broken });
      const { text, body } = server.requests[0]!;
      assert.doesNotMatch(text.replaceAll('\\\\', ''), /\\ud83d/);
      assert.equal(body.messages[0]!.content, 'cut \ufffd');
      assert.deepEqual(body.tools?.[0], {
        type: 'function',
        function: { ...tools[0], description: 'List \ufffd files \\ud83d.' },
      });
    }));

  it('contains no lone surrogate within the arguments of a call, which some servers parse, and keeps whole characters', () =>
    withServer([reply('x')], async (model, server) => {
      const call = (args: string): ChatMessage[] => [
        { role: 'user', content: 'List.' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: args } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'a.ts' },
      ];
      await ask(model, { messages: call('{"p":"\\ud83d\\ude00 \\uD83D \\\\ud83d"}'), tools });
      assert.equal(
        server.requests[0]!.body.messages[1]!.tool_calls[0].function.arguments,
        '{"p":"\\ud83d\\ude00 \ufffd \\\\ud83d"}',
      );
    }));

  it('lists no tools if there are none', () =>
    withServer([reply('x')], async (model, server) => {
      await ask(model);
      assert.equal('tools' in server.requests[0]!.body, false);
    }));

  it('sends the key in one header and nothing about the machine', () =>
    withServer(
      [reply('x')],
      async (model, server) => {
        await ask(model);
        const { headers, text } = server.requests[0]!;
        assert.deepEqual(Object.keys(headers).sort(), [
          'accept',
          'authorization',
          'connection',
          'content-length',
          'content-type',
          'host',
          'user-agent',
        ]);
        assert.deepEqual([headers.authorization, headers['user-agent']], ['Bearer sk-test-123456', 'waymark']);
        assert.ok(!text.includes('sk-test'));
      },
      { apiKey: 'sk-test-123456' },
    ));

  it('has no authorization without a key, whatever the environment contains', async () => {
    process.env.OPENAI_API_KEY = 'sk-from-environment';
    process.env.OPENAI_BASE_URL = 'http://127.0.0.1:1/v1';
    try {
      await withServer([reply('x')], async (model, server) => {
        await ask(model);
        assert.equal(server.requests[0]!.headers.authorization, undefined);
      });
    } finally {
      delete process.env.OPENAI_API_KEY;
      delete process.env.OPENAI_BASE_URL;
    }
  });

  it('contains exactly the current chat while it grows, changes, shrinks and grows again', async () => {
    const chat: ChatMessage[] = [
      { role: 'system', content: 'Answer in «Ä» and 🙂.' },
      { role: 'user', content: ' ' },
    ];
    const slot = { role: 'tool' as const, tool_call_id: 'c1', content: 'not yet' };
    const call: ChatMessage = {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
    };
    const long: ChatMessage = { role: 'user', content: 'ß"\n'.repeat(30_000) };
    const moments: (() => ChatMessage[])[] = [
      () => chat,
      () => [...chat, call, slot],
      () => {
        slot.content = 'a.ts 🙂';
        return [...chat, call, slot, long];
      },
      () => [...chat, call, slot, long, call, slot],
      () => chat.slice(0, 1),
      () => [],
      () => [chat[0]!, long],
    ];
    await withServer(
      moments.map(() => reply('x')),
      async (model, server) => {
        for (const [index, moment] of moments.entries()) {
          const messages = structuredClone(moment());
          await ask(model, { messages: moment() });
          assert.deepEqual(server.requests[index]!.body.messages, messages);
        }
      },
      {},
      { strict: false },
    );
  });

  it('is independent of others in flight', async () => {
    const server = await startModelServer(() => ({ ...reply('x'), delayMs: 50 }));
    try {
      const model = chatModel({ baseUrl: server.baseUrl, name: 'test-model' });
      const chats = ['one', 'two', 'three'].map((content) => [question[0]!, { role: 'user' as const, content }]);
      await Promise.all(chats.map((messages) => ask(model, { messages })));
      assert.deepEqual(server.requests.map(({ body }) => body.messages.at(-1)!.content as string).sort(), [
        'one',
        'three',
        'two',
      ]);
    } finally {
      await server.stop();
    }
  });

  it('includes the fields that the user adds to every request', () =>
    withServer(
      [reply('x')],
      async (model, server) => {
        await ask(model);
        assert.deepEqual(
          [server.requests[0]!.body.temperature, server.requests[0]!.body.reasoning],
          [0, { effort: 'high' }],
        );
      },
      { extraBody: { temperature: 0, reasoning: { effort: 'high' } } },
      { takes: ['reasoning'] },
    ));

  it('returns reasoning in the field it came in', () =>
    withServer(
      [reply('x'), reply('x')],
      async (model, server) => {
        await ask(model, { messages: thought });
        const {
          reasoning_content: content,
          reasoning_details: details,
          reasoning,
        } = server.requests[0]!.body.messages[2]!;
        assert.deepEqual(
          [content, details, reasoning],
          ['hm', [{ type: 'reasoning.encrypted', data: 'A' }], undefined],
        );
        await ask(model, {
          messages: thought.map((message) =>
            message.role === 'assistant'
              ? { ...message, reasoning: { text: 'hm', field: 'reasoning' as const } }
              : message,
          ),
        });
        assert.deepEqual(
          [
            server.requests[1]!.body.messages[2]!.reasoning,
            'reasoning_content' in server.requests[1]!.body.messages[2]!,
          ],
          ['hm', false],
        );
      },
      {},
      takesReasoning,
    ));

  it('does not send reasoning that has no field', () =>
    withServer([reply('x')], async (model, server) => {
      await ask(model, {
        messages: thought.map((message) =>
          message.role === 'assistant' ? { ...message, reasoning: { text: 'private words' } } : message,
        ),
      });
      assert.ok(!server.requests[0]!.text.includes('private words'));
    }));

  it('returns a reply in the form that a strict provider accepts', () =>
    withServer([toolCall('ls', { p: 1 }, { reasoning: 'hm' }), reply('done')], async (model, server) => {
      const { reply: first } = await ask(model, { tools });
      const { reply: second } = await ask(model, {
        tools,
        messages: [
          ...question,
          { role: 'assistant', content: first.text, reasoning: first.reasoning!, tool_calls: [...first.toolCalls] },
          { role: 'tool', tool_call_id: first.toolCalls[0]!.id, content: 'a' },
        ],
      });
      assert.equal(second.text, 'done');
      assert.equal(server.requests[1]!.body.messages[2]!.content, null);
    }));

  it('contains the current text of a message object that changed', () =>
    withServer(
      [reply('x'), reply('x')],
      async (model, server) => {
        const messages = structuredClone(thought);
        await ask(model, { messages });
        messages[3]!.content = 'the real answer';
        await ask(model, { messages });
        assert.deepEqual(
          server.requests.map(({ body }) => body.messages[3]!.content as string),
          ['a.ts', 'the real answer'],
        );
        assert.deepEqual(server.requests[1]!.body.messages.slice(0, 3), server.requests[0]!.body.messages.slice(0, 3));
      },
      {},
      takesReasoning,
    ));

  it('is retried without stream_options if a server refuses them, also later', () => {
    const picky = ({ body }: RecordedRequest): Answer =>
      body.stream_options
        ? failure(400, 'Unrecognized request argument supplied: stream_options')
        : reply('x', { usage: null });
    return withServer([picky, picky, picky], async (model, server) => {
      assert.equal((await ask(model)).reply.text, 'x');
      assert.equal((await ask(model)).reply.text, 'x');
      assert.deepEqual(
        server.requests.map(({ body }) => 'stream_options' in body),
        [true, false, false],
      );
    });
  });

  it('is retried without reasoning if a server refuses it', () => {
    const picky = ({ text }: RecordedRequest): Answer =>
      text.includes('reasoning_content')
        ? failure(422, 'body.messages.2.reasoning_content: Extra inputs are not permitted')
        : reply('x');
    return withServer(
      [picky, picky],
      async (model, server) => {
        assert.equal((await ask(model, { messages: thought })).reply.text, 'x');
        assert.equal(server.requests.length, 2);
      },
      {},
      takesReasoning,
    );
  });

  it('is not retried with less reasoning if a server misses some', () =>
    withServer(
      [failure(400, 'The reasoning_content in the thinking mode must be passed back to the API.')],
      async (model, server) => {
        assert.equal((await problemFrom(ask(model, { messages: thought }))).kind, 'invalid_request');
        assert.equal(server.requests.length, 1);
      },
      {},
      takesReasoning,
    ));

  it('is not retried if the error is about something else', () =>
    withServer([failure(400, 'nope')], async (model, server) => {
      assert.equal((await problemFrom(ask(model))).kind, 'invalid_request');
      assert.equal(server.requests.length, 1);
    }));

  it('replaces a call id that the conversation already uses', () =>
    withServer([toolCalls([{ tool: 'ls', input: {}, id: 'c1' }])], async (model) => {
      const { reply: got } = await ask(model, { messages: thought });
      assert.notEqual(got.toolCalls[0]!.id, 'c1');
    }));

  it('replaces a call id that the conversation already uses in a reply with many calls', () => {
    const ids = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'c1', 'n6'];
    return withServer([toolCalls(ids.map((id) => ({ tool: 'ls', input: {}, id })))], async (model) => {
      const { reply: got } = await ask(model, { messages: thought });
      assert.deepEqual(
        got.toolCalls.map(({ id }) => ids.includes(id)),
        ids.map((id) => id !== 'c1'),
      );
    });
  });

  it('reuses one connection for consecutive requests', () =>
    withServer(
      Array.from({ length: 6 }, () => reply('x')),
      async (model, server) => {
        for (let round = 0; round < 6; round++) {
          await ask(model);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        assert.equal(new Set(server.requests.map(({ connection }) => connection)).size, 1);
      },
    ));

  it('uses a new connection if the server closed the idle one', async () => {
    const server = await startModelServer([reply('one')]);
    const model = chatModel({ baseUrl: server.baseUrl, name: 'test-model' });
    await ask(model);
    await server.stop();
    const again = await startModelServer([reply('two')], { port: server.port });
    try {
      assert.equal((await ask(model)).reply.text, 'two');
    } finally {
      await again.stop();
    }
  });

  it('finds the server however its base URL is written', async () => {
    const server = await startModelServer(() => reply('x'));
    const root = server.baseUrl.replace('/v1', '');
    try {
      for (const [baseUrl, path] of [
        [`${root}/v1/`, '/v1/chat/completions'],
        [`  ${root}/v1/chat/completions `, '/v1/chat/completions'],
        [`${root}/api/openai/v1?api-version=2`, '/api/openai/v1/chat/completions?api-version=2'],
        [root, '/chat/completions'],
      ] as const) {
        await ask(chatModel({ baseUrl, name: 'test-model' }));
        assert.equal(server.requests.at(-1)!.path, path);
      }
    } finally {
      await server.stop();
    }
  });

  it('is not made with an invalid base URL', () => {
    for (const baseUrl of ['', 'localhost:11434/v1', 'file:///v1', 'not a url']) {
      assert.throws(
        () => chatModel({ baseUrl, name: 'x' }),
        (error) => (error as { kind?: string }).kind === 'invalid_request',
        baseUrl,
      );
    }
  });

  it('names where the model runs', async () => {
    const { info } = chatModel({ baseUrl: 'http://127.0.0.1:11434/v1', name: 'qwen', contextWindow: 32_000 });
    assert.deepEqual(info, { name: 'qwen', provider: 'Ollama (127.0.0.1:11434)', contextWindow: 32_000 });
    const unknown = chatModel({ baseUrl: 'https://models.example/v1', name: 'qwen' });
    assert.equal(unknown.info.provider, 'openai-compatible at models.example');
  });
});
