import { strict as assert } from 'node:assert';
import path from 'node:path';
import { readEventLog } from '../../src/adapters/log/eventLog';
import { eventsOfType } from '../../src/core/log/projection';
import { toMessages } from '../../src/core/model/messages';
import { forkPoints } from '../../src/core/trajectory/forkFrom';
import { requestAt } from '../../src/core/trajectory/requestAt';
import { assertAccepted } from '../core/agent/story';
import { reply, toolCall } from '../support/modelServer';
import { ensureBuilt, onMachine, type Machine } from './support/commandLine';

const patch = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

/** The same run in each dialect: read, search, edit, run, finish. */
const runs = [
  {
    dialect: 'claude',
    model: 'claude-sonnet-4-5',
    offers: ['Read', 'Edit', 'Write', 'Bash', 'Grep'],
    not: ['apply_patch', 'edit_file'],
    calls: [
      ['Read', { file_path: 'src/a.ts', offset: 1, limit: 1 }],
      ['Grep', { pattern: 'TWO', '-i': true }],
      ['Edit', { file_path: 'src/a.ts', old_string: 'two', new_string: '2' }],
      ['Bash', { command: 'cat src/a.ts', timeout: 60000 }],
      ['finish', { summary: 'Done.' }],
    ],
  },
  {
    dialect: 'codex',
    model: 'gpt-5.1-codex',
    offers: ['apply_patch', 'shell', 'read_file'],
    not: ['edit_file', 'write_file', 'run_command'],
    calls: [
      ['read_file', { path: 'src/a.ts', from: 1, to: 1 }],
      ['search_text', { pattern: 'TWO', case: false }],
      ['apply_patch', { input: patch('*** Update File: src/a.ts', '@@', ' one', '-two', '+2') }],
      ['shell', { command: ['bash', '-lc', 'cat src/a.ts'] }],
      ['finish', { summary: 'Done.' }],
    ],
  },
  {
    dialect: 'gemini',
    model: 'gemini-3-pro',
    offers: ['read_file', 'replace', 'write_file', 'run_shell_command', 'grep_search', 'list_directory'],
    not: ['apply_patch', 'edit_file'],
    calls: [
      ['read_file', { file_path: 'src/a.ts', start_line: 1, end_line: 1 }],
      ['grep_search', { pattern: 'TWO', case_sensitive: false }],
      ['replace', { file_path: 'src/a.ts', old_string: 'two', new_string: '2' }],
      ['run_shell_command', { command: 'cat src/a.ts' }],
      ['finish', { summary: 'Done.' }],
    ],
  },
  {
    dialect: 'waymark',
    model: 'mistral-large',
    offers: ['read_file', 'edit_file', 'run_command'],
    not: ['Read', 'shell', 'apply_patch'],
    calls: [
      ['read_file', { path: 'src/a.ts', from: 1, to: 1 }],
      ['search_text', { pattern: 'TWO', case: false }],
      ['edit_file', { path: 'src/a.ts', edits: [{ old_text: 'two', new_text: '2' }] }],
      ['run_command', { command: 'cat src/a.ts' }],
      ['finish', { summary: 'Done.' }],
    ],
  },
] as const;

const namesIn = (request: { body: { tools?: Record<string, any>[] } } | undefined): string[] =>
  (request?.body.tools ?? []).map((tool) => tool['function'].name as string);
const calledIn = (machine: Machine, at: number): [string, string][] =>
  machine.server.requests[at]!.body.messages.flatMap(({ tool_calls: calls = [] }) =>
    (calls as any[]).map((call) => [call.function.name, call.function.arguments] as [string, string]),
  );

/** Requests for Anthropic models mark what to cache. */
const behindClaude = { takes: ['cache_control'] };

describe('the tool dialect of waymark run', function () {
  this.timeout(60_000);
  before(ensureBuilt);

  for (const { dialect, model, offers, not, calls } of runs) {
    it(`${dialect}: offers, reads and replays the tools as ${model} knows them, and logs its own`, () =>
      onMachine(
        calls.map(([tool, input]) => toolCall(tool, input)),
        async (machine) => {
          machine.workspace.place('src/a.ts', 'one\ntwo\n');
          const { code, stderr } = await machine.run('Change two.', '--model', model, '--confirm', 'never');
          assert.equal(code, 0, stderr);
          assert.equal(machine.workspace.bytes('src/a.ts')?.toString(), 'one\n2\n');
          const names = namesIn(machine.server.requests[0]);
          for (const name of offers) assert.ok(names.includes(name), `${name} is offered`);
          for (const name of not) assert.ok(!names.includes(name), `${name} is not offered`);

          // The model's text is sent back byte for byte.
          assert.deepEqual(
            calledIn(machine, calls.length - 1),
            calls.slice(0, -1).map(([tool, input]) => [tool, JSON.stringify(input)]),
          );
          const events = machine.events();
          const [started] = eventsOfType(events, 'task_started');
          assert.equal(started?.dialect ?? 'waymark', dialect);
          const actions = eventsOfType(events, 'agent_response').flatMap((event) => event.actions);
          const changes = dialect === 'codex' ? 'apply_patch' : 'edit_file';
          assert.deepEqual(
            actions.map(({ tool }) => tool),
            ['read_file', 'search_text', changes, 'run_command', 'finish'],
          );
          const observations = eventsOfType(events, 'observation');
          assert.deepEqual(
            observations.map(({ outcome }) => outcome),
            actions.map(() => 'ok'),
          );
          for (const { worded, content } of observations) assert.doesNotMatch(worded ?? content, /Understood/);
          assert.match(observations[1]!.content, /2\ttwo/);

          for (let length = 1; length <= events.length; length++) assertAccepted(events.slice(0, length));
          const last = eventsOfType(events, 'agent_response').at(-1)!;
          assert.deepEqual(
            requestAt(events, last.seq)?.tools.map(({ name }) => name),
            namesIn(machine.server.requests.at(-1)),
          );
        },
        behindClaude,
      ));
  }

  it('stays the same when a session continues with another model, and in its forks', () =>
    onMachine(
      [
        toolCall('Read', { file_path: 'a.txt' }),
        reply('Read.'),
        toolCall('Read', { file_path: 'a.txt' }),
        reply('Again.'),
        reply('Forked.'),
      ],
      async (machine) => {
        machine.workspace.place('a.txt', 'one\n');
        assert.equal((await machine.run('Read it.', '--model', 'claude-opus-4')).code, 0);
        const { code } = await machine.run('Again.', '--model', 'gpt-5');
        assert.equal(code, 0);
        assert.ok(namesIn(machine.server.requests[2]).includes('Edit'));
        const to = path.join(path.dirname(machine.log), 'second.waymark.jsonl');
        const [first] = forkPoints(machine.events()).filter(({ step }) => step === 1);
        assert.ok(first);
        const forked = await machine.start([
          'run',
          'Otherwise.',
          '--fork',
          machine.log,
          '--after-step',
          '1',
          '--log',
          to,
          '--base-url',
          machine.server.baseUrl,
          '--model',
          'gpt-5',
        ]).ended;
        assert.equal(forked.code, 0, forked.stderr);
        assert.ok(namesIn(machine.server.requests.at(-1)).includes('Edit'));
        assert.equal(eventsOfType(readEventLog(to).events, 'task_started')[0]?.dialect, 'claude');
        assert.match(
          (await machine.run('More.', '--dialect', 'codex')).stderr,
          /This session uses the dialect claude\. Remove --dialect/,
        );
      },
    ));

  it('can be chosen with --dialect', () =>
    onMachine([reply('Hello.')], async (machine) => {
      await machine.run('Hello.', '--model', 'claude-opus-4', '--dialect', 'gemini');
      assert.ok(namesIn(machine.server.requests[0]).includes('replace'));
    }));

  it('is Waymark’s own if the profile has tool names of another agent', () =>
    onMachine([reply('Hello.')], async (machine) => {
      await machine.run('Hello.', '--model', 'claude-opus-4', '--profile', 'hermes');
      const names = namesIn(machine.server.requests[0]);
      assert.ok(names.includes('write_file') && names.includes('terminal') && !names.includes('Write'));
    }));

  it('accepts names of other agents, and explains each of them once', () =>
    onMachine(
      [
        toolCall('bash', { command: 'echo one' }),
        toolCall('bash', { command: 'echo two' }),
        toolCall('read_file', { path: 'a.txt', offset: 2, limit: 1 }),
        reply('Done.'),
      ],
      async (machine) => {
        machine.workspace.place('a.txt', 'one\ntwo\nthree\n');
        await machine.run('Do it.', '--model', 'mistral-large', '--confirm', 'never');
        const read = toMessages(machine.events()).flatMap((message) =>
          message.role === 'tool' ? [message.content] : [],
        );
        assert.match(read[0]!, /\n\[Understood\. Here this call is: run_command \{"command":"echo one"\}\]$/);
        assert.doesNotMatch(read[1]!, /Understood/);
        assert.match(
          read[2]!,
          /^ +2\ttwo\n[^]*\[Understood\. Here this call is: read_file \{"path":"a\.txt","from":2,"to":2\}\]$/,
        );
        assert.doesNotMatch(read[2]!, /\tthree/);
      },
    ));

  it('does not bypass hooks, allow rules or plan mode', () =>
    onMachine(
      [
        toolCall('Edit', { file_path: 'a.txt', old_string: 'one', new_string: '1' }),
        reply('I may not.'),
        toolCall('Edit', { file_path: 'a.txt', old_string: 'one', new_string: '1' }),
        reply('Nor here.'),
        toolCall('Bash', { command: 'truncate -s 0 build/x' }),
        reply('Allowed.'),
        toolCall('Bash', { command: 'rm -rf src' }),
      ],
      async (machine) => {
        machine.workspace.place('a.txt', 'one\n');
        machine.workspace.place('build/x', 'x');
        machine.workspace.place('src/x', 'x');
        machine.workspace.place('guard.sh', 'echo "Nothing is edited here." >&2; exit 2\n');
        machine.workspace.place(
          '.agent/hooks.json',
          JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'edit_file', hooks: [{ command: 'sh guard.sh' }] }] } }),
        );
        await machine.run('Edit it.', '--model', 'claude-opus-4', '--agree', 'hooks');
        assert.match(machine.server.requests[1]!.body.messages.at(-1)!['content'] as string, /Nothing is edited here/);
        await machine.run('Plan it.', '--model', 'claude-opus-4', '--no-hooks', '--mode', 'plan');
        assert.ok(!namesIn(machine.server.requests[2]).includes('Edit'));
        assert.match(
          machine.server.requests[3]!.body.messages.at(-1)!['content'] as string,
          /Plan mode does not allow changes/,
        );
        assert.equal(machine.workspace.bytes('a.txt')?.toString(), 'one\n');
        const allowed = await machine.run(
          'Clean.',
          '--model',
          'claude-opus-4',
          '--no-hooks',
          '--mode',
          'confirm',
          '--allow',
          'truncate -s 0 build/x$',
        );
        assert.equal(allowed.code, 0);
        assert.equal(machine.workspace.bytes('build/x')?.length, 0);
        assert.equal((await machine.run('And src.', '--model', 'claude-opus-4', '--no-hooks')).code, 3);
        assert.ok(machine.workspace.bytes('src/x'));
      },
      behindClaude,
    ));
});
