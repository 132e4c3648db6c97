import { strict as assert } from 'node:assert';
import { formatNamed, formatOf } from '../../../../src/core/trajectory/formats/formats';
import { writeAtOnce, type TrajectoryFile } from '../../../../src/core/trajectory/format';
import { Event, type EventOf } from '../../../../src/protocol/events/event';

const context = { version: '1.2.3', session: 'session' };
const file = (path: string, ...values: unknown[]): TrajectoryFile => ({
  path,
  text: values.map((value) => JSON.stringify(value)).join('\n'),
});
const of = <Type extends Event['type']>(events: readonly Event[], type: Type): EventOf<Type>[] =>
  events.filter((event): event is EventOf<Type> => event.type === type);

/**
 * Asserts that the files are read without a problem, are valid for the log, and are written back with the same values.
 */
function wellFormed(name: string, files: readonly TrajectoryFile[]): readonly Event[] {
  const format = formatNamed(name);
  assert.equal(formatOf(files)?.name, name);
  const { events, problems } = format.reader!.read(files);
  assert.deepEqual(problems, []);
  assert.deepEqual(
    events.map((event) => Event.parse(JSON.parse(JSON.stringify(event)))),
    events,
  );
  const values = (all: readonly TrajectoryFile[]): unknown[] =>
    all.flatMap(({ text }) =>
      text
        .trimEnd()
        .split(/\n(?=\{)/)
        .map((line) => JSON.parse(line) as unknown),
    );
  assert.deepEqual(values(writeAtOnce(format, events, context)), values(files));
  return events;
}

describe('files of other programs', () => {
  it('of mini-swe-agent 2 come back with all that its provider and its environment said', () => {
    const events = wellFormed('mini', [
      file('a.traj.json', {
        info: {
          model_stats: { instance_cost: 0.0375, api_calls: 3 },
          mini_version: '2.4.6',
          exit_status: 'Submitted',
          submission: 'diff --git a b\n',
          config: {
            agent: {
              system_template: 'S {{x}}',
              instance_template: 'I',
              step_limit: 250,
              cost_limit: 3.0,
              mode: 'confirm',
              whitelist_actions: ['^ls'],
            },
            agent_type: 'minisweagent.agents.default.DefaultAgent',
            model: { model_name: 'gpt-5', model_kwargs: { drop_params: true } },
            model_type: 'm',
            environment: { cwd: '/testbed', env: { PAGER: 'cat' } },
            environment_type: 'e',
          },
        },
        instance_id: 'django__django-1',
        trajectory_format: 'mini-swe-agent-1.1',
        messages: [
          { role: 'system', content: 'You solve tasks.', extra: { note: 1 } },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Fix it.' },
              { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
            ],
          },
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'c1', type: 'function', index: 0, function: { name: 'bash', arguments: '{"command": "ls -la"}' } },
            ],
            provider_specific_fields: { refusal: null },
            reasoning_content: 'Look first.',
            thinking_blocks: [{ type: 'thinking', thinking: 'Look first.', signature: 'x' }],
            extra: {
              actions: [{ command: 'ls -la', tool_call_id: 'c1' }],
              response: {
                id: 'r1',
                model: 'gpt-5-2026',
                choices: [{ finish_reason: 'tool_calls', index: 0, message: {} }],
                usage: {
                  prompt_tokens: 100,
                  completion_tokens: 20,
                  total_tokens: 120,
                  prompt_tokens_details: { cached_tokens: 64 },
                },
              },
              cost: 0.0125,
              timestamp: 1790000000.1234567,
            },
          },
          {
            role: 'tool',
            tool_call_id: 'c1',
            content: '{"returncode": 0, "output": "a\\u003cb"}',
            extra: { raw_output: 'a<b', returncode: 0, timestamp: 1790000001.5, exception_info: '', container: 'x' },
          },
          {
            role: 'user',
            content: 'No tool call was found.',
            extra: {
              interrupt_type: 'FormatError',
              response: { choices: [{ message: { role: 'assistant', content: 'I am done.' } }] },
              cost: 0.0125,
              timestamp: 1790000002,
            },
          },
          {
            role: 'assistant',
            content: 'Submit.',
            tool_calls: [{ id: 'c2', type: 'function', function: { name: 'bash', arguments: '{"command":"submit"}' } }],
            extra: {
              actions: [{ command: 'submit', tool_call_id: 'c2' }],
              response: {},
              cost: 0.0125,
              timestamp: 1790000003,
            },
          },
          {
            role: 'exit',
            content: 'diff --git a b\n',
            extra: { exit_status: 'Submitted', submission: 'diff --git a b\n' },
          },
        ],
      }),
    ]);
    const [first, faulty] = of(events, 'agent_response');
    assert.deepEqual(
      [first!.usage, first!.model, first!.reasoning?.text, first!.actions[0]!.input],
      [
        { inputTokens: 100, outputTokens: 20, cachedTokens: 64, cost: 0.0125 },
        'gpt-5-2026',
        'Look first.',
        { command: 'ls -la' },
      ],
    );
    assert.deepEqual([faulty!.text, of(events, 'feedback')[0]!.hidesReply], ['I am done.', true]);
    const [seen, submitted] = of(events, 'observation');
    assert.deepEqual(
      [seen!.content, seen!.worded, submitted!.content],
      ['a<b', '{"returncode": 0, "output": "a\\u003cb"}', 'COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\ndiff --git a b\n'],
    );
    assert.deepEqual(
      [
        of(events, 'task_started')[0]!.title,
        of(events, 'task_started')[0]!.limits.steps,
        of(events, 'finished')[0]!.status,
      ],
      ['django__django-1', 250, 'submitted'],
    );
  });

  it('of mini-swe-agent 1 and bare lists of messages are read, with the commands in their text', () => {
    const fence = '```';
    const messages = [
      { role: 'system', content: 'S' },
      { role: 'user', content: 'Fix it.' },
      { role: 'assistant', content: `THOUGHT: look\n\n${fence}bash\nls\n${fence}` },
      { role: 'user', content: '<returncode>2</returncode>\n<output>\nno\n</output>' },
      { role: 'assistant', content: 'Nothing here.' },
      { role: 'user', content: 'Give one command.' },
      { role: 'assistant', content: `${fence}bash\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n${fence}` },
      { role: 'user', content: 'done' },
    ];
    for (const value of [
      messages,
      { info: { exit_status: 'Submitted', submission: 'done' }, messages, trajectory_format: 'mini-swe-agent-1' },
    ]) {
      const { events, problems } = formatNamed('mini').reader!.read([file('old.traj.json', value)]);
      assert.deepEqual(problems, []);
      assert.deepEqual(
        of(events, 'agent_response').map(({ text, actions }) => [
          text,
          actions.map(({ input }) => (input as any).command),
        ]),
        [
          ['THOUGHT: look', ['ls']],
          ['Nothing here.', []],
          ['', ['echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT']],
        ],
      );
      assert.deepEqual(
        of(events, 'observation').map(({ outcome, content }) => [outcome, content]),
        [
          ['error', 'no\n'],
          ['ok', 'done'],
        ],
      );
      assert.deepEqual(
        of(events, 'user_message').map(({ text }) => text),
        ['Give one command.'],
      );
      assert.deepEqual(
        of(events, 'finished').map(({ status }) => status),
        Array.isArray(value) ? [] : ['submitted'],
      );
    }
  });

  it('of Hermes Agent and its batches come back, whatever stands beside the conversation', () => {
    const conversations = [
      {
        from: 'system',
        value:
          'Tools:\n<tools>\n[{"name": "terminal", "description": "", "parameters": {}, "required": null}]\n</tools>',
      },
      { from: 'human', value: 'Do it.' },
      {
        from: 'gpt',
        value:
          '<think>\nHm.\n</think>\nI look.\n<tool_call>\n{"name": "terminal", "arguments": {"command": "ls", "n": 1.0}}\n</tool_call>\n<tool_call>\n{"name": "todo", "arguments": {}}\n</tool_call>',
      },
      {
        from: 'tool',
        value:
          '<tool_response>\n{"tool_call_id": "a", "name": "terminal", "content": {"output": "x", "exit_code": 0}}\n</tool_response>\n<tool_response>\n{"tool_call_id": "b", "name": "todo", "content": "none"}\n</tool_response>',
      },
      { from: 'gpt', value: '<think>\n</think>\nDone.' },
    ];
    const events = wellFormed('sharegpt', [
      file('trajectories.jsonl', {
        prompt_index: 3,
        conversations,
        metadata: { batch_num: 1, timestamp: '2026-09-21T10:00:00.123456', model: 'claude' },
        completed: true,
        partial: false,
        api_calls: 2,
        toolsets_used: ['terminal'],
        tool_stats: { terminal: { count: 1 } },
      }),
    ]);
    assert.deepEqual(
      of(events, 'task_started').map(({ tools, model, systemPrompt }) => [
        tools,
        model.name,
        systemPrompt!.slice(0, 6),
      ]),
      [[['terminal'], 'claude', 'Tools:']],
    );
    assert.deepEqual(
      of(events, 'agent_response').map(({ text, reasoning, actions }) => [
        text,
        reasoning?.text,
        actions.map(({ id, tool }) => `${id} ${tool}`),
      ]),
      [
        ['I look.', 'Hm.', ['a terminal', 'b todo']],
        ['Done.', undefined, []],
      ],
    );
    assert.deepEqual(
      of(events, 'observation').map(({ content }) => content),
      ['{"output": "x", "exit_code": 0}', 'none'],
    );
    const { reader } = formatNamed('sharegpt');
    const several = file(
      'x.jsonl',
      { conversations: [{ from: 'human', value: 'One' }] },
      {
        conversations: [
          { from: 'user', value: 'Two' },
          { from: 'assistant', value: 'Yes.' },
        ],
      },
    );
    const second = reader!.read([several], { run: 1 });
    assert.deepEqual(
      [second.runs, of(second.events, 'task_started')[0]!.task, reader!.read([several], { run: 2 }).events],
      [2, 'Two', []],
    );
  });

  it('of OpenHands come back, events that say nothing about the run as well', () => {
    const stamp = (second: number): string => `2026-09-21T10:00:0${second}.123456`;
    const text = (words: string): object => ({
      cache_prompt: false,
      type: 'text',
      text: words,
      enable_truncation: true,
    });
    const events = wellFormed(
      'openhands',
      (
        [
          [
            'base_state.json',
            {
              id: 'cd945624-03b9-487e-bdd4-018e3f531dfd',
              agent: {
                llm: { model: 'openai/gpt-4o-mini', api_key: '**********', usage_id: 'agent' },
                tools: [{ name: 'terminal', params: {} }],
                kind: 'Agent',
              },
              workspace: { working_dir: '/work', kind: 'LocalWorkspace' },
              max_iterations: 40,
              execution_status: 'finished',
              tags: { a: 'b' },
              stats: {
                usage_to_metrics: {
                  agent: {
                    costs: [{ model: 'm', cost: 0.5, timestamp: 1 }],
                    token_usages: [{ prompt_tokens: 9, completion_tokens: 4, cache_read_tokens: 2, response_id: 'r1' }],
                  },
                },
              },
            },
          ],
          [
            'events/event-00000-e0.json',
            {
              id: 'e0',
              timestamp: stamp(0),
              source: 'environment',
              key: 'full_state',
              value: {},
              kind: 'ConversationStateUpdateEvent',
            },
          ],
          [
            'events/event-00001-e1.json',
            {
              id: 'e1',
              timestamp: stamp(0),
              source: 'agent',
              system_prompt: text('Be good.'),
              tools: [{ title: 'terminal', kind: 'TerminalTool' }],
              dynamic_context: text('Now.'),
              kind: 'SystemPromptEvent',
            },
          ],
          [
            'events/event-00002-e2.json',
            {
              id: 'e2',
              timestamp: stamp(1),
              source: 'user',
              llm_message: { role: 'user', content: [text('Do it.')], cache_enabled: false, thinking_blocks: [] },
              activated_skills: ['git'],
              extended_content: [text('A skill.')],
              sender: 'me',
              kind: 'MessageEvent',
            },
          ],
          [
            'events/event-00003-e3.json',
            {
              id: 'e3',
              timestamp: stamp(2),
              source: 'agent',
              thought: [text('Two.')],
              reasoning_content: 'Hm.',
              thinking_blocks: [],
              action: { command: 'ls', is_input: false, timeout: 3, reset: false, kind: 'TerminalAction' },
              tool_name: 'terminal',
              tool_call_id: 'c1',
              tool_call: {
                id: 'c1',
                name: 'terminal',
                arguments: '{"command": "ls", "security_risk": "LOW"}',
                origin: 'completion',
              },
              llm_response_id: 'r1',
              security_risk: 'LOW',
              summary: 'list files',
              kind: 'ActionEvent',
            },
          ],
          [
            'events/event-00004-e4.json',
            {
              id: 'e4',
              parent_id: 'e3',
              timestamp: stamp(2),
              source: 'agent',
              thought: [],
              thinking_blocks: [],
              tool_name: 'fly',
              tool_call_id: 'c2',
              tool_call: { id: 'c2', name: 'fly', arguments: '{', origin: 'completion' },
              llm_response_id: 'r1',
              security_risk: 'UNKNOWN',
              kind: 'ActionEvent',
            },
          ],
          ['events/event-00005-e5.json', { id: 'e5', timestamp: stamp(3), source: 'user', kind: 'PauseEvent' }],
          [
            'events/event-00006-e6.json',
            {
              id: 'e6',
              timestamp: stamp(4),
              source: 'environment',
              tool_name: 'terminal',
              tool_call_id: 'c1',
              observation: {
                content: [text('a\nb')],
                is_error: false,
                command: 'ls',
                exit_code: 0,
                timeout: false,
                metadata: { exit_code: 0, pid: 7, username: 'u', working_dir: '/home/ada/app', prefix: '', suffix: '' },
                kind: 'TerminalObservation',
              },
              action_id: 'e3',
              kind: 'ObservationEvent',
            },
          ],
          [
            'events/event-00007-e7.json',
            {
              id: 'e7',
              timestamp: stamp(4),
              source: 'agent',
              tool_name: 'fly',
              tool_call_id: 'c2',
              error: 'No such tool.',
              classification: { kind: 'agent_action' },
              kind: 'AgentErrorEvent',
            },
          ],
          [
            'events/event-00008-e8.json',
            {
              id: 'e8',
              timestamp: stamp(5),
              source: 'environment',
              forgotten_event_ids: ['e3', 'e4'],
              summary: 'It looked.',
              summary_offset: 2,
              llm_response_id: 's1',
              kind: 'Condensation',
            },
          ],
          [
            'events/event-00009-e9.json',
            {
              id: 'e9',
              timestamp: stamp(6),
              source: 'agent',
              llm_message: { role: 'assistant', content: [text('Done.')], thinking_blocks: [] },
              llm_response_id: 'r2',
              activated_skills: [],
              extended_content: [],
              kind: 'MessageEvent',
            },
          ],
        ] as const
      ).map(([path, value]) => file(path, value)),
    );
    const [calls, answer] = of(events, 'agent_response');
    assert.deepEqual(
      [
        calls!.text,
        calls!.usage.inputTokens,
        calls!.usage.cost,
        calls!.actions.map(({ summary, risk }) => [summary, risk.level]),
      ],
      [
        'Two.',
        9,
        0.5,
        [
          ['list files', 'low'],
          ['fly', 'unknown'],
        ],
      ],
    );
    assert.deepEqual(
      [
        answer!.text,
        of(events, 'condensation')[0]!.summary,
        of(events, 'condensation')[0]!.forgotten.length,
        of(events, 'observation').map(({ outcome }) => outcome),
      ],
      ['Done.', 'It looked.', 1, ['ok', 'error']],
    );
    assert.deepEqual([of(events, 'task_started')[0]!.cwd, of(events, 'task_started')[0]!.limits.steps], ['/work', 40]);
  });

  it('in ATIF come back; sub-agents are runs of their own', () => {
    const trajectory = {
      schema_version: 'ATIF-v1.7',
      session_id: 's',
      trajectory_id: 't',
      agent: {
        name: 'claude-code',
        version: '2.0',
        model_name: 'opus',
        extra: { cwd: '/' },
        tool_definitions: [{ type: 'function', function: { name: 'Task' } }],
      },
      notes: 'n',
      continued_trajectory_ref: 'next.json',
      extra: { any: [1, { thing: null }] },
      final_metrics: { total_prompt_tokens: 30, total_steps: 5, extra: { a: 1 } },
      steps: [
        { step_id: 1, source: 'system', message: 'S', timestamp: '2026-09-21T10:00:00Z' },
        {
          step_id: 2,
          source: 'user',
          message: [
            { type: 'text', text: 'Do it.' },
            { type: 'image', source: { media_type: 'image/png', path: 'images/a.png' } },
          ],
          timestamp: '2026-09-21T12:00:01.123456+02:00',
          is_copied_context: true,
        },
        {
          step_id: 3,
          source: 'agent',
          model_name: 'haiku',
          reasoning_effort: 'high',
          message: 'I delegate.',
          reasoning_content: 'Hm.',
          tool_calls: [
            { tool_call_id: 'c1', function_name: 'Task', arguments: { prompt: 'x' }, extra: { timeout: 3 } },
          ],
          observation: {
            results: [
              {
                source_call_id: 'c1',
                content: 'Fine.',
                subagent_trajectory_ref: [{ trajectory_id: 'sub', session_id: 's' }],
                extra: { score: 0.5 },
              },
              { content: 'And this.' },
            ],
          },
          metrics: {
            prompt_tokens: 30,
            completion_tokens: 5,
            cached_tokens: 10,
            cost_usd: 0.25,
            logprobs: [-0.1],
            extra: { reasoning_tokens: 2 },
          },
          llm_call_count: 2,
          extra: { api_call_id: 'x' },
        },
        {
          step_id: 4,
          source: 'system',
          message: 'Compacted.',
          observation: { results: [{ content: 'All of it.' }] },
          extra: { context_management: { type: 'compaction', boundary: 'replace' } },
        },
        { step_id: 5, source: 'agent', message: 'Done.' },
      ],
      subagent_trajectories: [
        {
          schema_version: 'ATIF-v1.7',
          trajectory_id: 'sub',
          agent: { name: 'claude-code', version: '2.0' },
          steps: [
            { step_id: 1, source: 'user', message: 'x' },
            { step_id: 2, source: 'agent', message: 'Fine.' },
          ],
        },
      ],
    };
    const events = wellFormed('atif', [file('a.trajectory.json', trajectory)]);
    const [first] = of(events, 'agent_response');
    assert.deepEqual(
      [first!.model, first!.usage, first!.reasoning?.text, first!.at - of(events, 'task_started')[0]!.at],
      ['haiku', { inputTokens: 30, outputTokens: 5, cachedTokens: 10, cost: 0.25 }, 'Hm.', 0],
    );
    assert.deepEqual(
      [
        of(events, 'observation')[0]!.content,
        of(events, 'user_message')[0]!.text,
        of(events, 'condensation')[0]!.summary,
      ],
      ['Fine.', 'And this.', 'All of it.'],
    );
    const child = formatNamed('atif').reader!.read([file('a.json', trajectory)], { run: 1 });
    assert.deepEqual([child.runs, of(child.events, 'task_started')[0]!.task, child.problems], [2, 'x', []]);
  });

  it('in ATIF are checked: numbers of steps, references, times, metrics, and fields where they do not belong', () => {
    const told = (change: (trajectory: any) => void): string[] => {
      const trajectory: any = {
        schema_version: 'ATIF-v1.7',
        agent: { name: 'a', version: '1' },
        steps: [
          { step_id: 1, source: 'user', message: 'x' },
          {
            step_id: 2,
            source: 'agent',
            message: '',
            tool_calls: [{ tool_call_id: 'c', function_name: 'f', arguments: {} }],
            observation: { results: [{ source_call_id: 'c', content: 'r' }] },
            metrics: { prompt_tokens: 3 },
          },
        ],
      };
      change(trajectory);
      const { events, problems } = formatNamed('atif').reader!.read([file('a.json', trajectory)]);
      assert.ok(events.length > 0, 'what can be read is read');
      return problems.map(({ where }) => where);
    };
    assert.deepEqual(
      told(() => undefined),
      [],
    );
    assert.deepEqual(
      told((t) => {
        t.schema_version = 'ATIF-v9';
      }),
      ['schema_version'],
    );
    assert.deepEqual(
      told((t) => {
        t.schema_version = 'ATIF-v1.6';
      }),
      ['session_id'],
    );
    assert.deepEqual(
      told((t) => {
        t.steps[1].step_id = 7;
      }),
      ['steps[1].step_id'],
    );
    assert.deepEqual(
      told((t) => {
        t.steps[1].observation.results[0].source_call_id = 'other';
      }),
      ['steps[1].observation.results[0].source_call_id'],
    );
    assert.deepEqual(
      told((t) => {
        t.steps[0].timestamp = 'yesterday';
      }),
      ['steps[0].timestamp'],
    );
    assert.deepEqual(
      told((t) => {
        t.steps[0].timestamp = '2026-13-01T00:00:00Z';
      }),
      ['steps[0].timestamp'],
    );
    assert.deepEqual(
      told((t) => {
        t.steps[1].metrics = { prompt_tokens: 1.5, completion_tokens: -1, cost_usd: 'free' };
      }),
      ['steps[1].metrics.prompt_tokens', 'steps[1].metrics.completion_tokens', 'steps[1].metrics.cost_usd'],
    );
    assert.deepEqual(
      told((t) => {
        t.steps[1].metrics.cached_tokens = 4;
      }),
      ['steps[1].metrics.cached_tokens'],
    );
    assert.deepEqual(
      told((t) => {
        t.steps[0].model_name = 'm';
      }),
      ['steps[0].model_name'],
    );
    assert.deepEqual(
      told((t) => {
        t.steps[1].llm_call_count = 0;
      }),
      ['steps[1].metrics'],
    );
    assert.deepEqual(
      told((t) => {
        t.steps[1].tool_calls.push(t.steps[1].tool_calls[0]);
      }),
      ['steps[1].tool_calls[1].tool_call_id'],
    );
    assert.deepEqual(
      told((t) => {
        t.steps[1].observation.results[0].subagent_trajectory_ref = [{ session_id: 's' }];
      }),
      ['steps[1].observation.results[0].subagent_trajectory_ref[0]'],
    );
    assert.deepEqual(
      told((t) => {
        t.subagent_trajectories = [{ agent: {}, steps: [] }];
      }),
      ['subagent_trajectories[0].trajectory_id'],
    );
    assert.deepEqual(
      told((t) => {
        delete t.agent.version;
        t.steps.push(5, { step_id: 4, source: 'robot', message: 'x' });
      }),
      ['agent.version', 'steps[2]', 'steps[3].source'],
    );
  });

  it('in the format of OpenAI come back, one chat a line; one message a line and bare lists are read', () => {
    const messages = [
      { role: 'developer', content: 'S', name: 'boss' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=', detail: 'low' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        refusal: null,
        tool_calls: [
          { id: 'c', type: 'function', function: { name: 'f', arguments: '{ "a": 1 }' } },
          { id: 'd', type: 'function', function: { name: 'g', arguments: '{' } },
        ],
        weight: 0,
      },
      { role: 'tool', tool_call_id: 'd', content: [{ type: 'text', text: 'two' }] },
      { role: 'tool', tool_call_id: 'c', content: 'one' },
      { role: 'assistant', content: 'Done.', audio: null },
    ];
    const events = wellFormed('openai', [
      file('a.jsonl', { messages, tools: [{ type: 'function', function: { name: 'f' } }], parallel_tool_calls: false }),
    ]);
    assert.deepEqual(
      of(events, 'agent_response')[0]!.actions.map(({ input, problem }) => [input, problem]),
      [
        [{ a: 1 }, undefined],
        [{}, 'The arguments are not JSON.'],
      ],
    );
    for (const same of [file('a.jsonl', ...messages), file('a.json', messages)]) {
      assert.equal(formatOf([same])?.name, 'openai');
      assert.deepEqual(
        formatNamed('openai')
          .reader!.read([same])
          .events.map(({ type }) => type),
        events.map(({ type }) => type),
      );
    }
  });

  it('are known by what is in them, whatever order it stands in and whatever words are beside it', () => {
    const messages = [
      { content: 'Do it.', role: 'user' },
      { role: 'assistant', content: 'Done. The "info": {"exit_status"} of "trajectory_format".' },
    ];
    const turns = [{ value: 'Do it.', from: 'human' }];
    const steps = [{ step_id: 1, source: 'user', message: 'Do it.' }];
    const long = 'x'.repeat(200_000);
    const known: [string, ...unknown[]][] = [
      ['sharegpt', { tool_stats: { a: { b: [1] } }, metadata: { model: 'm' }, conversations: turns }],
      ['sharegpt', [{ id: 1, extra: {}, conversations: turns }]],
      ['sharegpt', { id: 1, extra: {}, conversations: turns }, { conversations: turns }],
      ['openai', { tools: [{ type: 'function', function: { name: 'info' } }], model: 'gpt', messages }],
      ['openai', { info: { note: 1 }, messages }],
      [
        'openai',
        [
          { model: 'm', messages },
          { model: 'm', messages },
        ],
      ],
      ['openai', { id: 7, role: 'user', content: 'Do it.' }, { id: 8, role: 'assistant', content: 'Done.' }],
      ['mini', { messages, instance_id: 'x', info: { note: long, exit_status: 'Submitted' } }],
      ['mini', { note: long, trajectory_format: 'mini-swe-agent-1', messages }],
      [
        'atif',
        { agent: { name: 'a', version: '1', extra: { long } }, steps, schema_version: 'ATIF-v1.6', session_id: 's' },
      ],
      ['atif', { agent: { name: 'a', version: '1' }, steps }],
      ['openhands', { kind: 'MessageEvent', id: 'a', source: 'user', llm_message: { role: 'user', content: [] } }],
    ];
    for (const [name, ...values] of known) {
      const found = file('run.json', ...values);
      assert.equal(formatOf([found])?.name, name, JSON.stringify(values).slice(0, 200));
      assert.ok(formatNamed(name).reader!.read([found]).events.length > 0, name);
    }
    for (const value of [{}, [], { messages: [] }, { name: 'package', version: '1', info: {} }, 'x', 7, { steps: [1] }])
      assert.equal(formatOf([file('a.json', value)]), undefined, JSON.stringify(value));
    assert.deepEqual(
      [formatOf([file('a.traj.json', messages)])?.name, formatOf([{ path: 'a.ATIF.json', text: '?' }])?.name],
      ['mini', 'atif'],
    );
  });

  it('say what could not be read, and where, and the rest is read', () => {
    const read = (name: string, ...files: TrajectoryFile[]): string[] =>
      formatNamed(name)
        .reader!.read(files)
        .problems.map(({ where, words }) => `${where}: ${words}`);
    assert.deepEqual(
      read(
        'mini',
        file('a.traj.json', [
          { role: 'user', content: 'x' },
          7,
          { role: 'ghost', content: 'boo' },
          { role: 'tool', tool_call_id: 'none', content: '' },
          { role: 'assistant', content: { a: 1 } },
        ]),
      ),
      [
        'messages[1]: It is not a message, so it is skipped.',
        'messages[2]: Its role "ghost" is unknown, so it is skipped.',
        'messages[3]: It answers a call that does not exist, so it is skipped.',
        'messages[4]: Its content is neither text nor a list of parts, so it is shown as empty.',
      ],
    );
    assert.deepEqual(read('mini', { path: 'a.traj.json', text: '{"messages": [{"role"' }), [
      'messages[0]: The file ends in the middle of this, so the rest is missing.',
      'messages[0]: Its role null is unknown, so it is skipped.',
    ]);
    assert.deepEqual(read('mini', file('a.traj.json', { info: {} })), [
      'messages: It contains no list of messages, so there is nothing to show.',
    ]);
    assert.match(
      read('openai', { path: 'a.jsonl', text: `{"messages":[{"role":"user","content":"x"}]}\n{"mess` }).join(),
      /^line 2: It is not JSON, so it is skipped\.$/,
    );
    assert.deepEqual(
      read(
        'openhands',
        file('events/event-00000-a.json', { id: 1, action: 'run', args: {} }),
        file('events/event-00001-b.json', { kind: 'NewEvent' }),
        { path: 'events/event-00002-c.json', text: 'x' },
      ),
      [
        'events/event-00002-c.json: It is not JSON, so it is skipped.',
        'events/event-00000-a.json: It is an event of an earlier OpenHands, before its software-agent-sdk, so it is skipped.',
        'events/event-00001-b.json: The event kind NewEvent is unknown, so the event is skipped.',
      ],
    );
    assert.match(
      read('waymark', {
        path: 'a.waymark.jsonl',
        text: '{"waymark":1}\n{"seq":0,"at":1,"type":"paused","reason":"x","frame":"0a"}\n{"seq":1\n{"seq":2,"at":1,"type":"fly"}\n',
      }).join('\n'),
      /^line 3: It is not JSON \(.+\), so it is skipped\.\nline 4: The event fly \(2\) does not fit: /,
    );
  });
});
