import { strict as assert } from 'node:assert';
import { writeAtOnce, type TrajectoryFile } from '../../../../src/core/trajectory/format';
import { formatNamed, formatOf } from '../../../../src/core/trajectory/formats/formats';
import { stepsOf } from '../../../../src/core/trajectory/steps';
import { Event, type EventOf } from '../../../../src/protocol/events/event';

const lines = (...values: unknown[]): TrajectoryFile => ({
  path: 'run.jsonl',
  text: values.map((value) => JSON.stringify(value)).join('\n'),
});
const whole = (value: unknown): TrajectoryFile => ({ path: 'run.json', text: JSON.stringify(value, null, 2) });
const of = <Type extends Event['type']>(events: readonly Event[], type: Type): EventOf<Type>[] =>
  events.filter((event): event is EventOf<Type> => event.type === type);

interface Shown {
  readonly format: string | undefined;
  readonly runs: number;
  readonly rows: readonly string[];
  readonly results: readonly string[];
  readonly problems: readonly string[];
  readonly events: readonly Event[];
}

/** Returns what a user sees of a file. Asserts that every event is valid for the log. */
function shown(file: TrajectoryFile, run = 0): Shown {
  const format = formatOf([file]);
  const { events, problems, runs = 1 } = format!.reader!.read([file], { run });
  for (const event of events) Event.parse(JSON.parse(JSON.stringify(event)));
  return {
    format: format?.name,
    runs,
    events,
    rows: stepsOf(events).rows.map(({ kind, line }) => `${kind}: ${line}`),
    results: of(events, 'observation').map(({ content, outcome }) =>
      outcome === 'ok' ? content : `${outcome}: ${content}`,
    ),
    problems: problems.map(({ where, words }) => `${where}: ${words}`),
  };
}

/** Returns the file as exported in a format. */
const exported = (name: string, events: readonly Event[]): unknown =>
  JSON.parse(writeAtOnce(formatNamed(name), events, { version: '1', session: 's' })[0]!.text);

describe('ShareGPT of other programs', () => {
  const sample = {
    conversations: [
      { from: 'human', value: 'Weather in Rome and Oslo?' },
      {
        from: 'function_call',
        value:
          '[{"name": "weather", "arguments": {"city": "Rome"}}, {"name": "weather", "arguments": {"city": "Oslo"}}]',
      },
      { from: 'observation', value: '[{"degrees": 30}, {"degrees": 12}]' },
      { from: 'gpt', value: 'Warm in Rome.' },
      { from: 'human', value: 'And in Bonn?' },
      { from: 'function_call', value: '{"name": "weather", "arguments": {"city": "Bonn"}}' },
      { from: 'observation', value: '{"degrees": 20}' },
      { from: 'gpt', value: 'Mild.' },
    ],
    system: 'Answer in short.',
    tools: '[{"name": "weather", "description": "", "parameters": {}}]',
  };

  it('shows calls with their arguments, each with its result, and reads prompt and tools from the columns beside', () => {
    const { format, rows, results, problems, events } = shown(whole([sample]));
    assert.deepEqual([format, problems], ['sharegpt', []]);
    assert.deepEqual(rows, [
      'task: Weather in Rome and Oslo?',
      'step: weather · weather',
      'step: Warm in Rome.',
      'message: And in Bonn?',
      'step: weather',
      'step: Mild.',
    ]);
    assert.deepEqual(results, ['{"degrees":30}', '{"degrees":12}', '{"degrees": 20}']);
    const [started] = of(events, 'task_started');
    assert.deepEqual([started!.systemPrompt, started!.tools], ['Answer in short.', ['weather']]);
    assert.deepEqual(
      of(events, 'agent_response').flatMap(({ actions }) =>
        actions.map(({ input }) => (input as { city: string }).city),
      ),
      ['Rome', 'Oslo', 'Bonn'],
    );
  });

  it('is written back as it was, and as a chat with calls', () => {
    const { events } = shown(whole([sample]));
    assert.deepEqual(exported('sharegpt', events), sample);
    const { messages } = exported('openai', events) as { messages: { role: string; tool_calls?: unknown[] }[] };
    assert.deepEqual(
      messages.map(({ role, tool_calls: calls }) => `${role} ${calls?.length ?? ''}`.trim()),
      ['system', 'user', 'assistant 2', 'tool', 'tool', 'assistant', 'user', 'assistant 1', 'tool', 'assistant'],
    );
  });

  it('shows a call that is none as text, keeps two turns of results, and says what it does not show', () => {
    const odd = {
      conversations: [
        { from: 'human', value: 'x' },
        { from: 'function_call', value: 'lookup(7)' },
        { from: 'observation', value: 'orphan' },
        { from: 'gpt', value: [{ type: 'text', value: 'In parts.' }] },
        { from: 'ghost', value: 'boo' },
      ],
      chosen: { from: 'gpt', value: 'a' },
      rejected: { from: 'gpt', value: 'b' },
    };
    const { rows, problems, events } = shown(lines(odd));
    assert.deepEqual(rows, ['task: x', 'step: lookup(7)', 'step: In parts.']);
    assert.deepEqual(problems, [
      ': The answers to choose between (chosen, rejected) are not part of the conversation, so they are not shown.',
      'conversations[1]: It does not name a function to call, so it is shown as text.',
      'conversations[2]: It answers a call that does not exist, so it is skipped.',
      'conversations[4]: The speaker is unknown ("ghost"), so it is skipped.',
    ]);
    assert.deepEqual(exported('sharegpt', events), odd);
    const parallel = {
      conversations: [
        { from: 'human', value: 'x' },
        { from: 'function_call', value: '[{"name":"a","arguments":{}},{"name":"b","arguments":{}}]' },
        { from: 'observation', value: 'one' },
        { from: 'observation', value: 'two' },
      ],
    };
    const two = shown(lines(parallel));
    assert.deepEqual([two.results, two.problems], [['one', 'two'], []]);
    assert.deepEqual(exported('sharegpt', two.events), parallel);
  });
});

describe('chats in the words of other providers', () => {
  it('shows calls and results of the AI SDK, whose texts are values', () => {
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'What day is it?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'A clock is needed.' },
          { type: 'text', value: 'I look.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'shell', input: { command: 'date' } },
          { type: 'tool-call', toolCallId: 'c2', toolName: 'read', input: { path: 'a' } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c2', toolName: 'read', output: { type: 'json', value: { size: 3 } } },
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'shell',
            output: { type: 'error-text', value: 'no clock' },
          },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', value: 'Nobody knows.' }] },
    ];
    const { rows, results, problems, events } = shown(lines(...messages));
    assert.deepEqual(rows, ['task: What day is it?', 'step: shell: date · read: a', 'step: Nobody knows.']);
    assert.deepEqual([results, problems], [['{"size":3}', 'error: no clock'], []]);
    assert.deepEqual(
      of(events, 'agent_response').map(({ text, reasoning }) => [text, reasoning?.text]),
      [
        ['I look.', 'A clock is needed.'],
        ['Nobody knows.', undefined],
      ],
    );
    assert.deepEqual(exported('openai', events), { messages });
  });

  it('shows calls and results of Anthropic, where results are words of the user', () => {
    const chat = {
      system: [{ type: 'text', text: 'Be kind.' }],
      messages: [
        { role: 'user', content: 'List it.' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'ls will do.', signature: 's' },
            { type: 'text', text: 'I list it.' },
            { type: 'tool_use', id: 't1', name: 'bash', input: { command: 'ls' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', is_error: true, content: [{ type: 'text', text: 'denied' }] },
            { type: 'text', text: 'Try again.' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'redacted_thinking', data: 'x' },
            { type: 'text', text: 'Done.' },
          ],
        },
      ],
    };
    const { format, rows, results, problems, events } = shown(whole(chat));
    assert.deepEqual([format, problems, results], ['openai', [], ['error: denied']]);
    assert.deepEqual(rows, ['task: List it.', 'step: bash: ls', 'message: Try again.', 'step: Done.']);
    assert.deepEqual(
      of(events, 'agent_response').map(({ reasoning }) => reasoning?.text),
      ['ls will do.', '[redacted by the provider]'],
    );
    assert.equal(of(events, 'task_started')[0]!.systemPrompt, 'Be kind.');
    assert.deepEqual(exported('openai', events), { messages: chat.messages, system: chat.system });
  });

  it('shows calls and results of Gemini and of the Responses API', () => {
    const gemini = shown(
      whole([
        { role: 'user', parts: [{ text: 'Add.' }] },
        { role: 'model', parts: [{ text: 'Hm.', thought: true }, { functionCall: { name: 'add', args: { a: 1 } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'add', response: { result: '2' } } }] },
        { role: 'model', parts: [{ text: 'Two.' }] },
      ]),
    );
    assert.deepEqual(
      [gemini.rows, gemini.results, gemini.problems],
      [['task: Add.', 'step: add', 'step: Two.'], ['2'], []],
    );
    const items = shown(
      lines(
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Think.' }] },
        { type: 'function_call', call_id: 'c', name: 'run', arguments: '{"command":"ls"}' },
        { type: 'function_call_output', call_id: 'c', output: 'a.ts' },
        { type: 'web_search_call', id: 'w', action: { query: 'x' } },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Seen.' }] },
      ),
    );
    assert.deepEqual(
      [items.rows, items.results, items.problems],
      [['task: Go.', 'step: Think.', 'step: run: ls', 'step: web_search: x', 'step: Seen.'], ['a.ts'], []],
    );
  });

  it('shows no message as empty that holds something: pictures elsewhere, sound, refusals, kinds that nobody knows', () => {
    const message = (role: string, content: unknown): object => ({ role, content });
    const { rows, problems } = shown(
      whole([
        message('user', [{ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }]),
        { role: 'assistant', content: null, refusal: 'No.' },
        message('user', [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }]),
        message('assistant', [{ type: 'refusal', refusal: 'Not that.' }]),
        message('user', [{ type: 'hologram', beam: 7 }]),
        message('assistant', { answer: 42 }),
        message('user', [{ type: 'file', file: { filename: 'plan.pdf', file_data: 'data:x' } }]),
        message('assistant', { type: 'text', value: 'One part.' }),
      ]),
    );
    assert.deepEqual(rows, [
      'task: [image: https://example.org/a.png]',
      'step: No.',
      'message: [audio: wav]',
      'step: Not that.',
      'message: {"type":"hologram","beam":7}',
      'step: {"answer":42}',
      'message: [file: plan.pdf]',
      'step: One part.',
    ]);
    assert.deepEqual(problems, [
      'messages[4]: It contains parts of an unknown kind ("hologram"). They are shown as JSON.',
      'messages[5]: Its content is neither text nor a list of parts, so it is shown as JSON.',
    ]);
  });
});

describe('logs of requests', () => {
  const answer = (message: object, finish = 'stop'): object => ({
    id: 'r',
    model: 'gpt-x-2026',
    choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', ...message } }],
    usage: { prompt_tokens: 10, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 4 } },
  });
  const call = { id: 'c1', type: 'function', function: { name: 'run', arguments: '{"command":"ls"}' } };
  const logged = lines(
    {
      id: '1',
      call_type: 'acompletion',
      model: 'gpt-x',
      startTime: '2026-01-24 09:20:46.000',
      endTime: '2026-01-24 09:20:48.500',
      response_cost: 0.25,
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'List it.' },
      ],
      response: answer({ content: null, tool_calls: [call] }, 'tool_calls'),
    },
    {
      id: '2',
      call_type: 'acompletion',
      model: 'gpt-x',
      status: 'failure',
      messages: [{ role: 'user', content: 'Again.' }],
      response: null,
      error_str: 'RateLimitError: too many requests',
    },
    {
      request_id: '3',
      call_type: 'acompletion',
      model: 'gpt-x',
      spend: 0.5,
      messages: '{}',
      response: '{}',
      proxy_server_request: '{}',
    },
    {
      request_id: '4',
      call_type: 'acompletion',
      model: 'gpt-x',
      spend: 0.5,
      messages: '[{"role":"user","content":"As text."}]',
      response: JSON.stringify(answer({ content: 'Read.' })),
    },
    {
      id: '5',
      call_type: 'aresponses',
      messages: [{ role: 'user', content: 'Items.' }],
      response: {
        object: 'response',
        status: 'completed',
        output: [
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I run it.' }] },
          { type: 'function_call', call_id: 'q', name: 'run', arguments: '{}' },
          { type: 'novelty' },
        ],
        usage: { input_tokens: 3, output_tokens: 4 },
      },
    },
    {
      id: '6',
      messages: [{ role: 'user', content: 'Plain.' }],
      response: {
        role: 'assistant',
        content: [{ type: 'text', text: 'From Anthropic.' }],
        model: 'c',
        stop_reason: 'end_turn',
        usage: { input_tokens: 1, output_tokens: 2 },
      },
    },
  );

  it('of LiteLLM show what was answered, with tokens, cost and time', () => {
    const { format, runs, rows, problems, events } = shown(logged);
    assert.deepEqual([format, runs, problems], ['request-log', 6, []]);
    assert.deepEqual(rows, ['task: List it.', 'step: run: ls']);
    const [reply] = of(events, 'agent_response');
    assert.deepEqual(
      [reply!.usage, reply!.model, reply!.finishReason, reply!.durationMs],
      [{ inputTokens: 10, outputTokens: 20, cachedTokens: 4, cost: 0.25 }, 'gpt-x-2026', 'tool_calls', 2500],
    );
    assert.deepEqual(exported('openai', events), {
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'List it.' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: 'This call has not reported yet.' },
      ],
    });
  });

  it('of LiteLLM show failures, say where nothing was kept, and read JSON that a database keeps as text', () => {
    assert.deepEqual(shown(logged, 1).rows, ['task: Again.', 'finished: RateLimitError: too many requests']);
    const empty = shown(logged, 2);
    assert.deepEqual(
      [empty.rows.at(-1), empty.problems],
      [
        'notice: It contains neither messages nor an answer. The program that wrote the log may be configured to omit them.',
        [
          'line 3: It contains neither messages nor an answer. The program that wrote the log may be configured to omit them.',
        ],
      ],
    );
    assert.deepEqual(shown(logged, 3).rows, ['task: As text.', 'step: Read.']);
    const items = shown(logged, 4);
    assert.deepEqual(
      [items.rows, items.problems],
      [
        ['task: Items.', 'step: run'],
        ['line 5, response.output[3]: The item kind "novelty" is unknown, so the item is skipped.'],
      ],
    );
    assert.deepEqual(
      of(items.events, 'agent_response').map(({ text, reasoning }) => [text, reasoning?.text]),
      [['I run it.', 'Hm.']],
    );
    assert.deepEqual(shown(logged, 5).rows, ['task: Plain.', 'step: From Anthropic.']);
  });

  it('of batches show input, output, and requests that failed', () => {
    const input = lines(
      {
        custom_id: 'a',
        method: 'POST',
        url: '/v1/chat/completions',
        body: { model: 'm', messages: [{ role: 'user', content: 'Hi.' }] },
      },
      { custom_id: 'b', method: 'POST', url: '/v1/responses', body: { model: 'm', input: 'Ho.' } },
    );
    assert.deepEqual([shown(input).rows, shown(input, 1).rows], [['task: Hi.'], ['task: Ho.']]);
    const output = lines(
      { id: 'b1', custom_id: 'a', response: { status_code: 200, body: answer({ content: 'Hello.' }) }, error: null },
      {
        id: 'b2',
        custom_id: 'b',
        response: { status_code: 400, body: { error: { message: 'Bad request.' } } },
        error: null,
      },
      { id: 'b3', custom_id: 'c', response: null, error: { code: 'batch_expired', message: 'Too late.' } },
    );
    assert.deepEqual(
      [shown(output).rows.at(-1), shown(output).problems],
      ['step: Hello.', ['line 1: It contains only the answer, not the request.']],
    );
    assert.deepEqual(
      [shown(output, 1).rows.at(-1), shown(output, 2).rows.at(-1)],
      ['finished: Bad request.', 'finished: Too late.'],
    );
  });

  it('are no chats of which nothing was asked, and those are no logs', () => {
    assert.equal(
      shown(
        lines({
          messages: [
            { role: 'user', content: 'x' },
            { role: 'assistant', content: 'y' },
          ],
          metadata: {},
        }),
      ).format,
      'openai',
    );
    for (const value of [{ response: 'x' }, { input: 'x' }, { model: 'm', status: 'ok' }, { body: {} }])
      assert.equal(formatOf([whole(value)]), undefined, JSON.stringify(value));
  });
});

describe('events of OpenHands in one file', () => {
  const events = [
    {
      id: 'e0',
      timestamp: '2026-05-06T23:40:09.000000',
      source: 'environment',
      key: 'stats',
      value: {},
      kind: 'ConversationStateUpdateEvent',
    },
    {
      id: 'e1',
      timestamp: '2026-05-06T23:40:10.000000',
      source: 'agent',
      system_prompt: { type: 'text', text: 'Be good.' },
      tools: [],
      kind: 'SystemPromptEvent',
    },
    {
      id: 'e2',
      timestamp: '2026-05-06T23:40:10.000000',
      source: 'user',
      llm_message: { role: 'user', content: [{ type: 'text', text: 'Fix it.' }] },
      kind: 'MessageEvent',
    },
    {
      id: 'e3',
      timestamp: '2026-05-06T23:40:11.000000',
      source: 'agent',
      thought: [{ type: 'text', text: 'I look.' }],
      action: { command: 'ls', kind: 'TerminalAction' },
      tool_name: 'terminal',
      tool_call_id: 'c1',
      tool_call: { id: 'c1', name: 'terminal', arguments: '{"command":"ls"}' },
      llm_response_id: 'r1',
      kind: 'ActionEvent',
    },
    {
      id: 'e4',
      timestamp: '2026-05-06T23:40:12.000000',
      source: 'environment',
      tool_name: 'terminal',
      tool_call_id: 'c1',
      observation: { content: [{ type: 'text', text: 'a.ts' }], exit_code: 0, kind: 'TerminalObservation' },
      action_id: 'e3',
      kind: 'ObservationEvent',
    },
    {
      id: 'e5',
      timestamp: '2026-05-06T23:40:13.000000',
      source: 'agent',
      llm_message: { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
      kind: 'MessageEvent',
    },
    { id: 'e6', source: 'agent', kind: 'NewEvent' },
  ];
  const rows = ['task: Fix it.', 'step: terminal: ls', 'step: Done.'];

  it('are read line by line, as a list, and as the history of a benchmark, and what is not known is named by its place', () => {
    for (const [file, place] of [
      [lines(...events), 'line 7'],
      [whole(events), '[6]'],
      [
        lines({ instance_id: 'a', history: events }, { instance_id: 'b', history: events.slice(0, 3) }),
        'line 1, history[6]',
      ],
    ] as const) {
      const read = shown(file);
      assert.deepEqual([read.format, read.rows, read.results], ['openhands', rows, ['a.ts']], place);
      assert.deepEqual(read.problems, [`${place}: The event kind NewEvent is unknown, so the event is skipped.`]);
    }
    const second = shown(lines({ history: events }, { history: events.slice(0, 3) }), 1);
    assert.deepEqual([second.runs, second.rows], [2, ['task: Fix it.']]);
  });
});

describe('trajectories of SWE-agent', () => {
  const document = {
    environment: 'swe_main',
    replay_config: '{"agent": {"model": {"name": "gpt-x"}}}',
    info: { exit_status: 'submitted', submission: 'diff --git a b\n', model_stats: { api_calls: 2 } },
    history: [
      { role: 'system', content: 'S', agent: 'main' },
      { role: 'user', content: 'A demonstration.', agent: 'main', is_demo: true },
      { role: 'user', content: 'Fix it.', agent: 'main' },
      { role: 'assistant', content: 'I look.', agent: 'main' },
    ],
    trajectory: [
      {
        action: 'ls\n',
        observation: 'a.py\n',
        response: 'I look.\n```\nls\n```',
        thought: 'I look.',
        execution_time: 0.25,
        state: '{}',
      },
      { action: '', observation: 'Give a command.', response: 'Hm.', thought: 'Hm.', state: '{}' },
      { action: 'submit', observation: '', response: 'x', thought: 'Ready.', state: '{}' },
    ],
  };

  it('show steps, results and the end, and are no files of its little sister', () => {
    const { format, rows, results, problems, events } = shown({ path: 'a.traj', text: JSON.stringify(document) });
    assert.deepEqual([format, problems], ['swe-agent', []]);
    assert.deepEqual(rows, [
      'task: Fix it.',
      'message: A demonstration.',
      'step: bash: ls',
      'step: Hm.',
      'message: Give a command.',
      'step: bash: submit',
      'finished: diff --git a b',
    ]);
    assert.deepEqual(
      [results, of(events, 'task_started')[0]!.model.name, of(events, 'finished')[0]!.status],
      [['a.py\n', ''], 'gpt-x', 'submitted'],
    );
  });

  it('that hold a history only are read as that', () => {
    const { format, rows } = shown(
      whole({ history: document.history.filter((message) => !('is_demo' in message)), trajectory: [], info: {} }),
    );
    assert.deepEqual([format, rows], ['swe-agent', ['task: Fix it.', 'step: I look.']]);
  });
});
