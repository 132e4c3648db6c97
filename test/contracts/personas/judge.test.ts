// Tests the judge itself: what each persona must accept and refuse, as observed with the real providers.
import assert from 'node:assert/strict';
import type { ChatBody } from '../../support/providerJudge/persona';
import { personas } from '../../support/providerJudge/personas';
import { startJudge, type Judge, type JudgeOptions } from '../../support/providerJudge/judgeServer';

const readsPath = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const user = { role: 'user', content: 'hi' };
const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const signed = { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } };

const tool = (more: object = {}, parameters: object = readsPath): object => ({
  type: 'function',
  function: { name: 'read_file', description: 'Reads.', parameters, ...more },
});

const call = (id: string, more: object = {}, text = '{"path":"a"}'): object => ({
  id,
  type: 'function',
  function: { name: 'read_file', arguments: text },
  ...more,
});

/** A question, a call and its result. */
const turn = (id: string, assistant: object = {}, callMore: object = {}, text?: string): any[] => [
  user,
  { role: 'assistant', content: null, tool_calls: [call(id, callMore, text)], ...assistant },
  { role: 'tool', tool_call_id: id, content: 'ok' },
];

const ask = (more: object = {}): ChatBody => ({ model: 'm', messages: [user], tools: [tool()], stream: true, ...more });
const withSchema = (property: object, more: object = {}): ChatBody =>
  ask({ tools: [tool({}, { type: 'object', properties: { a: property }, ...more })] });

interface Case {
  readonly as: string;
  readonly body: ChatBody;
  readonly status: number;
  readonly words?: string;
  readonly unsure?: boolean;
}

const accepts = (as: string, body: ChatBody): Case => ({ as, body, status: 200 });
const refuses = (as: string, body: ChatBody, status: number, words: string): Case => ({ as, body, status, words });
const unsure = (assumed: Case): Case => ({ ...assumed, unsure: true });

const cases: readonly Case[] = [
  accepts('openai', ask()),
  refuses('openai', ask({ tools: [tool({ effect: 'read' })] }), 400, "Unknown parameter: 'tools[0].function.effect'"),
  refuses(
    'openai',
    ask({ messages: turn('call_1', { reasoning_content: 'hm' }) }),
    400,
    'messages[1].reasoning_content',
  ),
  refuses('openai', ask({ model: 'gpt-5', max_tokens: 9 }), 400, 'max_completion_tokens'),
  refuses('openai', ask({ model: 'gpt-5.6-terra' }), 400, 'reasoning_effort'),
  accepts('openai', ask({ model: 'gpt-5.6-terra', reasoning_effort: 'none' })),
  refuses('openai', ask({ messages: turn('call_1').slice(0, 2) }), 400, 'must be followed by tool messages'),
  refuses('openai', ask({ messages: turn('c'.repeat(41)) }), 400, 'maximum length 40'),
  refuses('openai', withSchema({ type: 'array' }), 400, 'array schema missing items'),
  refuses(
    'openai',
    { ...withSchema({ type: 'string', format: 'uri' }), model: 'gpt-5-codex' },
    400,
    'not a valid format',
  ),
  accepts('openai', { ...withSchema({ type: 'string', format: 'date-time' }), model: 'gpt-5-codex' }),
  refuses('openai', ask({ tools: [] }), 400, 'empty array'),
  refuses(
    'openai',
    ask({ messages: [user, { role: 'assistant', content: 'x', tool_calls: [] }, user] }),
    400,
    'too short',
  ),
  accepts('openai', ask({ messages: [{ role: 'user', content: [picture] }] })),
  refuses(
    'openai',
    ask({ messages: [...turn('call_1').slice(0, 2), { role: 'tool', tool_call_id: 'call_1', content: [picture] }] }),
    400,
    'only allowed for messages with role',
  ),
  accepts('azure', ask({ messages: turn('call_1') })),
  refuses('azure', ask({ tools: [tool({ effect: 'read' })] }), 400, 'unknown_parameter'),
  accepts('mistral', ask({ messages: turn('abcDEF123'), max_tokens: 5 })),
  refuses('mistral', ask({ messages: turn('call_1') }), 400, 'length of 9'),
  refuses('mistral', ask({ max_completion_tokens: 5 }), 422, 'extra_forbidden'),
  refuses('mistral', ask({ tools: [tool({ effect: 'read' })] }), 422, '"tools",0,"function","effect"'),
  refuses(
    'mistral',
    ask({ messages: turn('abcDEF123', { reasoning_content: 'hm' }) }),
    422,
    '"messages",1,"assistant","reasoning_content"',
  ),
  refuses('mistral', ask({ messages: [...turn('abcDEF123'), user] }), 400, "Unexpected role 'user' after role 'tool'"),
  refuses('mistral', ask({ messages: [user, { role: 'assistant', content: 'hi' }] }), 400, 'Expected last role'),
  accepts('mistral', ask({ stream_options: { include_usage: true } })),
  unsure(refuses('mistral', ask({ stream_options: { include_usage: true } }), 422, 'include_usage')),
  accepts('groq', ask({ messages: turn('call_1', { reasoning: 'hm' }) })),
  refuses(
    'groq',
    ask({ messages: turn('call_1', { reasoning_content: 'hm' }) }),
    400,
    "property 'reasoning_content' is unsupported",
  ),
  refuses(
    'groq',
    ask({ messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', cache_control: {} }] }] }),
    400,
    'cache_control',
  ),
  refuses('groq', ask({ thinking: true }), 400, "property 'thinking' is unsupported"),
  refuses('groq', ask({ tools: [tool({}, { type: 'object', required: [] })] }), 400, "'properties' is missing"),
  accepts('groq', ask({ tools: [tool({ effect: 'read' })] })),
  unsure(refuses('groq', ask({ tools: [tool({ effect: 'read' })] }), 400, 'effect')),
  accepts('cerebras', ask({ messages: turn('call_1', { reasoning: 'hm' }) })),
  refuses(
    'cerebras',
    ask({ messages: turn('call_1', { reasoning_content: 'hm' }) }),
    400,
    "'messages.1.assistant.reasoning_content' is unsupported",
  ),
  refuses('cerebras', ask({ thinking: {} }), 400, 'body.thinking'),
  refuses('cerebras', ask({ tools: [tool({ strict: true }), tool({ name: 'b' })] }), 422, 'mixed values'),
  accepts('gemini', ask({ messages: turn('call_1', {}, signed) })),
  refuses('gemini', ask({ messages: turn('call_1') }), 400, 'missing a thought_signature'),
  refuses(
    'gemini',
    ask({ messages: turn('call_1', {}, { extra_content: { google: { thought_signature: 'mine' } } }) }),
    400,
    'Corrupted',
  ),
  accepts('gemini', ask({ model: 'gemini-2.5-pro', messages: turn('call_1') })),
  accepts('gemini', ask({ messages: [...turn('call_1'), { role: 'assistant', content: 'ok' }, user] })),
  refuses('gemini', ask({ store: false }), 400, 'Unknown name \\"store\\"'),
  refuses('gemini', ask({ tools: [tool({ effect: 'read' })] }), 400, 'Cannot find field'),
  refuses('gemini', ask({ tools: [tool({ name: '1st' })] }), 400, 'Invalid function name'),
  accepts('gemini', withSchema({ type: 'integer', exclusiveMinimum: 0 })),
  unsure(refuses('gemini', withSchema({ type: 'integer', exclusiveMinimum: 0 }), 400, 'exclusiveMinimum')),
  unsure(refuses('gemini', ask({ messages: turn('call_1', {}, signed) }), 400, 'invalid argument')),
  accepts('deepseek', ask({ messages: turn('call_1', { reasoning_content: '' }), whatever: 1 })),
  refuses('deepseek', ask({ messages: turn('call_1') }), 400, 'must be passed back'),
  accepts('deepseek', ask({ messages: turn('call_1'), thinking: { type: 'disabled' } })),
  refuses(
    'deepseek',
    ask({ messages: [{ role: 'developer', content: 'x' }, user] }),
    400,
    'unknown variant `developer`',
  ),
  unsure(refuses('deepseek', ask({ messages: [{ role: 'user', content: [picture] }] }), 400, 'image_url')),
  accepts('anthropic', ask({ tools: [tool({ effect: 'read' })], whatever: 1 })),
  refuses('anthropic', ask({ messages: turn('call:1') }), 400, 'tool_use.id'),
  refuses('anthropic', ask({ messages: turn('toolu_1').slice(0, 2) }), 400, 'without `tool_result`'),
  refuses(
    'anthropic',
    ask({ model: 'claude-opus-4-6', messages: [user, { role: 'assistant', content: 'a' }] }),
    400,
    'prefill',
  ),
  accepts('ollama', ask({ tools: [tool({ effect: 'read' })], messages: turn('call_1') })),
  refuses('ollama', ask({ messages: turn('call_1', {}, {}, '{"path":') }), 400, 'invalid tool call arguments'),
  refuses(
    'ollama',
    ask({ messages: [{ role: 'assistant', content: null }, user] }),
    400,
    'invalid message content type',
  ),
  accepts('vllm', ask({ whatever: 1, messages: turn('call_1') })),
  refuses('vllm', ask({ messages: turn('call_1', {}, {}, '{"path":') }), 400, 'BadRequestError'),
  accepts('llamacpp', ask({ messages: turn('call_1') })),
  accepts('llamacpp', withSchema({ type: 'string', maxLength: 500 })),
  refuses('llamacpp', withSchema({ type: 'string', maxLength: 10_000 }), 400, 'failed to parse grammar'),
  refuses('llamacpp', ask({ messages: turn('call_1', {}, {}, '{"path":') }), 500, 'as JSON'),
  refuses('llamacpp', ask({ messages: [user, { role: 'system', content: 'Late.' }] }), 500, 'must be at the beginning'),
  accepts(
    'llamacpp',
    ask({ model: 'devstral', messages: [...turn('call_1'), { role: 'assistant', content: 'ok' }, user] }),
  ),
  refuses('llamacpp', ask({ model: 'devstral', messages: [...turn('call_1'), user] }), 500, 'must alternate'),
  refuses(
    'llamacpp',
    ask({
      model: 'llama-3.3-70b',
      messages: [
        user,
        { role: 'assistant', content: null, tool_calls: [...turn('a')[1]!.tool_calls!, ...turn('b')[1]!.tool_calls!] },
      ],
    }),
    400,
    'single tool-calls',
  ),
  accepts('moonshot', ask({ messages: turn('call_1', { reasoning_content: ' ' }) })),
  refuses('moonshot', ask({ messages: turn('call_1') }), 400, 'reasoning_content is missing'),
  refuses(
    'moonshot',
    ask({ messages: turn('call_1', { reasoning_content: 'hm', content: [{ type: 'text', text: '' }] }) }),
    400,
    'text content is empty',
  ),
  refuses('moonshot', ask({ messages: [user, { role: 'assistant', content: '' }, user] }), 400, 'must not be empty'),
  refuses('moonshot', ask({ tools: [tool({}, { properties: {} })] }), 400, 'must be \\"object\\"'),
  accepts('moonshot', withSchema({ type: 'string', anyOf: [] })),
  unsure(refuses('moonshot', withSchema({ type: 'string', anyOf: [] }), 400, 'flavored')),
  unsure(refuses('moonshot', withSchema({ description: 'Anything.' }), 400, 'type is not defined')),
  accepts('xai', ask({ model: 'grok-4.3', reasoning_effort: 'high' })),
  refuses('xai', ask({ model: 'grok-4', reasoning_effort: 'high' }), 400, 'reasoningEffort'),
  refuses('xai', ask({ presence_penalty: 0 }), 400, 'presencePenalty'),
  refuses(
    'minimax',
    ask({ messages: turn('call_1', {}, {}, '{"path":') }),
    400,
    'invalid function arguments json string',
  ),
  refuses('minimax', ask({ messages: turn('call_1').slice(0, 2) }), 400, 'does not follow tool call'),
  accepts('openrouter', ask({ whatever: 1, messages: turn('call_1') })),
  accepts('fireworks', ask({ messages: turn('call_1', { reasoning_content: 'hm' }) })),
  refuses(
    'fireworks',
    ask({ messages: turn('call_1', { thinking_blocks: [] }) }),
    400,
    "Extra inputs are not permitted, field: 'messages[1].thinking_blocks'",
  ),
  refuses('zai', ask({ tools: undefined, tool_choice: 'auto' }), 400, '1210'),
  refuses('zai', ask({ tool_choice: 'none' }), 400, '1210'),
  refuses('qwen', ask({ messages: turn('call_1').slice(0, 2) }), 400, 'InternalError.Algo.InvalidParameter'),
  refuses('github', ask({ tools: [tool({ effect: 'read' })] }), 400, 'unknown_parameter'),
  refuses('lmstudio', ask({ tool_choice: { type: 'function' } }), 400, 'tool_choice'),
  refuses('sglang', ask({ messages: turn('call_1', {}, {}, '{"path":') }), 400, 'Expecting value'),
  accepts('together', ask({ whatever: 1, messages: turn('call_1') })),
  accepts('strict', ask()),
  refuses('strict', ask({ tools: [tool({ effect: 'read' })] }), 422, 'tools[0].function.effect'),
  refuses(
    'strict',
    ask({ messages: turn('call_1', { reasoning_content: 'hm' }) }),
    422,
    'messages[1].reasoning_content',
  ),
];

async function withJudge<T>(options: JudgeOptions, use: (judge: Judge) => Promise<T>): Promise<T> {
  const judge = await startJudge(options);
  try {
    return await use(judge);
  } finally {
    await judge.stop();
  }
}

async function post(
  { baseUrl }: Judge,
  body: object,
  path = 'chat/completions',
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const base = path.startsWith('/') ? new URL(baseUrl).origin : `${baseUrl}/`;
  const response = await fetch(`${base}${path}`, { method: 'POST', body: JSON.stringify(body), headers });
  return { status: response.status, text: await response.text() };
}

const chunksIn = (text: string): any[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)));

describe('the provider judge', () => {
  cases.forEach(({ as, body, status, words = '', unsure: isUnsure = false }, at) => {
    const { model: _model, stream: _stream, ...shown } = body;
    it(`${at + 1}: ${as} answers ${status} ${words}${isUnsure ? ' where unsure rules count' : ''}`, () =>
      withJudge({ as, unsure: isUnsure }, async (judge) => {
        const got = await post(judge, body);
        assert.equal(got.status, status, `${got.text} to ${JSON.stringify(shown)}`);
        assert.ok(got.text.includes(words), got.text);
      }));
  });

  for (const { name } of personas.filter(({ protocols }) => protocols.includes('chat'))) {
    it(`${name} accepts its own call when it is sent back unchanged`, () =>
      withJudge({ as: name, script: [{ calls: [{ name: 'read_file', args: { path: 'x' } }] }] }, async (judge) => {
        const deltas = chunksIn((await post(judge, ask())).text).flatMap(({ choices }) =>
          choices.map((choice: any) => choice.delta),
        );
        const parts = deltas.flatMap(({ tool_calls: calls = [] }) => calls);
        const text = parts.map((part) => part.function.arguments).join('');
        assert.equal(text, '{"path":"x"}');
        const { index: _index, ...first } = parts[0];
        const back = {
          role: 'assistant',
          content: null,
          tool_calls: [{ ...first, type: 'function', function: { name: 'read_file', arguments: text } }],
        };
        const thought = ['deepseek', 'moonshot'].includes(name) && { reasoning_content: ' ' };
        const again = await post(
          judge,
          ask({ messages: [user, { ...back, ...thought }, { role: 'tool', tool_call_id: first.id, content: 'ok' }] }),
        );
        assert.equal(again.status, 200, again.text);
        assert.match(
          chunksIn(again.text)
            .map((chunk) => chunk.choices[0]?.delta.content ?? '')
            .join(''),
          /Done\./,
        );
      }));
  }

  it('openrouter requires Claude’s reasoning details in full: joined text with the last signature', () =>
    withJudge(
      { as: 'openrouter', script: [{ reasoning: 'Let me look into it first.', calls: [{ name: 'read_file' }] }] },
      async (judge) => {
        const body = ask({ model: 'anthropic/claude-opus-4.6' });
        const deltas = chunksIn((await post(judge, body)).text).flatMap(({ choices }) =>
          choices.map((choice: any) => choice.delta),
        );
        const pieces: any[] = deltas.flatMap(({ reasoning_details: details = [] }) => details);
        const { id } = deltas.flatMap(({ tool_calls: calls = [] }) => calls)[0];
        assert.ok(pieces.length > 2);
        const [first] = pieces;
        const whole = {
          ...first,
          text: pieces.map(({ text = '' }) => text).join(''),
          signature: pieces.at(-1).signature,
        };
        assert.match(
          (await post(judge, { ...body, messages: turn(id, { reasoning_details: pieces }) })).text,
          /Invalid `signature`/,
        );
        assert.equal((await post(judge, { ...body, messages: turn(id, { reasoning_details: [whole] }) })).status, 200);
      },
    ));

  it('plays a script with failures in the provider’s words and records its verdicts', () =>
    withJudge(
      { as: 'mistral', script: [{ kind: 'overflow' }, { status: 503, message: 'busy' }, { text: 'hello' }] },
      async (judge) => {
        const answers = [await post(judge, ask()), await post(judge, ask()), await post(judge, ask())];
        assert.deepEqual(
          answers.map(({ status }) => status),
          [400, 503, 200],
        );
        assert.match(answers[0]!.text, /too large for model/);
        assert.match(answers[2]!.text, /hello/);
        assert.deepEqual(
          judge.verdicts.map(({ verdict }) => verdict),
          ['scripted failure', 'scripted failure', 'accepted'],
        );
      },
    ));

  it('azure enforces the limits of older API versions', () =>
    withJudge({ as: 'azure' }, async (judge) => {
      const old = (version: string): string => `/openai/deployments/mine/chat/completions?api-version=${version}`;
      const key = { 'api-key': 'x' };
      assert.equal((await post(judge, ask(), old('2024-10-21'), key)).status, 200);
      assert.equal((await post(judge, ask(), old('2024-10-21'))).status, 401);
      assert.match(
        (await post(judge, ask({ stream_options: { include_usage: true } }), old('2024-06-01'), key)).text,
        /Unrecognized request argument/,
      );
    }));
});

describe('the Responses API judge', () => {
  const flat = { type: 'function', name: 'read_file', parameters: readsPath, strict: false };
  const seek = (input: any[] = [user], more: object = {}): object => ({
    model: 'gpt-5.5',
    input,
    tools: [flat],
    stream: true,
    store: false,
    ...more,
  });
  const asked = { type: 'function_call', call_id: 'call_1', name: 'read_file', arguments: '{}' };
  const answered = { type: 'function_call_output', call_id: 'call_1', output: 'ok' };
  const thought = { type: 'reasoning', summary: [], encrypted_content: 'mine' };

  const verdicts: readonly [what: string, body: object, status: number, words: string][] = [
    ['a plain request', seek(), 200, 'response.completed'],
    ['a call with its output', seek([user, asked, answered]), 200, 'response.completed'],
    [
      'a picture in an output',
      seek([
        user,
        asked,
        { ...answered, output: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' }] },
      ]),
      200,
      'response.completed',
    ],
    ['a strange key of a tool', seek([user], { tools: [{ ...flat, effect: 'read' }] }), 400, 'tools[0].effect'],
    ['a strange key of an item', seek([user, { ...asked, index: 0 }, answered]), 400, 'input[1].index'],
    [
      'a strange key of a part',
      seek([{ role: 'user', content: [{ type: 'input_text', text: 'x', cache_control: {} }] }]),
      400,
      'input[0].content[0].cache_control',
    ],
    ['messages', { ...seek(), messages: [user] }, 400, "'messages'"],
    ['a call without its output', seek([user, asked]), 400, 'No tool output found'],
    ['an output without its call', seek([user, answered]), 400, 'No tool call found'],
    ['an id of another protocol', seek([user, { ...asked, id: 'call_1' }, answered]), 400, "begins with 'fc'"],
    ['a part of chat', seek([{ role: 'user', content: [{ type: 'text', text: 'x' }] }]), 400, 'Supported values'],
    ['reasoning of nobody', seek([user, thought, asked, answered]), 400, 'invalid_encrypted_content'],
    [
      'reasoning that was not stored',
      seek([user, { type: 'reasoning', id: 'rs_1', summary: [] }, asked, answered]),
      404,
      'not persisted',
    ],
    ['a temperature', seek([user], { temperature: 0 }), 400, 'temperature'],
    [
      'sealed reasoning of a model that does not reason',
      seek([user], { model: 'gpt-4.1', include: ['reasoning.encrypted_content'] }),
      400,
      'not supported with this model',
    ],
  ];
  for (const [what, body, status, words] of verdicts) {
    it(`answers ${status} to ${what}`, () =>
      withJudge({ as: 'openai' }, async (judge) => {
        const got = await post(judge, body, 'responses');
        assert.equal(got.status, status, got.text);
        assert.ok(got.text.includes(words), got.text);
      }));
  }

  it('accepts its own reasoning back only before the call that followed it', () =>
    withJudge(
      { as: 'openai', script: [{ reasoning: 'Hm.', calls: [{ name: 'read_file', args: { path: 'x' } }] }] },
      async (judge) => {
        const events = chunksIn((await post(judge, seek(), 'responses')).text);
        const [reasoning, made] = events.at(-1).response.output;
        const output = { ...answered, call_id: made.call_id };
        assert.equal((await post(judge, seek([user, reasoning, made, output]), 'responses')).status, 200);
        assert.match(
          (await post(judge, seek([user, made, reasoning, output]), 'responses')).text,
          /without its required following item/,
        );
      },
    ));

  it('exists only if the provider has that API', () =>
    withJudge({ as: 'mistral' }, async (judge) => assert.equal((await post(judge, seek(), 'responses')).status, 404)));
});
