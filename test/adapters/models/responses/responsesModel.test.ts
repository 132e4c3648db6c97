import assert from 'node:assert/strict';
import { modelFor } from '../../../../src/adapters/models/models';
import type { ChatMessage, Model, ModelReply } from '../../../../src/core/ports/model';
import { ask, problemFrom, question, withResponses } from '../../../support/ask';
import {
  brokenAfter,
  eventStream,
  failure,
  htmlPage,
  inPieces,
  raw,
  response,
  responseCalls,
  responseEvents,
  stallAfter,
  startModelServer,
  wholeResponse,
  withCrlf,
  type Answer,
  type ModelServer,
  type RecordedRequest,
} from '../../../support/modelServer';

const tools = [{ name: 'ls', description: 'List.', parameters: { type: 'object', properties: {} } }];
const inputOf = (server: ModelServer, index = 0): Record<string, any>[] =>
  server.requests[index]!.body.input as Record<string, any>[];
const heard = (reply: ModelReply): string[] =>
  reply.toolCalls.map(({ id, function: { name, arguments: text } }) => `${id} ${name} ${text}`);
/** The chat after a reply and the results of its calls. */
const continued = ({ text, reasoning, toolCalls }: ModelReply): ChatMessage[] => [
  ...question,
  {
    role: 'assistant',
    content: text,
    ...(reasoning && { reasoning }),
    ...(toolCalls.length > 0 && { tool_calls: [...toolCalls] }),
  },
  ...(toolCalls.length > 0
    ? toolCalls.map(({ id }): ChatMessage => ({ role: 'tool', tool_call_id: id, content: `result of ${id}` }))
    : [{ role: 'user', content: 'And?' } as const]),
];
const asks = (answer: Answer, model: (model: Model) => Promise<unknown> = ask) => withResponses([answer], model);

describe('a Responses API reply', () => {
  it('that never begins times out although the server reports progress', () => {
    const line = 'data: {"type":"response.in_progress","response":{"model":"test-model"}}\n\n';
    return withResponses(
      [{ ...raw(line.repeat(200)), pieceBytes: line.length, pauseMs: 50 }],
      async (model) => assert.equal((await problemFrom(ask(model))).kind, 'stalled'),
      { idleTimeoutMs: 300 },
    );
  }).timeout(60_000);

  const begun = (index: number): object => ({
    type: 'response.output_item.added',
    output_index: index,
    item: { type: 'function_call', id: `fc_${index}`, call_id: `c${index}`, name: 'ls', arguments: '' },
  });
  const piece = (index: number, delta: string): object => ({
    type: 'response.function_call_arguments.delta',
    output_index: index,
    delta,
  });
  const whole = { type: 'response.function_call_arguments.done', output_index: 2, arguments: '{"path":"b"}' };
  const completed = (type: string): object => ({ type, response: { id: 'r', status: 'completed', output: [] } });
  for (const end of ['response.completed', 'response.done'])
    it(`is complete without its list of items and their ends, at ${end}`, () =>
      withResponses(
        [
          eventStream([
            { type: 'response.output_text.delta', output_index: 0, delta: 'I look.' },
            begun(1),
            begun(2),
            piece(1, '{"path"'),
            piece(2, '{"pa'),
            piece(1, ':"a"}'),
            whole,
            completed(end),
          ]),
        ],
        async (model) => {
          const { reply } = await ask(model, { tools });
          assert.deepEqual([reply.text, reply.finishReason], ['I look.', 'tool_calls']);
          assert.deepEqual(heard(reply), ['c1 ls {"path":"a"}', 'c2 ls {"path":"b"}']);
        },
      ));

  it('has its text, reasoning, calls, usage and cached tokens, and streams', () =>
    withResponses(
      [
        response('I look.', {
          reasoning: 'Let me think.',
          calls: [
            { tool: 'ls', input: { path: '.' }, id: 'c1' },
            { tool: 'ls', input: {}, id: 'c2' },
          ],
        }),
      ],
      async (model, server) => {
        const { reply, deltas } = await ask(model, { tools });
        assert.deepEqual(
          [reply.text, reply.reasoning?.text, reply.finishReason, reply.model],
          ['I look.', 'Let me think.', 'tool_calls', 'test-model'],
        );
        assert.deepEqual(heard(reply), ['c1 ls {"path":"."}', 'c2 ls {}']);
        assert.deepEqual(reply.usage, { inputTokens: 10, outputTokens: 5, cachedTokens: 4, cost: null });
        assert.ok(reply.firstTokenMs !== null && reply.firstTokenMs > 0);
        const joined = (kind: string): string =>
          deltas
            .filter((delta) => delta.kind === kind)
            .map((delta) => ('text' in delta ? delta.text : ''))
            .join('');
        assert.deepEqual([joined('text'), joined('reasoning')], ['I look.', 'Let me think.']);
        const pieces = deltas.filter((delta) => delta.kind === 'tool');
        const { piece, call, ...last } = pieces.at(-1)!;
        assert.deepEqual(last, { kind: 'tool', tool: 'ls', bytes: 2 });
        const calls = [...new Set(pieces.map((delta) => delta.call))];
        const written = calls.map((each) => pieces.filter((delta) => delta.call === each).map((delta) => delta.piece));
        assert.deepEqual(
          written.map((each) => each.join('')),
          ['{"path":"."}', '{}'],
        );
        assert.deepEqual([calls.at(-1), piece!.length > 0], [call, true]);
        const { body, path } = server.requests[0]!;
        assert.deepEqual(
          [path, body.stream, body.store, body.include, body.tools],
          [
            '/v1/responses',
            true,
            false,
            ['reasoning.encrypted_content'],
            [{ type: 'function', ...tools[0], strict: false }],
          ],
        );
        assert.deepEqual(body.input, question);
      },
    ));

  it('is sent back with encrypted reasoning and without ids, and results name their call', () =>
    withResponses(
      [
        response('I look.', { reasoning: 'Hm.', calls: [{ tool: 'ls', input: '{ "p": 1 }', id: 'c1' }] }),
        response('done'),
      ],
      async (model, server) => {
        const { reply } = await ask(model, { tools });
        assert.equal((await ask(model, { tools, messages: continued(reply) })).reply.text, 'done');
        assert.deepEqual(inputOf(server, 1).slice(2), [
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'sealed(Hm.)' },
          { type: 'message', role: 'assistant', content: 'I look.' },
          { type: 'function_call', call_id: 'c1', name: 'ls', arguments: '{ "p": 1 }' },
          { type: 'function_call_output', call_id: 'c1', output: 'result of c1' },
        ]);
      },
    ));

  it('has the finish reason length or content_filter if it is incomplete for that reason', async () => {
    await withResponses(
      [
        responseCalls([{ tool: 'ls', input: '{"path":"src/ve' }], { incomplete: 'max_output_tokens' }),
        response('No.', { incomplete: 'content_filter' }),
      ],
      async (model) => {
        const { reply } = await ask(model);
        assert.deepEqual([reply.finishReason, reply.toolCalls[0]!.function.arguments], ['length', '{"path":"src/ve']);
        assert.equal((await ask(model)).reply.finishReason, 'content_filter');
      },
    );
  });

  it('is the same however it is split', async () => {
    const whole = response('Grüße 🙂', { calls: [{ tool: 'ls', input: { path: 'ä' }, id: 'c1' }] });
    for (const answer of [
      whole,
      inPieces(whole, 1),
      inPieces(whole, 13),
      withCrlf(whole),
      { ...whole, body: `${whole.body.toString()}data: [DONE]\n\n` },
    ]) {
      await withResponses([answer], async (model) => {
        const { reply } = await ask(model);
        assert.deepEqual([reply.text, heard(reply)], ['Grüße 🙂', ['c1 ls {"path":"ä"}']]);
      });
    }
  });

  it('is read from one JSON response, or from events whose last one lists nothing', async () => {
    await withResponses([wholeResponse({ text: 'whole', reasoning: 'hm' })], async (model) => {
      const { reply, deltas } = await ask(model);
      assert.deepEqual([reply.text, reply.reasoning?.text, deltas.length], ['whole', 'hm', 2]);
    });
    const events = responseEvents({ text: 'listed before', calls: [{ tool: 'ls', input: {}, id: 'c1' }] });
    const last = events.at(-1)!;
    await asks(
      eventStream([...events.slice(0, -1), { ...last, response: { ...last.response, output: [] } }]),
      async (model) => {
        const { reply } = await ask(model);
        assert.deepEqual([reply.text, heard(reply)], ['listed before', ['c1 ls {}']]);
      },
    );
  });

  it('gets new call ids if the conversation already uses them', () =>
    withResponses(
      [responseCalls([{ tool: 'ls', input: {}, id: 'c1' }]), responseCalls([{ tool: 'ls', input: {}, id: 'c1' }])],
      async (model) => {
        const { reply } = await ask(model, { tools });
        const { reply: again } = await ask(model, { tools, messages: continued(reply) });
        assert.notEqual(again.toolCalls[0]!.id, 'c1');
      },
    ));

  it('shows a refusal as its text', () =>
    asks(
      eventStream([
        { type: 'response.refusal.delta', output_index: 0, delta: 'I cannot.' },
        {
          type: 'response.completed',
          response: {
            status: 'completed',
            model: 'm',
            output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'I cannot.' }] }],
          },
        },
      ]),
      async (model) => assert.equal((await ask(model)).reply.text, 'I cannot.'),
    ));
});

describe('a Responses API request', () => {
  it('contains pictures as data URL parts, a limit and the user’s added fields', () =>
    withResponses(
      [response('x')],
      async (model, server) => {
        await ask(model, {
          messages: [
            question[0]!,
            { role: 'user', content: 'This?', images: [{ mediaType: 'image/png', data: 'AAAA' }] },
          ],
        });
        assert.deepEqual(inputOf(server)[1]!.content, [
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
          { type: 'input_text', text: 'This?' },
        ]);
        assert.deepEqual(
          [server.requests[0]!.body.max_output_tokens, server.requests[0]!.body.reasoning],
          [2_000, { effort: 'low' }],
        );
      },
      { maxOutputTokens: 2_000, extraBody: { reasoning: { effort: 'low' } } },
    ));

  it('is retried without unsupported parameters', () => {
    const picky = ({ body }: RecordedRequest): Answer => {
      if (body.include) return failure(400, 'Encrypted content is not supported with this model.');
      if (body.max_output_tokens) return failure(400, 'Unsupported parameter: max_output_tokens');
      return response('fine');
    };
    return withResponses(
      [picky, picky, picky, picky],
      async (model, server) => {
        assert.equal((await ask(model)).reply.text, 'fine');
        await ask(model);
        assert.equal(server.requests.length, 4);
      },
      { maxOutputTokens: 10 },
    );
  });

  it('omits the reasoning of another protocol', () =>
    withResponses([response('x')], async (model, server) => {
      await ask(model, {
        messages: [
          ...question,
          {
            role: 'assistant',
            content: 'So.',
            reasoning: { text: 'private', field: 'reasoning', details: [{ type: 'reasoning.text' }] },
          },
          { role: 'user', content: 'And?' },
        ],
      });
      assert.deepEqual(inputOf(server)[2], { type: 'message', role: 'assistant', content: 'So.' });
    }));
});

describe('a faulty Responses API server', () => {
  const whole = response('It is a long reply.', { calls: [{ tool: 'ls', input: { path: 'src' } }] });
  const length = Buffer.byteLength(whole.body.toString());

  it('cuts off the reply wherever the connection breaks before the last event', async () => {
    const lastEvent = Buffer.byteLength(whole.body.toString().split('event: response.completed')[0]!);
    for (let at = 1; at < lastEvent; at += Math.ceil(length / 23)) {
      await asks(brokenAfter(whole, at), async (model) =>
        assert.match((await problemFrom(ask(model))).kind, /^(cut|network)$/, `after ${at} bytes`),
      );
    }
  });

  it('cuts off the reply if the last event is missing', () =>
    asks(response('half', { done: false }), async (model) =>
      assert.equal((await problemFrom(ask(model))).kind, 'cut'),
    ));

  it('counts as stalled', () =>
    withResponses(
      [stallAfter(whole, 900)],
      async (model) => assert.equal((await problemFrom(ask(model))).kind, 'stalled'),
      { idleTimeoutMs: 150 },
    ));

  for (const [what, answer, kind] of [
    ['a refusal', failure(429, 'slow down'), 'rate_limit'],
    ['a wrong key', failure(401), 'authentication'],
    ['a page', htmlPage('Sign in'), 'bad_stream'],
    ['a server without that protocol', raw('Not found', { status: 404, type: 'text/plain' }), 'not_found'],
    [
      'a failure while it replies',
      eventStream([
        {
          type: 'response.failed',
          response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Too many.' } },
        },
      ]),
      'rate_limit',
    ],
    [
      'an error event',
      eventStream([{ type: 'error', code: 'server_error', message: 'The server had an error.' }]),
      'server',
    ],
    [
      'a chat that is too long',
      eventStream([
        {
          type: 'error',
          error: { code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' },
        },
      ]),
      'context_overflow',
    ],
    ['broken JSON', raw('data: {"type":\n\ndata: {"type":"response.completed"}\n\n'), 'bad_stream'],
  ] as const) {
    it(`is understood: ${what}`, () =>
      asks(answer, async (model) => assert.equal((await problemFrom(ask(model))).kind, kind)));
  }

  it('is disconnected at once when the caller stops', () =>
    withResponses([stallAfter(whole, 900)], async (model, server) => {
      const reason = new Error('stop');
      const controller = new AbortController();
      await assert.rejects(
        ask(model, { onDelta: () => controller.abort(reason) }, controller.signal),
        (error) => error === reason,
      );
      assert.equal(await server.requests[0]!.outcome, 'aborted');
    }));
});

describe('the protocol setting', () => {
  it('selects the API that a server is called with', async () => {
    const server = await startModelServer([response('in items')]);
    try {
      const model = await modelFor({
        provider: 'openai',
        protocol: 'responses',
        baseUrl: server.baseUrl,
        name: 'test-model',
      });
      assert.equal((await ask(model)).reply.text, 'in items');
      assert.equal(server.requests[0]!.path, '/v1/responses');
    } finally {
      await server.stop();
    }
  });
});
