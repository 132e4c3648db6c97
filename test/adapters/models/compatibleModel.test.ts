import assert from 'node:assert/strict';
import fs from 'node:fs';
import { compatibleModel, type CompatibleModelOptions } from '../../../src/adapters/models/compatibleModel';
import { fitCallId } from '../../../src/adapters/models/requests/callIds';
import { lessonFile } from '../../../src/adapters/models/endpoint/learnedRules';
import { thinkTags, splitAtClosing } from '../../../src/adapters/models/chat/reasoningParts';
import type { ChatMessage } from '../../../src/core/ports/model';
import { providerNamed } from '../../../src/core/model/providers/rulesFor';
import { ask, problemFrom, question } from '../../support/ask';
import {
  failure,
  message,
  raw,
  reply,
  response,
  startModelServer,
  type Answering,
  type ModelServer,
} from '../../support/modelServer';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';

type Asked = Awaited<ReturnType<typeof compatibleModel>>;

async function withModel(
  answers: readonly Answering[],
  options: Partial<CompatibleModelOptions> & { readonly id?: string; readonly takes?: readonly string[] },
  use: (model: Asked, server: ModelServer) => Promise<void>,
): Promise<void> {
  const { id, takes = [], ...rest } = options;
  const server = await startModelServer(answers, { takes });
  const provider = id === undefined ? undefined : providerNamed(id);
  try {
    await use(await compatibleModel({ baseUrl: server.baseUrl, name: 'test-model', ...rest, provider }), server);
  } finally {
    await server.stop();
  }
}

const pathsOf = (server: ModelServer): string[] => server.requests.map(({ path }) => path);
const bodyOf = (server: ModelServer, index = 0) => server.requests[index]!.body;

describe('the protocol of a model', () => {
  it('is the one in the provider’s list', () =>
    withModel([response('x')], { id: 'openai', name: 'gpt-5' }, async (model, server) => {
      assert.equal((await ask(model)).reply.text, 'x');
      assert.deepEqual(pathsOf(server), ['/v1/responses']);
    }));

  it('switches for later requests if the server asks for the other one', async () => {
    const refusal = failure(
      400,
      "Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
    );
    await withModel([refusal, response('one'), response('two')], {}, async (model, server) => {
      assert.deepEqual([(await ask(model)).reply.text, (await ask(model)).reply.text], ['one', 'two']);
      assert.deepEqual(pathsOf(server), ['/v1/chat/completions', '/v1/responses', '/v1/responses']);
    });
  });

  it('supports tools with any effort over the Responses API, without a notice', async () => {
    await withModel(
      [response('one')],
      { id: 'openai', name: 'gpt-5.5', reasoningEffort: 'low' },
      async (model, server) => {
        const notices: string[] = [];
        const tools = [{ name: 'look', description: 'Look.', parameters: { type: 'object', properties: {} } }];
        await model.complete(
          { messages: [{ role: 'user', content: 'hi' }], tools, onNotice: (words) => notices.push(words) },
          AbortSignal.timeout(30_000),
        );
        assert.deepEqual([bodyOf(server)['reasoning'], notices], [{ effort: 'low' }, []]);
      },
    );
  });

  it('switches if chat completions do not offer the model', async () => {
    const refusal = failure(404, 'This model is only supported in v1/responses and not in v1/chat/completions.');
    await withModel([refusal, response('one')], {}, async (model, server) => {
      assert.equal((await ask(model)).reply.text, 'one');
      assert.deepEqual(pathsOf(server), ['/v1/chat/completions', '/v1/responses']);
    });
  });

  it('switches if the server does not have the route', () =>
    withModel([failure(404, 'Not Found'), reply('x')], { id: 'openai', name: 'gpt-5' }, async (model, server) => {
      assert.equal((await ask(model)).reply.text, 'x');
      assert.deepEqual(pathsOf(server), ['/v1/responses', '/v1/chat/completions']);
    }));

  it('does not switch if the user chose it', () =>
    withModel([failure(404, 'Not Found')], { protocol: 'responses' }, async (model, server) => {
      assert.equal((await problemFrom(ask(model))).kind, 'not_found');
      assert.equal(server.requests.length, 1);
    }));
});

/** Errors of a real llama.cpp server for the chat templates of Ministral 3, Llama 3.1 and Mistral Nemo. */
const templateErrors = {
  alternation:
    "\n------------\nWhile executing CallExpression at line 48, column 32 in source:\n...== 0) %}↵            {{- raise_exception('After the optional system message, con...\n                                           ^\nError: Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
  severalCalls:
    'Unable to generate parser for this template. Automatic parser generation failed: \n------------\nWhile executing CallExpression at line 71, column 32 in source:\n... == 1 %}↵            {{- raise_exception("This model only supports single tool-c...\n                                           ^\nError: Jinja Exception: This model only supports single tool-calls at once!',
  ids: 'Unable to generate parser for this template. Automatic parser generation failed: \n------------\nError: Jinja Exception: Tool call IDs should be alphanumeric strings with length 9!',
};

describe('a request that the chat template of a model refuses', () => {
  const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'look', arguments: '{}' } });
  const messages: ChatMessage[] = [
    { role: 'system', content: 'S' },
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: 'Two.', tool_calls: [call('one'), call('two'), call('three')] },
    { role: 'tool', tool_call_id: 'one', content: '1' },
    { role: 'tool', tool_call_id: 'two', content: '2' },
    { role: 'tool', tool_call_id: 'three', content: '3' },
    { role: 'user', content: 'Go on.' },
  ];
  const sent = (server: ModelServer, index: number): unknown[] =>
    (bodyOf(server, index)['messages'] as any[]).map(({ role, content, tool_calls: calls, tool_call_id: id }) => [
      role,
      content,
      ...(calls ? [calls.map((each: { id: string }) => each.id).join()] : []),
      ...(id ? [id] : []),
    ]);

  it('because it allows only one call per message is sent again with one call per message', () =>
    withModel([failure(400, templateErrors.severalCalls), reply('x'), reply('y')], {}, async (model, server) => {
      assert.equal((await ask(model, { messages })).reply.text, 'x');
      assert.equal((await ask(model, { messages })).reply.text, 'y');
      for (const index of [1, 2])
        assert.deepEqual(sent(server, index).slice(2, 8), [
          ['assistant', 'Two.', 'one'],
          ['tool', '1', 'one'],
          ['assistant', null, 'two'],
          ['tool', '2', 'two'],
          ['assistant', null, 'three'],
          ['tool', '3', 'three'],
        ]);
    }));

  for (const status of [400, 500]) {
    it(`with ${status}, because a message of the user follows a result, is sent again with a message in between`, () =>
      withModel([failure(status, templateErrors.alternation), reply('x')], {}, async (model, server) => {
        assert.equal((await ask(model, { messages })).reply.text, 'x');
        assert.deepEqual(sent(server, 1).slice(-3), [
          ['tool', '3', 'three'],
          ['assistant', 'Results received.'],
          ['user', 'Go on.'],
        ]);
      }));
  }

  it('because of the length of ids is sent again with short ids', () =>
    withModel([failure(400, templateErrors.ids), reply('x')], {}, async (model, server) => {
      await ask(model, { messages });
      assert.match((sent(server, 1)[3] as string[])[2]!, /^[A-Za-z0-9]{9}$/);
    }));

  it('for another reason is not sent again, and the error names the template’s reason', () =>
    withModel(
      [failure(500, '\n------------\nWhile executing CallExpression\nError: Jinja Exception: Only two roles!')],
      {},
      async (model, server) => {
        const problem = await problemFrom(ask(model, { messages }));
        assert.deepEqual([problem.kind, server.requests.length], ['invalid_request', 1]);
        assert.match(problem.why, /answered 500: Jinja Exception: Only two roles!$/);
      },
    ));
});

describe('what Waymark learns about a server', () => {
  it('is reused in the next session and checked again after a month', async () => {
    const folder = temporaryWorkspace();
    const file = folder.at('servers.json');
    const refusal = failure(400, 'stream_options is not supported');
    let now = Date.parse('2026-11-22');
    const session = async (server: ModelServer): Promise<void> => {
      const model = await compatibleModel({
        baseUrl: server.baseUrl,
        name: 'test-model',
        memory: lessonFile(file, () => now),
      });
      await ask(model);
    };
    const server = await startModelServer([refusal, reply('a'), reply('b'), refusal, reply('c')]);
    try {
      await session(server);
      await session(server);
      assert.deepEqual(
        server.requests.map(({ body }) => 'stream_options' in body),
        [true, false, false],
      );
      now += 31 * 24 * 60 * 60 * 1000;
      await session(server);
      assert.equal(server.requests.length, 5);
      fs.writeFileSync(file, '{"half');
      assert.deepEqual(lessonFile(file).read('x'), []);
    } finally {
      await server.stop();
      folder.stop();
    }
  });

  it('is stored only after a request that uses it succeeded, and not for one refused picture', async () => {
    const folder = temporaryWorkspace();
    const memory = lessonFile(folder.at('servers.json'));
    const picture = [
      ...question.slice(0, 1),
      { role: 'user' as const, content: 'See.', images: [{ mediaType: 'image/png', data: 'iVBORw0KGgo=' }] },
    ];
    const kept = (): string =>
      fs.existsSync(folder.at('servers.json')) ? fs.readFileSync(folder.at('servers.json'), 'utf8') : '';
    try {
      await withModel(
        [failure(400, 'stream_options is not supported'), failure(500, 'down')],
        { memory },
        async (model) => {
          await problemFrom(ask(model));
          assert.equal(kept(), '');
        },
      );
      await withModel([failure(400, 'image is too large: 9 MB'), reply('x')], { memory }, async (model) => {
        assert.match((await ask(model, { messages: picture })).notices.join(), /refused a picture/);
        assert.equal(kept(), '');
      });
      await withModel(
        [failure(400, 'this model does not support image input'), reply('x')],
        { memory },
        async (model) => {
          await ask(model, { messages: picture });
          assert.match(kept(), /no_images/);
        },
      );
    } finally {
      folder.stop();
    }
  });

  const photo = { mediaType: 'image/png', data: 'iVBORw0KGgo='.padStart(60_000, 'iVBO') };
  const tooMany: readonly (readonly [string, number, string])[] = [
    ['their number', 400, 'request contains 11 images, exceeding the maximum of 10 allowed per request'],
    [
      'their dimensions',
      400,
      'messages.3.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
    ],
    ['the size of the request', 413, 'Request Entity Too Large'],
  ];
  for (const [what, status, words] of tooMany) {
    it(`about images, for ${what}, leaves the latest ones in all later requests of the session`, () =>
      withModel(
        [failure(status, words), reply('x'), reply('y'), failure(status, words), reply('z')],
        {},
        async (model, server) => {
          const chat = (count: number): ChatMessage[] =>
            Array.from({ length: count }, (_, index) => [
              { role: 'user' as const, content: `Picture ${index}.`, images: [photo, photo] },
              { role: 'assistant' as const, content: 'Seen.' },
            ])
              .flat()
              .slice(0, -1);
          const messages = chat(6);
          const { notices } = await ask(model, { messages });
          assert.match(notices.join(), /only the latest are sent/);
          await ask(model, {
            messages: [...messages, { role: 'assistant', content: 'Seen.' }, { role: 'user', content: 'Go on.' }],
          });
          const shown = server.requests.map(({ text }) =>
            [...text.matchAll(/Picture (\d)\.|data:image/g)].map(([word, index]) => index ?? word.slice(0, 1)).join(''),
          );
          assert.equal(shown[0], 'dd0dd1dd2dd3dd4dd5');
          assert.equal(shown[1], '012dd3dd4dd5');
          assert.equal(shown[2], '012dd3dd4dd5');
          assert.match(
            server.requests[1]!.text,
            /Picture 0\.\\n\\n\[2 older images were omitted: the server accepts only so many\. Open them again/,
          );
          const last = await ask(model, { messages: chat(7) });
          assert.match(last.notices.join(), /refused a picture, so pictures are not sent/);
          assert.doesNotMatch(server.requests.at(-1)!.text, /data:image/);
        },
      ));
  }

  it('about the protocol is kept only if the other protocol works, and forgotten once it does not', async () => {
    const folder = temporaryWorkspace();
    const memory = lessonFile(folder.at('servers.json'));
    const kept = (): string =>
      fs.existsSync(folder.at('servers.json')) ? fs.readFileSync(folder.at('servers.json'), 'utf8') : '';
    const options = { memory, id: 'anthropic', name: 'claude-opus-4-6' };
    const missing = failure(404, 'No route.');
    try {
      // A server that starts answers 404 to everything.
      await withModel([missing, missing, message('x')], options, async (model, server) => {
        assert.equal((await problemFrom(ask(model))).kind, 'not_found');
        assert.equal(kept(), '');
        assert.equal((await ask(model)).reply.text, 'x');
        assert.deepEqual(
          server.requests.map(({ path }) => path.split('/').at(-1)),
          ['messages', 'completions', 'messages'],
        );
      });
      await withModel([missing, reply('y'), reply('z')], options, async (model) => {
        await ask(model);
        assert.match(kept(), /other_protocol/);
      });
      // In a later session, the server supports the protocol that it did not support before.
      const later = await startModelServer([missing, message('x')]);
      try {
        memory.add(`${later.baseUrl}/messages claude-opus-4-6`, 'other_protocol');
        const model = await compatibleModel({
          ...options,
          provider: providerNamed('anthropic'),
          baseUrl: later.baseUrl,
        });
        await problemFrom(ask(model));
        assert.deepEqual(memory.read(`${later.baseUrl}/messages claude-opus-4-6`), []);
        assert.equal((await ask(model)).reply.text, 'x');
      } finally {
        await later.stop();
      }
    } finally {
      folder.stop();
    }
  });

  it('is forgotten if the server refuses the other request as well', async () => {
    const folder = temporaryWorkspace();
    const memory = lessonFile(folder.at('servers.json'));
    const refusals = [failure(400, 'bad value near stream_options'), failure(400, 'bad value near max_tokens')];
    try {
      await withModel(
        [...refusals, failure(400, 'bad value'), reply('x')],
        { memory, maxOutputTokens: 5 },
        async (model, server) => {
          await problemFrom(ask(model));
          await ask(model);
          assert.deepEqual(
            server.requests.map(({ body }) => ['stream_options', 'max_tokens'].filter((name) => name in body).length),
            [2, 1, 0, 2],
          );
          assert.equal(fs.existsSync(folder.at('servers.json')), false);
        },
      );
    } finally {
      folder.stop();
    }
  });

  it('does not come from text of the conversation that FastAPI repeats in an error', () => {
    const detail = [
      { type: 'missing', loc: ['body', 'user'], msg: 'Field required', input: { content: 'Explain stream_options' } },
    ];
    return withModel([raw(JSON.stringify({ detail }), { status: 422 })], {}, async (model, server) => {
      const { kind, why } = await problemFrom(ask(model));
      assert.deepEqual([kind, server.requests.length], ['invalid_request', 1]);
      assert.match(why, /user: Field required\.$/);
    });
  });

  it('about the name of the token limit does not alternate between names', () => {
    const refusal = failure(400, 'max_tokens and max_completion_tokens are not supported');
    return withModel([refusal, refusal, reply('x')], { maxOutputTokens: 5 }, async (model, server) => {
      await ask(model);
      const limits = server.requests.map(({ body }) =>
        ['max_tokens', 'max_completion_tokens'].filter((name) => name in body).join(),
      );
      assert.deepEqual(limits, ['max_tokens', 'max_completion_tokens', '']);
    });
  });
});

/** Fields in which providers other than OpenAI accept the reasoning effort. */
const effortFields = ['reasoning', 'thinking', 'enable_thinking'];

describe('user preferences for a model', () => {
  it('are written in the provider’s format', async () => {
    const written = async (
      id: string,
      name = 'test-model',
      protocol: 'chat' | 'responses' = 'chat',
    ): Promise<unknown> => {
      let found: unknown;
      const answer = protocol === 'chat' ? reply('x') : response('x');
      await withModel(
        [answer],
        { id, name, protocol, reasoningEffort: 'medium', temperature: 0.5, takes: effortFields },
        async (model, server) => {
          await ask(model);
          const { reasoning_effort, reasoning, thinking, enable_thinking, temperature } = bodyOf(server);
          found = JSON.parse(JSON.stringify({ reasoning_effort, reasoning, thinking, enable_thinking, temperature }));
        },
      );
      return found;
    };
    assert.deepEqual(await written('groq'), { reasoning_effort: 'medium', temperature: 0.5 });
    assert.deepEqual(await written('mistral'), { reasoning_effort: 'high', temperature: 0.5 });
    assert.deepEqual(await written('openrouter'), { reasoning: { effort: 'medium' }, temperature: 0.5 });
    assert.deepEqual(await written('deepseek'), { thinking: { type: 'enabled' }, temperature: 0.5 });
    assert.deepEqual(await written('qwen'), { enable_thinking: true, temperature: 0.5 });
    assert.deepEqual(await written('openai', 'gpt-5', 'responses'), { reasoning: { effort: 'medium' } });
  });

  it('that the model does not accept are omitted, and the user is told', () =>
    withModel(
      [reply('x')],
      { id: 'openai', name: 'gpt-5', protocol: 'chat', temperature: 0 },
      async (model, server) => {
        const { notices } = await ask(model);
        assert.equal('temperature' in bodyOf(server), false);
        assert.deepEqual(notices, [
          `gpt-5 at 127.0.0.1:${server.port} does not support a temperature, so none is sent.`,
        ]);
      },
    ));

  it('for headers are sent and masked in server errors', () => {
    const headers = { 'x-portkey-api-key': 'pk-0123456789abc', Authorization: 'Basic cG9ydGtleTphYmM=' };
    return withModel(
      [failure(400, 'bad key pk-0123456789abc')],
      { apiKey: 'sk-12345678', headers },
      async (model, server) => {
        const problem = await problemFrom(ask(model));
        assert.deepEqual(
          [server.requests[0]!.headers['x-portkey-api-key'], server.requests[0]!.headers.authorization],
          ['pk-0123456789abc', headers.Authorization],
        );
        assert.doesNotMatch(problem.message, /pk-0123/);
      },
    );
  });

  it('send an Azure key in its own header and a token as a bearer', async () => {
    const sent = async (apiKey: string): Promise<unknown[]> => {
      let found: unknown[] = [];
      await withModel([reply('x')], { id: 'azure', apiKey }, async (model, server) => {
        await ask(model);
        found = [server.requests[0]!.headers['api-key'], server.requests[0]!.headers.authorization];
      });
      return found;
    };
    assert.deepEqual(await sent('0123456789'), ['0123456789', undefined]);
    assert.deepEqual(await sent('eyJhbGciOi'), [undefined, 'Bearer eyJhbGciOi']);
  });
});

describe('a tool that a server cannot accept', () => {
  it('is left out with one notice that names it and the reason; the other tools are offered', () => {
    const good = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };
    const tools = [good, { ...good, name: '1st' }, { ...good, name: 'list', parameters: { type: 'array' } }];
    return withModel([reply('x'), reply('y')], {}, async (model, server) => {
      const first = await ask(model, { tools });
      const second = await ask(model, { tools });
      assert.deepEqual(
        bodyOf(server).tools!.map((tool) => tool.function.name),
        ['look'],
      );
      assert.deepEqual(first.notices, [
        'The tool 1st is not offered to the model: its name has characters that model servers refuse, or more than 64.',
        'The tool list is not offered to the model: its parameters are of type "array", not an object.',
      ]);
      assert.deepEqual(second.notices, []);
    });
  });
});

describe('a request that fails because a server cannot make a grammar of the tools', () => {
  it('is sent again with the simplest schemas', () =>
    withModel(
      [failure(400, 'Failed to initialize samplers: failed to parse grammar'), reply('x')],
      {},
      async (model, server) => {
        const choice = { description: 'Either.', oneOf: [{ type: 'string', pattern: '^a$' }, { type: 'integer' }] };
        const parameters = { type: 'object', properties: { choice } };
        await ask(model, { tools: [{ name: 'choose', description: 'Chooses.', parameters }] });
        const choices = server.requests.map(
          ({ body }) => (body as any).tools[0].function.parameters.properties.choice as unknown,
        );
        assert.deepEqual(choices, [
          choice,
          {
            description: 'Either.',
            anyOf: [{ type: 'string', description: 'Must hold: pattern: "^a$".' }, { type: 'integer' }],
          },
        ]);
      },
    ));
});

describe('a last request without tools', () => {
  const chat: ChatMessage[] = [
    ...question,
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'a.ts' },
    { role: 'user', content: 'Sum up.' },
  ];
  const formerTools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }];
  const refusal = failure(400, 'Requests which include `tool_use` or `tool_result` blocks must define tools.');

  it('declares the tools of the chat if the server requires that', () =>
    withModel([refusal, reply('Done.')], {}, async (model, server) => {
      await ask(model, { messages: chat, formerTools });
      assert.deepEqual(
        server.requests.map(({ body }) => [body.tools?.length, body.tool_choice]),
        [
          [undefined, undefined],
          [1, 'none'],
        ],
      );
    }));

  it('declares no tools otherwise', () =>
    withModel([reply('Done.')], { id: 'openai', name: 'gpt-4.1' }, async (model, server) => {
      await ask(model, { messages: chat, formerTools });
      assert.equal('tools' in bodyOf(server), false);
    }));
});

describe('a tool result', () => {
  it('names the tool if the provider requires that', () =>
    withModel([reply('x')], { id: 'gemini', takes: ['extra_content', 'name'] }, async (model, server) => {
      await ask(model, {
        messages: [
          ...question,
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'call_1', content: 'a.ts' },
        ],
      });
      assert.deepEqual(bodyOf(server).messages.at(-1), {
        role: 'tool',
        tool_call_id: 'call_1',
        name: 'look',
        content: 'a.ts',
      });
    }));
});

describe('tool call ids', () => {
  it('stay if they fit; otherwise they become nine characters, the same each time', () => {
    assert.equal(fitCallId('abcDEF123', 'nine', { own: false }), 'abcDEF123');
    assert.equal(fitCallId('functions.read_file:0', 'any', { own: true }), 'functions.read_file:0');
    const long = `chatcmpl-tool-${'a'.repeat(32)}`;
    const made = fitCallId(long, 'word', { own: true });
    assert.match(made, /^[a-zA-Z0-9]{9}$/);
    assert.equal(fitCallId(long, 'nine', { own: false }), made);
    assert.notEqual(fitCallId(`${long}b`, 'nine', { own: false }), made);
  });

  it('of a chat that began elsewhere change consistently in call and result', () =>
    withModel([reply('x')], { id: 'mistral' }, async (model, server) => {
      const chat: ChatMessage[] = [
        ...question,
        {
          role: 'assistant',
          content: '',
          origin: 'openai gpt-5',
          reasoning: { text: 'hm', field: 'reasoning_content' },
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '', origin: 'openai gpt-5' },
        { role: 'user', content: 'And now?' },
      ];
      await ask(model, { messages: chat });
      const [, , said, answered, between, last] = bodyOf(server).messages;
      assert.match(said!.tool_calls[0].id, /^[a-zA-Z0-9]{9}$/);
      assert.equal(answered!.tool_call_id, said!.tool_calls[0].id);
      assert.deepEqual([between!.role, last!.role, 'reasoning_content' in said!], ['assistant', 'user', false]);
    }));
});

describe('reasoning in the text of a reply', () => {
  it('is recognized however the text is split', () => {
    const whole = '\n<think>\nIs 1 < 2?\n</think>\n\nYes: 1 < 2, and </think> is a tag.';
    for (let size = 1; size < whole.length; size++) {
      const tags = thinkTags();
      const pieces: ReturnType<typeof tags.add> = [];
      for (let from = 0; from < whole.length; from += size) pieces.push(...tags.add(whole.slice(from, from + size)));
      pieces.push(...tags.finish());
      const said = (kind: string): string =>
        pieces
          .filter((piece) => piece.kind === kind)
          .map(({ text }) => text)
          .join('');
      assert.deepEqual(
        [said('reasoning').trim(), said('text').trim()],
        ['Is 1 < 2?', 'Yes: 1 < 2, and </think> is a tag.'],
        `in pieces of ${size}`,
      );
    }
  });

  it('is the text before a closing tag that was never opened', () => {
    assert.deepEqual(splitAtClosing('hm\n</think>\n\nYes.'), { reasoning: 'hm', text: 'Yes.' });
    assert.equal(splitAtClosing('A <think> opens and a </think> closes.'), undefined);
  });

  it('is returned only to the model that expects it there', async () => {
    const answer = reply('<think>\nhm\n</think>\n\nYes.');
    for (const [id, wanted] of [
      ['minimax', '<think>\nhm\n</think>\n\nYes.'],
      ['ollama', 'Yes.'],
    ] as const) {
      await withModel([answer, reply('x')], { id }, async (model, server) => {
        const { reply: first } = await ask(model);
        assert.deepEqual([first.text, first.reasoning?.text], ['Yes.', 'hm']);
        await ask(model, {
          messages: [
            ...question,
            { role: 'assistant', content: first.text, reasoning: first.reasoning!, origin: first.origin! },
            { role: 'user', content: 'Go on.' },
          ],
        });
        assert.equal(bodyOf(server, 1).messages.at(-2)!.content, wanted);
      });
    }
  });
});
