import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { listModels, listRequest, type ModelListOptions } from '../../../src/adapters/models/modelList';
import type { ListedModel } from '../../../src/core/model/listedModels';
import { readListedModels } from '../../../src/core/model/listedModels';
import { commandLineAdvice } from '../../../src/core/model/advice';
import { problemFrom } from '../../support/ask';

type Asked = Pick<http.IncomingMessage, 'url' | 'headers' | 'method'>;

/** A server that gives each request the same answer and records its requests. */
async function withListServer<Value>(
  answer: http.RequestListener,
  use: (baseUrl: string, asked: readonly Asked[]) => Promise<Value>,
): Promise<Value> {
  const asked: Asked[] = [];
  const server = http.createServer((request, response) => {
    asked.push({ url: request.url!, headers: request.headers, method: request.method! });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const json =
  (body: unknown, status = 200): http.RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
const listed = (body: unknown, options: Partial<ModelListOptions> = {}): Promise<ListedModel[]> =>
  withListServer(json(body), (baseUrl) => listModels({ baseUrl, ...options }));
const refusal = (answer: http.RequestListener, options: Partial<ModelListOptions> = {}) =>
  withListServer(answer, (baseUrl) => problemFrom(listModels({ baseUrl, apiKey: 'sk-secret-0123456789', ...options })));
const ids = (models: readonly ListedModel[]): string[] => models.map(({ id }) => id);

describe('a list of models', () => {
  it('from OpenAI lists recent models first and non-chat models last', async () => {
    const entry = (id: string, created: number) => ({ id, object: 'model', created, owned_by: 'system' });
    const models = await listed({
      object: 'list',
      data: [
        entry('gpt-4o', 1715367049),
        entry('whisper-1', 1677532384),
        entry('gpt-6-luna', 1790000000),
        entry('text-embedding-3-large', 1705953180),
        entry('gpt-image-2', 1795000000),
        entry('gpt-5.4', 1772000000),
        entry('tts-1', 1681940951),
        entry('omni-moderation-latest', 1731689265),
      ],
    });
    assert.deepEqual(ids(models).slice(0, 3), ['gpt-6-luna', 'gpt-5.4', 'gpt-4o']);
    assert.deepEqual(
      models.map(({ chats }) => chats),
      [true, true, true, false, false, false, false, false],
    );
    assert.equal(models[0]!.created, 1790000000);
  });

  it('from OpenRouter has names, context windows, prices per million tokens and tool support', async () => {
    const entry = (id: string, pricing: object, more: object = {}) => ({
      id,
      name: `Maker: ${id}`,
      created: 1780000000,
      context_length: 1_000_000,
      pricing,
      architecture: { output_modalities: ['text'] },
      supported_parameters: ['max_tokens', 'tools'],
      ...more,
    });
    const models = await listed({
      data: [
        entry('maker/large', { prompt: '0.00000125', completion: '0.00001', input_cache_read: '0.000000125' }),
        entry('maker/free', { prompt: '0', completion: '0' }, { supported_parameters: ['max_tokens'] }),
        entry('router/auto', { prompt: '-1', completion: '-1' }),
        entry('maker/painter', { prompt: '0', completion: '0' }, { architecture: { output_modalities: ['image'] } }),
      ],
    });
    assert.deepEqual(
      models.find(({ id }) => id === 'maker/large'),
      {
        id: 'maker/large',
        name: 'Maker: maker/large',
        chats: true,
        contextWindow: 1_000_000,
        price: { input: 1.25, output: 10 },
        created: 1780000000,
        tools: true,
      },
    );
    assert.deepEqual(models.find(({ id }) => id === 'maker/free')!.price, { input: 0, output: 0 });
    assert.equal(models.find(({ id }) => id === 'maker/free')!.tools, false);
    assert.equal(models.find(({ id }) => id === 'router/auto')!.price, undefined, 'a price that depends is not known');
    assert.equal(models.at(-1)!.id, 'maker/painter');
  });

  it('from Mistral, where all dates are equal, is sorted by version', async () => {
    const entry = (id: string, chat = true) => ({
      id,
      object: 'model',
      created: 1790000000,
      type: 'base',
      max_context_length: 131_072,
      capabilities: { completion_chat: chat, function_calling: chat, vision: false },
    });
    const models = await listed({
      object: 'list',
      data: [
        entry('mistral-large-2411'),
        entry('codestral-2405'),
        entry('mistral-large-2512'),
        entry('codestral-embed', false),
        entry('codestral-2508'),
      ],
    });
    assert.deepEqual(ids(models), [
      'mistral-large-2512',
      'mistral-large-2411',
      'codestral-2508',
      'codestral-2405',
      'codestral-embed',
    ]);
    assert.deepEqual([models[0]!.contextWindow, models[0]!.tools, models.at(-1)!.chats], [131_072, true, false]);
  });

  it('from Groq omits inactive models', async () => {
    const entry = (id: string, active: boolean) => ({
      id,
      object: 'model',
      created: 1,
      owned_by: 'x',
      active,
      context_window: 131_072,
    });
    const models = await listed({ object: 'list', data: [entry('new-model', true), entry('old-model', false)] });
    assert.deepEqual(models, [{ id: 'new-model', chats: true, contextWindow: 131_072, created: 1 }]);
  });

  it('from Gemini has ids without their path prefix, newer versions first', async () => {
    const entry = (id: string) => ({
      id: `models/${id}`,
      object: 'model',
      owned_by: 'google',
      display_name: id.toUpperCase(),
    });
    const names = [
      'embedding-001',
      'gemini-2.5-flash',
      'gemini-2.5-pro',
      'imagen-5',
      'gemini-3.1-pro',
      'gemini-10-pro',
      'veo-4',
    ];
    const models = await listed({ object: 'list', data: names.map(entry) });
    assert.deepEqual(ids(models).slice(0, 4), [
      'gemini-10-pro',
      'gemini-3.1-pro',
      'gemini-2.5-pro',
      'gemini-2.5-flash',
    ]);
    assert.deepEqual(
      models
        .filter(({ chats }) => !chats)
        .map(({ id }) => id)
        .sort(),
      ['embedding-001', 'imagen-5', 'veo-4'],
    );
    assert.equal(models[0]!.name, 'GEMINI-10-PRO');
  });

  it('from Anthropic has its date strings parsed', async () => {
    const entry = (id: string, at: string) => ({ type: 'model', id, display_name: id, created_at: at });
    const models = await listed({
      has_more: false,
      data: [entry('claude-opus-5', '2026-04-01T00:00:00Z'), entry('claude-sonnet-5.5', '2026-10-01T00:00:00Z')],
    });
    assert.deepEqual(models, [
      { id: 'claude-sonnet-5.5', chats: true, created: Date.UTC(2026, 9, 1) / 1000 },
      { id: 'claude-opus-5', chats: true, created: Date.UTC(2026, 3, 1) / 1000 },
    ]);
  });

  it('from GitHub Models is an array with limits', async () => {
    const models = await listed([
      {
        id: 'maker/chat-4',
        name: 'Maker Chat 4',
        capabilities: ['streaming', 'tool-calling'],
        limits: { max_input_tokens: 1_048_576, max_output_tokens: 32_768 },
        supported_output_modalities: ['text'],
      },
      {
        id: 'maker/vectors',
        name: 'Maker Vectors',
        capabilities: [],
        limits: {},
        supported_output_modalities: ['embeddings'],
      },
    ]);
    assert.deepEqual(models, [
      { id: 'maker/chat-4', name: 'Maker Chat 4', chats: true, contextWindow: 1_048_576, tools: true },
      { id: 'maker/vectors', name: 'Maker Vectors', chats: false, tools: false },
    ]);
  });

  it('from Together is an array with types and prices in dollars', async () => {
    const models = await listed([
      { id: 'maker/pictures', type: 'image', created: 2, pricing: { input: 0, output: 0 } },
      {
        id: 'maker/talk',
        type: 'chat',
        created: 1,
        display_name: 'Talk',
        context_length: 131_072,
        pricing: { input: 0.6, output: 1.8, hourly: 0 },
      },
    ]);
    assert.deepEqual(models[0], {
      id: 'maker/talk',
      name: 'Talk',
      chats: true,
      contextWindow: 131_072,
      price: { input: 0.6, output: 1.8 },
      created: 1,
    });
    assert.equal(models[1]!.chats, false);
  });

  it('from Azure names deployments', async () => {
    const models = await listed({
      object: 'list',
      data: [{ id: 'our-gpt', model: 'gpt-5.4', object: 'deployment', created_at: 1_681_171_441 }],
    });
    assert.deepEqual(models, [{ id: 'our-gpt', chats: true, created: 1_681_171_441 }]);
  });

  it('from a local server has the loaded context window, not the model’s maximum', async () => {
    const [vllm] = await listed({
      object: 'list',
      data: [{ id: '/data/qwen', object: 'model', created: 1, owned_by: 'vllm', root: 'x', max_model_len: 32_768 }],
    });
    const [llama] = await listed({
      models: [{ name: 'q.gguf', model: 'q.gguf' }],
      object: 'list',
      data: [{ id: 'q.gguf', meta: { n_ctx_train: 131_072, n_ctx: 8192 } }],
    });
    const [studio, vectors] = await listed({
      data: [
        { id: 'text-embedding-nomic', type: 'embeddings', max_context_length: 2048 },
        {
          id: 'qwen3',
          type: 'llm',
          state: 'loaded',
          max_context_length: 131_072,
          loaded_context_length: 4096,
          capabilities: ['tool_use'],
        },
      ],
    });
    const [unloaded] = await listed({ data: [{ id: 'q.gguf', meta: { n_ctx_train: 131_072 } }] });
    assert.deepEqual(
      [vllm, llama, studio, vectors, unloaded].map((model) => model!.contextWindow),
      [32_768, 8192, 4096, 2048, undefined],
    );
    assert.deepEqual([studio!.tools, vectors!.chats], [true, false]);
  });

  it('from Ollama without models is empty', async () =>
    assert.deepEqual(await listed({ object: 'list', data: null }), []));

  it('may be an array of names or contain invalid entries', async () => {
    assert.deepEqual(ids(await listed(['b', 'a'])), ['b', 'a']);
    assert.deepEqual(
      ids(
        await listed({
          data: [{ id: 'a', context_length: 'much', created: -1, pricing: 'ask' }, null, 7, { x: 1 }, { id: 'a' }],
        }),
      ),
      ['a'],
    );
  });

  for (const [name, body] of [
    ['a greeting', { hello: 'world' }],
    ['a number', 7],
    ['other things', [{ x: 1 }]],
    ['text', 'models'],
    ['null', null],
  ] as const) {
    it(`is not ${name}`, () => assert.equal(readListedModels(body), undefined));
  }
});

describe('a request for a list of models', () => {
  const request = (baseUrl: string, options: Partial<ModelListOptions> = {}): Promise<Asked> =>
    withListServer(json({ data: [] }), async (_baseUrl, asked) => {
      const real = new URL(_baseUrl);
      const meant = new URL(baseUrl);
      await listModels({ baseUrl: `${real.origin}${meant.pathname}${meant.search}`, ...options });
      return asked[0]!;
    });

  it('goes to /models below the base URL, with the key as a bearer token', async () => {
    const { url, method, headers } = await request('http://x/api/v1/', { apiKey: 'sk-1' });
    assert.deepEqual([method, url, headers.authorization], ['GET', '/api/v1/models', 'Bearer sk-1']);
  });

  it('without a key sends none, keeps the query, and also accepts the chat URL', async () => {
    const { url, headers } = await request('http://x/v1/chat/completions?api-version=7', {
      headers: { 'x-team': 'blue' },
    });
    assert.deepEqual([url, headers.authorization, headers['x-team']], ['/v1/models?api-version=7', undefined, 'blue']);
  });

  it('uses the route and key header of the provider', () => {
    const to = (baseUrl: string) => {
      const { url, headers } = listRequest({ baseUrl, apiKey: 'sk-1' });
      return [url.href, headers.authorization, headers['api-key'], headers['x-api-key'], headers['anthropic-version']];
    };
    const bearer = 'Bearer sk-1';
    assert.deepEqual(to('https://api.anthropic.com/v1'), [
      'https://api.anthropic.com/v1/models?limit=1000',
      undefined,
      undefined,
      'sk-1',
      '2023-06-01',
    ]);
    assert.deepEqual(to('https://models.github.ai/inference'), [
      'https://models.github.ai/catalog/models',
      bearer,
      undefined,
      undefined,
      undefined,
    ]);
    assert.deepEqual(to('https://our.openai.azure.com/openai/v1'), [
      'https://our.openai.azure.com/openai/deployments?api-version=2023-03-15-preview',
      undefined,
      'sk-1',
      undefined,
      undefined,
    ]);
    assert.equal(listRequest({ baseUrl: 'https://api.anthropic.com/v1' }).headers['x-api-key'], undefined);
  });

  it('does not follow a redirect, which could send the key elsewhere', async () => {
    let reached = 0;
    await withListServer(
      (_request, response) => {
        reached++;
        response.end();
      },
      async (elsewhere) => {
        const problem = await refusal((_request, response) =>
          response.writeHead(307, { location: `${elsewhere}/models` }).end(),
        );
        assert.match(problem.message, /redirects to another address.*307/);
      },
    );
    assert.equal(reached, 0);
  });
});

describe('a list of models that does not arrive', () => {
  const failing: [string, http.RequestListener, string, RegExp][] = [
    [
      'with 401',
      json({ error: { message: 'Incorrect API key provided: sk-secret-0123456789' } }, 401),
      'authentication',
      /did not accept the key.*\[key\].*Set API Key/,
    ],
    ['with 403', json({ message: 'forbidden' }, 403), 'authentication', /not allowed to list models.*403/],
    [
      'as Google refuses keys',
      json([{ error: { code: 400, message: 'API key not valid.' } }], 400),
      'authentication',
      /did not accept the key/,
    ],
    ['with 404', json({}, 404), 'not_found', /does not list its models.*404.*yourself/],
    ['with 405', json({}, 405), 'not_found', /does not list its models/],
    ['with 500', json({ error: 'broken' }, 500), 'server', /failed.*broken/],
    ['with 429', json({ error: 'slow down' }, 429), 'rate_limit', /rate limit/],
    [
      'but a page',
      (_request, response) => void response.end('<html>Welcome</html>'),
      'not_found',
      /not a list of models.*yourself/,
    ],
    ['but something else', json({ status: 'ok' }), 'not_found', /not a list of models/],
    [
      'but half of it',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"data":');
        setImmediate(() => response.destroy());
      },
      'network',
      /closed/,
    ],
  ];
  for (const [name, answer, kind, words] of failing) {
    it(`${name} says why and what to do`, async () => {
      const problem = await refusal(answer);
      assert.deepEqual(
        [problem.kind, words.test(problem.message), problem.message.includes('sk-secret')],
        [kind, true, false],
        problem.message,
      );
      assert.doesNotMatch(problem.message, /“”/);
    });
  }

  it('times out', async () => {
    assert.match((await refusal(() => undefined, { timeoutMs: 60 })).message, /does not answer.*did not send a list/);
  });

  it('is not read if it is too long', async () => {
    const endless: http.RequestListener = (_request, response) => {
      const piece = '{"id":"x"},'.repeat(10_000);
      const write = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', write);
      write();
    };
    assert.match((await refusal(endless)).message, /too long/);
  });

  it('because nothing listens there says so, and on the command line names its options', async () => {
    const gone = await withListServer(json([]), async (baseUrl) => baseUrl);
    const problem = await problemFrom(listModels({ baseUrl: gone, advice: commandLineAdvice('KEY') }));
    assert.match(problem.message, /cannot be reached.*connection was refused.*--base-url/);
  });

  it('rejects with the caller’s abort reason', async () => {
    const reason = new Error('stopped');
    await assert.rejects(
      withListServer(json([]), (baseUrl) => listModels({ baseUrl, signal: AbortSignal.abort(reason) })),
      (error) => error === reason,
    );
  });
});
