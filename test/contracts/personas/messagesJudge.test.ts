// Tests the judge of Anthropic's own protocol: what it must accept and refuse, as observed with the real provider.
import assert from 'node:assert/strict';
import { startJudge, type Judge, type Step } from '../../support/providerJudge/judgeServer';

type Body = Record<string, any>;

const user = { role: 'user', content: 'hi' };
const tool = { name: 'read_file', description: 'Reads.', input_schema: { type: 'object', properties: {} } };
const use = (id = 'toolu_1', more: object = {}): object => ({
  type: 'tool_use',
  id,
  name: 'read_file',
  input: {},
  ...more,
});
const result = (id = 'toolu_1', more: object = {}): object => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'ok',
  ...more,
});
const text = (words: string, more: object = {}): object => ({ type: 'text', text: words, ...more });
const turn = (asked: object[], answered: object[]): Body[] => [
  user,
  { role: 'assistant', content: asked },
  { role: 'user', content: answered },
];
const ask = (more: Body = {}): Body => ({
  model: 'claude-opus-4-6',
  max_tokens: 1_000,
  messages: [user],
  tools: [tool],
  stream: true,
  ...more,
});
const mark = { cache_control: { type: 'ephemeral' } };
const picture = (source: object): object => ({ type: 'image', source });
const png = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
const signed = { type: 'thinking', thinking: 'Hm.', signature: 'of nobody' };
const usual = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' };

async function post(
  { baseUrl }: Judge,
  body: Body,
  headers: Record<string, string> = usual,
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${baseUrl}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

async function withJudge(script: readonly Step[], use: (judge: Judge) => Promise<void>): Promise<void> {
  const judge = await startJudge({ as: 'anthropic-messages', script });
  try {
    await use(judge);
  } finally {
    await judge.stop();
  }
}

const eventsIn = (stream: string): Body[] =>
  stream
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as Body);

/** The assembled blocks of a streamed reply. */
function blocksIn(stream: string): Body[] {
  const blocks: Body[] = [];
  for (const { type, index, content_block: begun, delta } of eventsIn(stream)) {
    if (type === 'content_block_start') blocks[index] = { ...begun, ...(begun.type === 'tool_use' && { input: '' }) };
    if (delta?.type === 'text_delta') blocks[index]!.text += delta.text;
    if (delta?.type === 'thinking_delta') blocks[index]!.thinking += delta.thinking;
    if (delta?.type === 'signature_delta') blocks[index]!.signature += delta.signature;
    if (delta?.type === 'input_json_delta') blocks[index]!.input += delta.partial_json;
  }
  return blocks.map((block) =>
    block.type === 'tool_use' ? { ...block, input: JSON.parse(block.input || '{}') as unknown } : block,
  );
}

describe('the Anthropic Messages API judge', () => {
  const accepted: readonly [what: string, body: Body][] = [
    ['a plain request', ask()],
    ['a call with its result', ask({ messages: turn([use()], [result()]) })],
    [
      'results and words behind them',
      ask({ messages: turn([use('a'), use('b')], [result('b'), result('a'), text('And?')]) }),
    ],
    [
      'results in two messages of one side',
      ask({ messages: [...turn([use('a'), use('b')], [result('b')]), { role: 'user', content: [result('a')] }] }),
    ],
    ['pictures', ask({ messages: turn([use()], [result('toolu_1', { content: [picture(png)] }), picture(png)]) })],
    [
      'four marks',
      ask({
        system: [text('a', mark)],
        tools: [{ ...tool, ...mark }],
        messages: turn([use('toolu_1', mark)], [result('toolu_1', mark)]),
      }),
    ],
    [
      'thinking by a budget',
      ask({ model: 'claude-sonnet-4-5', thinking: { type: 'enabled', budget_tokens: 1_024 }, max_tokens: 2_000 }),
    ],
    [
      'adaptive thinking',
      ask({ thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'max' } }),
    ],
    ['no call any more', ask({ tool_choice: { type: 'none' } })],
  ];
  for (const [what, body] of accepted) {
    it(`accepts ${what}`, () =>
      withJudge([], async (judge) => {
        const got = await post(judge, body);
        assert.equal(got.status, 200, got.text);
        assert.equal(eventsIn(got.text).at(-1)!.type, 'message_stop');
      }));
  }

  const refused: readonly [what: string, body: Body, words: string][] = [
    ['a strange key', ask({ n: 1 }), 'n: Extra inputs are not permitted'],
    ['a strange key of a tool', ask({ tools: [{ ...tool, effect: 'read' }] }), 'tools.0.custom.effect: Extra inputs'],
    [
      'a strange key of a block',
      ask({ messages: turn([use('toolu_1', { signature: 'x' })], [result()]) }),
      'messages.1.content.0.tool_use.signature: Extra inputs',
    ],
    ['a strange key of a message', ask({ messages: [{ ...user, origin: 'x' }] }), 'messages.0.origin: Extra inputs'],
    ['no limit', ask({ max_tokens: undefined }), 'max_tokens: Field required'],
    [
      'too high a limit',
      ask({ model: 'claude-opus-4-1', max_tokens: 64_000 }),
      'which is the maximum allowed number of output tokens',
    ],
    ['a late system message', ask({ messages: [user, { role: 'system', content: 'x' }] }), 'Unexpected role'],
    [
      'a first word of the model',
      ask({ messages: [{ role: 'assistant', content: 'x' }, user] }),
      'first message must use',
    ],
    ['a last word of the model', ask({ messages: [user, { role: 'assistant', content: 'x' }] }), 'prefill'],
    ['empty text', ask({ messages: [{ role: 'user', content: [text('')] }] }), 'must be non-empty'],
    ['blank text', ask({ messages: [{ role: 'user', content: [text(' \n')] }] }), 'non-whitespace'],
    ['nothing at all', ask({ messages: [{ role: 'user', content: [] }] }), 'non-empty content'],
    [
      'words before results',
      ask({ messages: turn([use()], [text('And?'), result()]) }),
      'without `tool_result` blocks immediately after',
    ],
    ['a call without a result', ask({ messages: turn([use()], [text('And?')]) }), 'without `tool_result` blocks'],
    ['a result without a call', ask({ messages: [{ role: 'user', content: [result()] }] }), 'unexpected `tool_use_id`'],
    ['two results of a call', ask({ messages: turn([use()], [result(), result()]) }), 'single result'],
    [
      'an id of others',
      ask({ messages: turn([use('call:1')], [result('call:1')]) }),
      'tool_use.id: String should match',
    ],
    ['arguments as text', ask({ messages: turn([use('toolu_1', { input: '{}' })], [result()]) }), 'valid dictionary'],
    ['calls without tools', ask({ tools: [], messages: turn([use()], [result()]) }), 'must define tools'],
    [
      'a picture of another kind',
      ask({ messages: [{ role: 'user', content: [picture({ ...png, media_type: 'image/tiff' })] }] }),
      "Input should be 'image/jpeg'",
    ],
    [
      'five marks',
      ask({
        system: [text('a', mark), text('b', mark)],
        messages: [{ role: 'user', content: [text('c', mark), text('d', mark), text('e', mark)] }],
      }),
      'A maximum of 4 blocks',
    ],
    [
      'a mark on thinking',
      ask({ messages: turn([{ ...signed, ...mark }, use()], [result()]) }),
      'thinking.cache_control: Extra inputs',
    ],
    ['thinking of nobody', ask({ messages: turn([signed, use()], [result()]) }), 'Invalid `signature`'],
    [
      'a loop that does not begin with thinking',
      ask({
        model: 'claude-sonnet-4-5',
        thinking: { type: 'enabled', budget_tokens: 1_024 },
        max_tokens: 2_000,
        messages: turn([use()], [result()]),
      }),
      'must start with a thinking block',
    ],
    [
      'a budget above the limit',
      ask({ model: 'claude-sonnet-4-5', thinking: { type: 'enabled', budget_tokens: 1_024 } }),
      'must be greater than',
    ],
    [
      'a budget for a later model',
      ask({ model: 'claude-opus-4-7', thinking: { type: 'enabled', budget_tokens: 1_024 }, max_tokens: 2_000 }),
      'Use "thinking.type.adaptive"',
    ],
    [
      'adaptive thinking of an earlier model',
      ask({ model: 'claude-haiku-4-5', thinking: { type: 'adaptive' } }),
      'not supported on this model',
    ],
    ['a temperature beside thinking', ask({ thinking: { type: 'adaptive' }, temperature: 0 }), 'may only be set to 1'],
    ['a temperature for a later model', ask({ model: 'claude-opus-5', temperature: 1 }), 'deprecated'],
    ['a choice in OpenAI’s words', ask({ tool_choice: 'none' }), 'tool_choice'],
    [
      'combinators at the root',
      ask({ tools: [{ ...tool, input_schema: { type: 'object', anyOf: [] } }] }),
      'does not support oneOf',
    ],
    [
      'a beta field without its header',
      ask({ thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } } }),
      'block_binding: Extra inputs',
    ],
  ];
  for (const [what, body, words] of refused) {
    it(`refuses ${what}`, () =>
      withJudge([], async (judge) => {
        const got = await post(judge, body);
        assert.equal(got.status, 400, got.text);
        assert.ok((JSON.parse(got.text) as Body).error.message.includes(words), got.text);
      }));
  }

  it('requires a key and a version', () =>
    withJudge([], async (judge) => {
      assert.equal((await post(judge, ask(), { 'anthropic-version': '2023-06-01' })).status, 401);
      assert.match((await post(judge, ask(), { 'x-api-key': 'k' })).text, /anthropic-version/);
    }));

  const thinks: Step = {
    text: 'I look.',
    reasoning: 'Hm, a note.',
    calls: [{ name: 'read_file', args: { path: 'x' } }],
  };

  it('accepts thinking back only unchanged, in its place and for its model', () =>
    withJudge([thinks], async (judge) => {
      const thinking = { type: 'adaptive', display: 'summarized' };
      const blocks = blocksIn((await post(judge, ask({ thinking }))).text);
      assert.deepEqual(
        blocks.map(({ type }) => type),
        ['thinking', 'redacted_thinking', 'text', 'thinking', 'tool_use'],
      );
      const [first, hidden, words, again, call] = blocks as [Body, Body, Body, Body, Body];
      const back = (content: Body[], more: Body = {}): Body =>
        ask({ thinking, messages: turn(content, [result(call.id as string)]), ...more });
      const refusalOf = async (body: Body): Promise<string> =>
        (JSON.parse((await post(judge, body)).text) as Body).error.message as string;
      assert.equal((await post(judge, back([...blocks]))).status, 200);
      assert.equal((await post(judge, back([words, call]))).status, 200);
      assert.match(
        await refusalOf(back([{ ...first, thinking: 'Hm.' }, hidden, words, again, call])),
        /cannot be modified/,
      );
      assert.match(await refusalOf(back([first, hidden, again, words, call])), /cannot be modified/);
      assert.match(await refusalOf(back(blocks, { model: 'claude-opus-4-7' })), /Invalid `signature`/);
    }));

  it('binds the thinking of later models to the preceding chat, unless it may be dropped', () =>
    withJudge([thinks], async (judge) => {
      const model = 'claude-opus-5-5';
      const blocks = blocksIn((await post(judge, ask({ model, system: 'Work.' }))).text);
      const body = (system: string, more: Body = {}): Body =>
        ask({ model, system, messages: turn(blocks, [result(blocks.at(-1)!.id as string)]), ...more });
      assert.equal((await post(judge, body('Work.'))).status, 200);
      assert.match((await post(judge, body('Rest.'))).text, /bound to a different conversation/);
      const drops = { thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } } };
      assert.equal(
        (
          await post(judge, body('Rest.', drops), {
            ...usual,
            'anthropic-beta': 'thinking-binding-controls-2026-08-01',
          })
        ).status,
        200,
      );
    }));
});
