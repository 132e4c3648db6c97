import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { findSandbox } from '../../src/adapters/sandbox/findSandbox';
import { eventsOfType } from '../../src/core/log/projection';
import { reply, toolCall } from '../support/modelServer';
import { temporaryWorkspace } from '../support/temporaryWorkspace';
import { ensureBuilt, onMachine, processesIn } from './support/commandLine';
import { setTimeout as pause } from 'node:timers/promises';

const everythingIn = (folder: string): string[] => fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

const command = toolCall('run_command', { command: 'npm test' });
const offline = {
  'package.json': '{"scripts":{"test":"node test.js"}}',
  'test.js': 'require("node:net").connect(80, "192.0.2.1").setTimeout(300, () => process.exit(3));',
};

const making = `const fs = require('node:fs');
fs.mkdirSync('/tmp/new/deep/.vscode', { recursive: true });
fs.writeFileSync('/tmp/new/deep/.vscode/tasks.json', '{}');
fs.symlinkSync('/tmp/new', '/tmp/way');`;
const asks = (how: string, ...commands: string[]) =>
  it(`has its own temporary folders, where protected files of a moved folder are searched: ${how}`, () =>
    onMachine(
      [
        toolCall('run_command', { command: 'node make.js' }),
        ...commands.map((command) => toolCall('run_command', { command })),
        reply('Done.'),
      ],
      async ({ run, events, workspace }) => {
        workspace.place('make.js', making);
        const { code, stderr } = await run('Move it.', '--mode', 'auto');
        assert.equal(code, 3, stderr);
        const last = eventsOfType(events(), 'agent_response').at(-1)!.actions[0]!;
        assert.equal(last.summary, `Run ${commands.at(-1)!}`);
        assert.match(last.risk.reasons.join(), /new\/deep\/\.vscode|way\/deep\/\.vscode/);
      },
    ));

describe('the sandbox of waymark run', function () {
  this.timeout(60_000);
  before(async function () {
    if ('none' in (await findSandbox([process.cwd()]))) this.skip(); // this machine does not support a sandbox
    ensureBuilt();
  });
  let shown = '';
  const place = (root: string): void => {
    for (const [name, text] of Object.entries(offline)) fs.writeFileSync(`${root}/${name}`, text);
  };

  it('does not show the model folders that exist only for the sandbox, until something is in them', () =>
    onMachine(
      [
        toolCall('run_command', { command: 'ls -A' }),
        toolCall('list_files', { path: '.' }),
        toolCall('read_file', { path: 'nowhere/at-all.txt' }),
        async () => {
          fs.writeFileSync(`${shown}/.vscode/settings.json`, '{}');
          return toolCall('list_files', { path: '.' });
        },
        reply('Done.'),
      ],
      async ({ run, workspace, server }) => {
        shown = workspace.root;
        workspace.place('own.txt', 'mine');
        const { code, stderr } = await run('Look.', '--mode', 'auto');
        assert.equal(code, 0, stderr);
        const read = server.requests.map(({ body }) => String(body.messages.at(-1)!.content));
        assert.match(read[1]!, /\.vscode/, 'the sandbox made no folder');
        assert.match(read[2]!, /own\.txt/);
        assert.doesNotMatch(read[2]!, /\.vscode/);
        assert.match(read[3]!, /The workspace folder contains: own\.txt/);
        assert.match(read[4]!, /\.vscode/);
      },
    ));

  it('has temporary files that count as written by the session: what they name may be used, and they are not marked as data', () =>
    onMachine(
      [
        toolCall('run_command', { command: 'echo "Serving src/server.js on 3000" > /tmp/server.log' }),
        toolCall('run_command', { command: 'cat /tmp/server.log' }),
        toolCall('run_command', { command: "sed -i 's/3000/3001/' src/server.js && cat src/server.js" }),
        reply('Done.'),
      ],
      async ({ run, workspace, server, events }) => {
        workspace.place('src/server.js', 'listen(3000);\n');
        const { code, stderr } = await run('Change the port.');
        assert.equal(code, 0, stderr);
        assert.equal(server.requests[2]!.body.messages.at(-1)!.content, 'Serving src/server.js on 3000\n[exit code 0]');
        assert.deepEqual(
          eventsOfType(events(), 'agent_response').flatMap(({ actions }) => actions.map(({ risk }) => risk.level)),
          ['medium', 'low', 'medium'],
        );
      },
    ));

  it('judges input typed into a program outside by the rules for outside', () =>
    onMachine(
      [
        toolCall('run_command', { command: 'python3 x.py' }),
        toolCall('read_file', { path: 'x.py' }),
        toolCall('run_command', { command: 'bash -i', tty: true }),
        toolCall('write_file', { path: 'x.py', content: 'print(2)\n' }),
        toolCall('run_command', { input: 'python3 x.py\n' }),
      ],
      async ({ run, start, args, workspace, events }) => {
        place(workspace.root);
        workspace.place('x.py', 'print(1)\n');
        const { stderr } = await run('Try.');
        const name = /--approve-outside (\w+)/.exec(stderr)![1]!;
        const [verb, , ...options] = args('');
        assert.equal((await start([verb!, ...options, '--approve-outside', name]).ended).code, 3);
        const asked = eventsOfType(events(), 'confirmation_requested').at(-1)!;
        assert.match(JSON.stringify(asked.risks), /Runs the program x\.py, which changed/);
        assert.match(JSON.stringify(asked.places), /started outside the sandbox/);
      },
    ));

  it('blocks network access and asks if the command is called again; only approval of that command lets it out, once', () =>
    onMachine(
      [command, command, command, reply('It needs the network.')],
      async ({ run, start, args, workspace, server, events }) => {
        place(workspace.root);
        const { code, stderr } = await run('Try.');
        assert.equal(code, 3);
        assert.match(
          server.requests[1]!.body.messages.at(-1)!.content,
          /ENETUNREACH[^]*The sandbox blocked something: inside, there is no network except for allowed domains\. If it is needed, call it again unchanged/,
        );
        const [first, second] = eventsOfType(events(), 'agent_response').flatMap(({ actions }) => actions);
        assert.equal(first!.risk.level, 'medium');
        assert.equal(second!.risk.level, 'high');
        assert.match(second!.risk.reasons.join(), /Failed in the sandbox, which has no network/);
        const name = /--approve-outside (\w+)/.exec(stderr)![1]!;
        assert.ok(stderr.indexOf('--approve-outside') < stderr.indexOf('--approve '), 'the yes that helps comes first');
        const [verb, , ...options] = args('');
        assert.equal(
          (await start([verb!, ...options, '--approve-outside', name]).ended).code,
          3,
          'the same command asks the next time, too',
        );
        const results = eventsOfType(events(), 'observation');
        assert.deepEqual(
          results.map(({ details }) => details?.kind === 'command' && details.sandbox),
          ['inside', 'outside'],
        );
        assert.doesNotMatch(results[1]!.content, /ENETUNREACH/);
        assert.equal(
          (await start([verb!, ...options, '--approve-outside', name]).ended).code,
          1,
          'the name of a question is good for one answer',
        );
      },
    ));

  for (const command of ['npm install left-pad', 'npm ci', 'git push origin main', 'curl https://example.com -o page'])
    it(`is the second offer for a command that needs the network: ${command}`, () =>
      onMachine([toolCall('run_command', { command })], async ({ run, events }) => {
        const { code, stderr } = await run('Install it.', '--confirm', 'always');
        assert.equal(code, 3);
        assert.ok(stderr.indexOf('--approve-outside') < stderr.indexOf('--approve '), stderr);
        const [asked] = eventsOfType(events(), 'confirmation_requested');
        const [place] = Object.values(asked!.places!);
        assert.deepEqual([place?.runs, place?.outside, place?.needsNetwork], ['inside', 'possible', true]);
      }));

  it('stays in use with --confirm never', () =>
    onMachine([command, command, reply('It cannot be done.')], async ({ run, workspace, server, events }) => {
      place(workspace.root);
      assert.equal((await run('Try.', '--confirm', 'never')).code, 0);
      assert.match(server.requests[1]!.body.messages.at(-1)!.content, /This mode asks nobody, so nothing runs outside/);
      assert.deepEqual(
        eventsOfType(events(), 'observation').map(({ details }) => details?.kind === 'command' && details.sandbox),
        ['inside', 'inside'],
      );
    }));

  it('can be switched off', () =>
    onMachine([command, reply('It ran.')], async ({ run, workspace, events }) => {
      place(workspace.root);
      await run('Try.', '--confirm', 'never', '--sandbox', 'off');
      const [observation] = eventsOfType(events(), 'observation');
      assert.ok(observation?.details?.kind === 'command' && observation.details.sandbox === undefined);
      assert.doesNotMatch(observation.content, /ENETUNREACH/);
    }));

  it('is cleaned up by the next run if a run was killed', () =>
    onMachine(
      [toolCall('run_command', { command: 'touch running; sleep 1000' }), reply('Done.')],
      async ({ start, args, workspace, environment }) => {
        const temporary = temporaryWorkspace();
        try {
          const more = { TMPDIR: temporary.root };
          fs.mkdirSync(workspace.at('.git'));
          for (const [name, text] of [
            ['HEAD', 'ref: refs/heads/main\n'],
            ['config', ''],
          ] as const)
            fs.writeFileSync(workspace.at(`.git/${name}`), text);
          const before = everythingIn(workspace.root);
          const first = start(args('Try.', '--confirm', 'never'), more);
          while (!fs.existsSync(workspace.at('running'))) await pause(20);
          const inside = processesIn(workspace.root);
          first.child.kill('SIGKILL');
          await first.ended;
          while (processesIn(workspace.root).some((pid) => inside.includes(pid))) await pause(20);
          fs.rmSync(workspace.at('running'));
          // The entries that guard a folder exist as long as it is guarded: without this check the rest proves nothing.
          assert.notDeepEqual(everythingIn(workspace.root), before);
          fs.writeFileSync(workspace.at('.git/modules/mine'), 'of the person');
          await start(
            args(
              'Say it is done.',
              '--cwd',
              temporary.root,
              '--trust-folder',
              '--log',
              `${environment['HOME']}/other.jsonl`,
            ),
            more,
          ).ended;
          fs.rmSync(workspace.at('.git/modules'), { recursive: true });
          assert.deepEqual(everythingIn(workspace.root), before);
          assert.deepEqual(
            fs.readdirSync(temporary.root).filter((name) => name.startsWith('waymark-')),
            [],
          );
          assert.deepEqual(fs.readdirSync(`${environment['XDG_STATE_HOME']}/waymark/sandbox`), []);
        } finally {
          temporary.stop();
        }
      },
    ));

  it('has the limits given on the command line, and rejects invalid ones', () =>
    onMachine(
      [toolCall('run_command', { command: 'head -c 3M /dev/zero > large' }), reply('It is too large.')],
      async ({ run, workspace, events }) => {
        const wrong = await run('Try.', '--confirm', 'never', '--sandbox-limits', 'disk=many');
        assert.equal(wrong.code, 1);
        assert.match(wrong.stderr, /“disk=many” is not a limit\. Write processes=500/);
        assert.equal((await run('Try.', '--confirm', 'never', '--sandbox-limits', 'disk=2,processes=500')).code, 0);
        const [observation] = eventsOfType(events(), 'observation');
        assert.match(observation!.content, /larger than 2 MB and was ended/);
        assert.equal(fs.statSync(`${workspace.root}/large`).size, 2 * 1024 * 1024);
      },
    ));

  asks('moved', 'mv /tmp/new editor');
  asks('copied after one that has none', 'mkdir /tmp/none && mv /tmp/none none', 'cp -r /tmp/new editor');
  asks('moved by way of a link', 'mv /tmp/way/deep editor');
});
