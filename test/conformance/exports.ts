import { strict as assert } from 'node:assert';
import { openhands } from '../../src/core/trajectory/formats/openhands';
import { mini } from '../../src/core/trajectory/formats/mini';
import { sharegpt } from '../../src/core/trajectory/formats/sharegpt';
import { writeAtOnce, type WrittenFormat } from '../../src/core/trajectory/format';
import type { Event } from '../../src/protocol/events/event';
import { conforms } from './support/conforms';
import { call, plays, says } from './support/script';
import { ending, submitting } from './support/telling';

const context = { version: '1.2.3', session: 'session' };
const written = (format: WrittenFormat, history: readonly Event[]): string =>
  writeAtOnce(format, history, context)[0]!.text;
const at = new Date(2026, 10, 21, 14, 30, 5, 120).getTime();
const timed = (history: readonly Event[]): Event[] => history.map((event) => ({ ...event, at }));

describe('files of other systems', () => {
  conforms(
    'MSA-31',
    'a run is written as a traj.json that mini-swe-agent opens, and read back unchanged',
    async (world) => {
      const model = plays(
        says('Look.', call('bash', { command: 'echo "ä < 1"; exit 3' }, 'call_1')),
        says('', call('bash', { command: submitting('the patch') }, 'call_2')),
      );
      const {
        conversation: { history },
        workspace,
      } = await (
        await world.begin({ profile: 'mini', model, mode: 'auto', limits: { steps: 7, cost: 3, seconds: 0 } })
      ).go();
      const text = written(mini, history);
      const { info, messages, trajectory_format: version } = JSON.parse(text) as any;
      assert.deepEqual(
        [version, Object.keys(JSON.parse(text) as object)],
        ['mini-swe-agent-1.1', ['info', 'messages', 'trajectory_format']],
      );
      assert.match(text, /^\{\n {2}"info": \{\n {4}"model_stats": \{\n {6}"instance_cost": 2,\n {6}"api_calls": 2\n/);
      assert.doesNotMatch(text, /[^ -~\n]/, 'Python writes ASCII');
      assert.deepEqual(
        [info.exit_status, info.submission, info.config.agent.step_limit, info.config.environment.cwd],
        ['Submitted', 'the patch\n', 7, workspace.root],
      );
      assert.deepEqual(
        messages.map(({ role }: any) => role),
        ['system', 'user', 'assistant', 'tool', 'assistant', 'exit'],
        'the command that submits has no result of its own',
      );
      assert.deepEqual(messages[2].extra.actions, [{ command: 'echo "ä < 1"; exit 3', tool_call_id: 'call_1' }]);
      assert.deepEqual([messages[2].tool_calls[0].function.name, messages[2].extra.cost], ['bash', 1]);
      const { raw_output: output, returncode, exception_info: exception, timestamp } = messages[3].extra;
      assert.deepEqual(
        [messages[3].tool_call_id, output, returncode, exception, typeof timestamp],
        ['call_1', 'ä < 1\n', 3, '', 'number'],
      );
      assert.deepEqual(
        [messages[5].content, messages[5].extra.exit_status, messages[5].extra.submission],
        ['the patch\n', 'Submitted', 'the patch\n'],
      );

      const { events, problems } = mini.reader!.read([{ path: 'x.traj.json', text }]);
      assert.deepEqual([problems, ending(events).status, ending(events).summary], [[], 'submitted', 'the patch\n']);
      assert.deepEqual(JSON.parse(written(mini, events)), JSON.parse(text));
      const bare = mini.reader!.read([{ path: 'x.traj.json', text: JSON.stringify(messages) }]);
      assert.deepEqual(
        [bare.problems, bare.events.length],
        [[], events.length],
        'a bare list of messages is read as well',
      );
    },
  );

  conforms(
    'HER-38',
    'a run is written line by line as Hermes saves it: Python’s spaces, an empty block of thinking, all results of a reply in one turn',
    async (world) => {
      const model = plays(
        {
          ...says(
            '',
            call('terminal', '{"command":"echo \'{\\"n\\":1.0,\\"é\\":[]}\'"}', 'call_1'),
            call('todo', {}, 'call_2'),
          ),
          reasoning: { text: 'Two at once.', field: 'reasoning' },
        },
        says('<REASONING_SCRATCHPAD>Fine.</REASONING_SCRATCHPAD>\n\nAll done.  '),
      );
      const {
        conversation: { history },
      } = await (await world.begin({ profile: 'hermes', model, mode: 'auto', task: 'Tu\n"das"' })).go();
      const plain = timed(
        history
          .map((event) =>
            event.type !== 'observation'
              ? event
              : {
                  ...event,
                  content: event.actionId === 'call_1' ? '{"n":1.0,"é":[]}' : 'No list <yet>',
                  worded: undefined!,
                },
          )
          .map((event) => JSON.parse(JSON.stringify(event)) as Event),
      );
      const line = written(sharegpt, plain);
      const system = (JSON.parse(line) as any).conversations[0].value as string;
      assert.match(
        system,
        /<tools>\n\[\{"name": "terminal", "description": ".*", "parameters": \{.*\}, "required": null\}, \{"name": .*\]\n<\/tools>\n/,
      );
      assert.match(
        system,
        /'title': 'FunctionCall'.*\n.*\nExample:\n<tool_call>\n\{'name': <function-name>,'arguments': <args-dict>\}\n<\/tool_call>$/,
      );
      assert.equal(
        line.slice(line.indexOf('{"from": "human"')),
        [
          '{"from": "human", "value": "Tu\\n\\"das\\""}, ',
          '{"from": "gpt", "value": "<think>\\nTwo at once.\\n</think>\\n',
          '<tool_call>\\n{\\"name\\": \\"terminal\\", \\"arguments\\": {\\"command\\": \\"echo \'{\\\\\\"n\\\\\\":1.0,\\\\\\"é\\\\\\":[]}\'\\"}}\\n</tool_call>\\n',
          '<tool_call>\\n{\\"name\\": \\"todo\\", \\"arguments\\": {}}\\n</tool_call>"}, ',
          '{"from": "tool", "value": "<tool_response>\\n{\\"tool_call_id\\": \\"call_1\\", \\"name\\": \\"terminal\\", \\"content\\": {\\"n\\": 1.0, \\"é\\": []}}\\n</tool_response>\\n',
          '<tool_response>\\n{\\"tool_call_id\\": \\"call_2\\", \\"name\\": \\"todo\\", \\"content\\": \\"No list <yet>\\"}\\n</tool_response>"}, ',
          '{"from": "gpt", "value": "<think>Fine.</think>\\n\\nAll done."}], ',
          '"timestamp": "2026-11-21T14:30:05.120000", "model": "story", "completed": true}\n',
        ].join(''),
      );
      const bare = timed(
        (await (await world.begin({ profile: 'hermes', model: plays(says('Yes.')) })).go()).conversation.history,
      );
      assert.match(written(sharegpt, bare), /"gpt", "value": "<think>\\n<\/think>\\nYes\."\}\]/);
      assert.deepEqual(sharegpt.reader!.read([{ path: 'x.jsonl', text: line }]).problems, []);
    },
  );

  conforms(
    'HER-39',
    'a run with earlier messages is written with the first message first; the original omits it',
    async (world) => {
      const run = await (
        await world.begin({
          profile: 'hermes',
          model: plays(says('One is done.'), says('Two is done.')),
          task: 'Do one.',
        })
      ).go();
      run.conversation.say('Do two.');
      await run.go();
      const { conversations } = JSON.parse(written(sharegpt, run.conversation.history)) as {
        conversations: { from: string; value: string }[];
      };
      assert.deepEqual(
        conversations.slice(1).map(({ from, value }) => `${from}: ${value.replace('<think>\n</think>\n', '')}`),
        ['human: Do one.', 'gpt: One is done.', 'human: Do two.', 'gpt: Two is done.'],
      );
    },
  );

  conforms(
    'OH-21',
    'a run is written as an OpenHands conversation folder: its file names, kind in every object, no null fields and none unknown to OpenHands',
    async (world) => {
      const model = plays(
        says(
          'I look.',
          call('terminal', { command: 'echo seen; exit 2' }, 'call_1'),
          call('nonesuch', { a: 1 }, 'call_2'),
        ),
        says('', call('finish', { message: 'All done.' }, 'call_3')),
      );
      const {
        conversation: { history },
        workspace,
      } = await (await world.begin({ profile: 'openhands', model, mode: 'auto' })).go();
      const files = writeAtOnce(openhands, history, context);
      const [state, ...events] = files.map(({ text }) => JSON.parse(text) as any);
      assert.match(files[0]!.path, /^[0-9a-f]{32}\/base_state\.json$/);
      for (const [index, { path }] of files.slice(1).entries())
        assert.match(
          path,
          new RegExp(`^${state.id.replaceAll('-', '')}/events/event-0000${index}-${events[index].id}\\.json$`),
        );
      assert.deepEqual(
        [
          state.execution_status,
          state.workspace,
          state.agent.kind,
          state.stats.usage_to_metrics.agent.accumulated_cost,
        ],
        ['finished', { working_dir: workspace.root, kind: 'LocalWorkspace' }, 'Agent', 2],
      );
      assert.deepEqual(
        events.map(({ kind, source }: any) => `${kind} ${source}`),
        [
          'SystemPromptEvent agent',
          'MessageEvent user',
          'ActionEvent agent',
          'ActionEvent agent',
          'ObservationEvent environment',
          'AgentErrorEvent agent',
          'ActionEvent agent',
          'ObservationEvent environment',
        ],
      );
      const fields: Record<string, string[]> = {
        SystemPromptEvent: ['id', 'timestamp', 'source', 'system_prompt', 'tools', 'kind'],
        MessageEvent: [
          'id',
          'timestamp',
          'source',
          'llm_message',
          'llm_response_id',
          'activated_skills',
          'extended_content',
          'kind',
        ],
        ActionEvent: [
          'id',
          'timestamp',
          'source',
          'thought',
          'reasoning_content',
          'thinking_blocks',
          'action',
          'tool_name',
          'tool_call_id',
          'tool_call',
          'llm_response_id',
          'security_risk',
          'summary',
          'kind',
        ],
        ObservationEvent: [
          'id',
          'timestamp',
          'source',
          'tool_name',
          'tool_call_id',
          'observation',
          'action_id',
          'kind',
        ],
        AgentErrorEvent: ['id', 'timestamp', 'source', 'tool_name', 'tool_call_id', 'error', 'kind'],
      };
      for (const event of events)
        assert.deepEqual(
          Object.keys(event).filter((key) => !fields[event.kind]!.includes(key)),
          [],
          event.kind,
        );
      assert.doesNotMatch(files.map(({ text }) => text).join('\n'), /:null\b/);
      const [, , look, unknown, seen, error, finish] = events;
      assert.deepEqual(
        [
          look.action,
          look.llm_response_id === unknown.llm_response_id,
          look.thought[0].text,
          unknown.thought,
          'action' in unknown,
        ],
        [{ command: 'echo seen; exit 2', kind: 'TerminalAction' }, true, 'I look.', [], false],
      );
      assert.deepEqual(
        [
          seen.observation.kind,
          seen.observation.exit_code,
          seen.observation.is_error,
          seen.action_id,
          error.tool_call_id,
        ],
        ['TerminalObservation', 2, true, look.id, 'call_2'],
      );
      assert.deepEqual(finish.action, { message: 'All done.', kind: 'FinishAction' });
      assert.match(seen.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?$/);

      const { events: read, problems } = openhands.reader!.read(files);
      assert.deepEqual([problems, ending(read).status, ending(read).summary], [[], 'submitted', 'All done.']);
      assert.deepEqual(
        writeAtOnce(openhands, read, context).map(({ path, text }) => [path, JSON.parse(text)]),
        files.map(({ path, text }) => [path, JSON.parse(text)]),
      );
    },
  );
});
