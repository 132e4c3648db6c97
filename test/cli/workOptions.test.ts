import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { openEventLog } from '../../src/adapters/log/eventLog';
import { reply, toolCall, toolCalls } from '../support/modelServer';
import { ensureBuilt, onMachine, until } from './support/commandLine';
import { sitDown } from './support/sitDown';

const finish = toolCall('finish', { summary: 'It is done.' });
const command = (text: string) => toolCall('run_command', { command: text });
const submits = 'echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; echo the result';

describe('the options of waymark run', function () {
  this.timeout(60_000);
  before(ensureBuilt);

  it('follow the profile: mini has one tool, hides a bad reply and ends with a marker', () =>
    onMachine(
      [reply('Words alone.'), toolCall('bash', { command: 'cd /; echo here' }), toolCall('bash', { command: submits })],
      async ({ run, server, events }) => {
        const { code, stdout } = await run('Try.', '--profile', 'mini');
        assert.equal(code, 0);
        assert.match(stdout, /✓ the result/);
        assert.deepEqual(
          server.requests[0]!.body.tools!.map((tool) => tool['function'].name),
          ['bash'],
        );
        assert.deepEqual(
          server.requests[1]!.body.messages.map(({ role }) => role),
          ['system', 'user', 'user'],
          'the bad reply is not sent back, and the words about it are a message of their own',
        );
        assert.match(server.requests[2]!.body.messages.at(-1)!.content, /"returncode": 0/);
        assert.equal(events()[0]!.type === 'task_started' && events()[0]!.type, 'task_started');
      },
      { neighbours: true },
    ));

  it('join user messages for a server that rejects two in a row', () =>
    onMachine([reply('No call.'), toolCall('bash', { command: submits })], async ({ run, server }) => {
      const { code, stderr } = await run('Try.', '--profile', 'mini', '--confirm', 'never');
      assert.equal(code, 0, stderr);
      assert.deepEqual(
        server.requests.map(({ body }) => body.messages.map(({ role }) => role).join(' ')),
        ['system user', 'system user user', 'system user'],
      );
      assert.ok(
        server.requests[2]!.body.messages[1]!.content.startsWith(server.requests[0]!.body.messages[1]!.content),
      );
    }));

  it('send no tools to the server in a text profile', () =>
    onMachine([reply(`Submit.\n\n\`\`\`mswea_bash_command\n${submits}\n\`\`\``)], async ({ run, server }) => {
      const { code, stdout } = await run('Try.', '--profile', 'mini-text');
      assert.equal(code, 0);
      assert.match(stdout, /✓ the result/);
      assert.equal(server.requests[0]!.body.tools, undefined);
    }));

  it('list the known profiles and toolsets if one is unknown', () =>
    onMachine([], async ({ run }) => {
      const profile = await run('Try.', '--profile', 'nobody');
      assert.match(profile.stderr, /no agent profile "nobody".*mini, .*hermes/);
      const toolset = await run('Try.', '--toolsets', 'file,nothing');
      assert.match(toolset.stderr, /no toolset or tool named "nothing".*debugging/);
      assert.deepEqual([profile.code, toolset.code], [1, 1]);
    }));

  it('offer the named toolsets without the disabled ones', () =>
    onMachine([reply('Fine.')], async ({ run, server }) => {
      await run('Try.', '--toolsets', 'debugging,todo', '--disable-toolsets', 'terminal');
      const names = server.requests[0]!.body.tools!.map((tool) => tool['function'].name as string);
      assert.ok(names.includes('read_file') && names.includes('todo') && !names.includes('run_command'));
    }));

  it('continue without pauses in a session that was run step by step if nobody is at a terminal', () =>
    onMachine(
      [reply('One.'), toolCall('list_files', { path: '.' }), reply('Two.')],
      async ({ run, log, events, environment }) => {
        await run('Begin.');
        const [here, there] = [process.env['XDG_STATE_HOME'], environment['XDG_STATE_HOME']];
        process.env['XDG_STATE_HOME'] = there; // sealed with the key of that machine
        const store = openEventLog(log).store!;
        store.append({ seq: events().length, at: 1, type: 'settings_changed', stepping: true });
        store.append({ seq: events().length + 1, at: 1, type: 'pause_requested' });
        await store.close();
        if (here === undefined) delete process.env['XDG_STATE_HOME'];
        else process.env['XDG_STATE_HOME'] = here;
        const { code, stdout, stderr } = await run('Go on.');
        assert.equal(code, 0, stderr);
        assert.match(stdout, /Two\./);
      },
    ));

  it('cannot change the tools of a started session or name a missing template folder', () =>
    onMachine([reply('One.')], async ({ run }) => {
      await run('Begin.');
      const tools = await run('Go on.', '--disable-toolsets', 'terminal');
      assert.match(tools.stderr, /tools of a session are chosen when it starts/);
      const templates = await run('Go on.', '--templates', 'nowhere');
      assert.match(templates.stderr, /nowhere is not a folder/);
      assert.deepEqual([tools.code, templates.code], [1, 1]);
    }));

  it('change no file in plan mode', () =>
    onMachine(
      [
        toolCalls([
          { tool: 'write_file', input: { path: 'a.txt', content: 'x' } },
          { tool: 'run_command', input: { command: 'touch b.txt' } },
          { tool: 'run_command', input: { command: 'ls' } },
        ]),
        reply('A plan.'),
      ],
      async ({ run, workspace, events }) => {
        const { code } = await run('Plan.', '--mode', 'plan');
        assert.deepEqual([code, workspace.names()], [0, []]);
        assert.deepEqual(
          events().flatMap((event) => (event.type === 'observation' ? [event.outcome] : [])),
          ['rejected', 'rejected', 'ok'],
        );
      },
    ));

  it('request several candidates and take the first usable one', () =>
    onMachine([reply(''), command('echo made > made.txt'), finish, finish], async ({ run, workspace, events }) => {
      const { code } = await run('Make a file.', '--candidates', '2', '--verifier', 'first_valid', '--mode', 'auto');
      assert.equal(code, 0);
      const [first] = events().flatMap((event) => (event.type === 'agent_response' ? [event] : []));
      assert.equal(first!.sampling?.candidates.length, 2);
      assert.ok(workspace.names().includes('made.txt'));
    }));

  it('report file, line and variable of a broken template before anything runs', () =>
    onMachine([], async ({ run, workspace, server }) => {
      workspace.place('templates/mini.instance.jinja', 'Do this:\n{{ tsak }}\n');
      const { code, stderr } = await run('Try.', '--profile', 'mini', '--templates', workspace.at('templates'));
      assert.equal(code, 1);
      assert.match(stderr, /mini\.instance\.jinja.*line 2.*tsak/s);
      assert.equal(server.requests.length, 0);
    }));

  it('run a reply without asking only if a pattern allows all of its commands', () =>
    onMachine(
      [
        toolCall('bash', { command: 'echo one' }),
        toolCalls([
          { tool: 'bash', input: { command: 'echo two' } },
          { tool: 'bash', input: { command: 'ls' } },
        ]),
      ],
      async ({ run, events }) => {
        const { code } = await run('Try.', '--profile', 'mini', '--confirm', 'always', '--allow', 'echo ');
        assert.equal(code, 3, 'the second reply holds a command that no pattern covers');
        const asked = events().filter((event) => event.type === 'confirmation_requested');
        assert.equal(asked.length, 1);
        assert.deepEqual(
          events().flatMap((event) => (event.type === 'observation' ? [event.outcome] : [])),
          ['ok'],
        );
      },
    ));

  it('pause at a checkpoint on SIGUSR2 and continue at the next one', () =>
    onMachine(
      [command('touch begun; while [ ! -e go ]; do sleep 0.1; done'), finish],
      async ({ start, args, workspace, log, events }) => {
        const { child, ended } = start(args('Wait.', '--mode', 'auto'));
        await until('the command', () => workspace.names().includes('begun'));
        child.kill('SIGUSR2');
        await until('the request', () => fs.readFileSync(log, 'utf8').includes('"pause_requested"'));
        workspace.place('go', '');
        await until('the pause', () => fs.readFileSync(log, 'utf8').includes('"before_reasoning"'));
        child.kill('SIGUSR2');
        assert.equal((await ended).code, 0);
        assert.equal(events().at(-1)?.type, 'finished');
      },
    ));

  it('let a person type commands at the terminal and hand back control', () =>
    onMachine([reply('Thank you.')], async (machine) => {
      const person = sitDown(machine, 'Look around.', '--mode', 'human');
      await person.reads(/Next command/);
      await person.types('echo by hand > hand.txt\r');
      await person.reads(/Next command/, 2);
      assert.ok(machine.workspace.names().includes('hand.txt'));
      assert.equal(machine.server.requests.length, 0);
      await person.types('/c\r');
      assert.equal(await person.leaves(), 0);
      assert.match(JSON.stringify(machine.server.requests[0]!.body.messages), /The user ran this: echo by hand/);
    }));

  it('ask a person at the terminal for new limits and for another task', () =>
    onMachine([command('echo 1'), command('echo 2'), finish, finish], async (machine) => {
      const person = sitDown(machine, 'Go on.', '--max-steps', '1', '-i');
      await person.reads(/A limit is reached/);
      await person.types('10\r');
      await person.reads(/Next task/);
      await person.types('Once more.\r');
      await person.reads(/Next task/, 2);
      await person.types('\r');
      assert.equal(await person.leaves(), 0);
      assert.equal(machine.server.requests.length, 4);
    }));

  it('keep notes for later sessions, which read them in their first request', () =>
    onMachine(
      [
        toolCall('memory', { action: 'add', target: 'memory', content: 'Tests run with make check.' }),
        reply('Noted.'),
        reply('I know.'),
      ],
      async ({ run, start, server, environment, log, workspace }) => {
        await run('Note it.', '--profile', 'hermes', '--confirm', 'never');
        const { ended } = start(
          [
            'run',
            'Again.',
            '--base-url',
            server.baseUrl,
            '--model',
            'gpt-5',
            '--profile',
            'hermes',
            '--cwd',
            workspace.root,
            '--log',
            `${log}.second`,
          ],
          environment,
        );
        assert.equal((await ended).code, 0);
        assert.match(server.requests.at(-1)!.body.messages[0]!.content, /Tests run with make check\./);
      },
    ));

  it('require a terminal in human mode, and never run the task as a command', () =>
    onMachine([reply('Hello.')], async (machine) => {
      const alone = await machine.run('touch by-task', '--mode', 'human');
      assert.equal(alone.code, 1);
      assert.match(alone.stderr, /human mode.*type each command at a terminal/i);
      await machine.run('Say hello.');
      const person = sitDown(machine, 'touch by-task', '--mode', 'human');
      await person.reads(/Next command/);
      await person.types('\r');
      assert.equal(await person.leaves(), 0);
      assert.ok(!machine.workspace.names().includes('by-task'));
    }));
});
