import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { readEventLog } from '../../../src/adapters/log/eventLog';
import { eventsOfType } from '../../../src/core/log/projection';
import { reply, toolCall } from '../../support/modelServer';
import { ensureBuilt, onMachine } from '../support/commandLine';
import { sitDown } from '../support/sitDown';

const write = toolCall('write_file', { path: 'made.txt', content: 'made\n' });

(process.platform === 'win32' ? describe.skip : describe)('the hooks of waymark run', function () {
  this.timeout(60_000);
  before(ensureBuilt);
  const file = (command: string): string =>
    JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Write', hooks: [{ command }] }] } });
  const place = (
    workspace: { place(name: string, text: string): void },
    script = 'echo "Nothing is written here." >&2; exit 2\n',
  ): void => {
    workspace.place('guard.sh', script);
    workspace.place('.agent/hooks.json', file('sh guard.sh'));
  };

  it('do not run without approval, and a message says so', () =>
    onMachine([write, reply('Done.')], async ({ run, workspace, events }) => {
      place(workspace);
      const { code, stderr, stdout } = await run('Write it.');
      assert.equal(code, 0);
      assert.doesNotMatch(stdout, /nobody approved it/, 'it is said once');
      assert.match(
        stderr,
        /^\.agent\/hooks\.json defines 1 hook, which does not run, because nobody approved it\. Review the file; --agree hooks approves its current version\.\n/,
      );
      assert.deepEqual([eventsOfType(events(), 'hook_ran').length, fs.existsSync(workspace.at('made.txt'))], [0, true]);
      assert.deepEqual(
        eventsOfType(events(), 'notice').map(({ about, files, text }) => [
          about,
          files,
          /nobody approved it/.test(text),
        ]),
        [['hooks_left_out', ['.agent/hooks.json'], true]],
      );
    }));

  it('run with --agree hooks and in later runs, can refuse an action, and are reported', () =>
    onMachine([write, reply('I may not.'), write, reply('Still not.')], async ({ run, workspace, events, server }) => {
      place(workspace);
      const { code, stdout } = await run('Write it.', '--agree', 'hooks');
      assert.equal(code, 0);
      assert.match(stdout, /! PreToolUse hook “sh guard\.sh” refused: Nothing is written here\./);
      assert.match(
        server.requests[1]!.body.messages.at(-1)!.content,
        /^A hook of this folder blocked this action: Nothing is written here\.$/,
      );
      await run('And again.');
      assert.deepEqual(
        [eventsOfType(events(), 'hook_ran').length, fs.existsSync(workspace.at('made.txt'))],
        [2, false],
      );
    }));

  it('also run in a worktree if they were approved in the folder and are unchanged', () =>
    onMachine(
      [write, reply('I may not.'), write, reply('Still not.'), write, reply('Done.')],
      async ({ run, workspace, log }) => {
        place(workspace);
        const git = (...words: string[]): void => {
          const author = ['-c', 'user.name=N', '-c', 'user.email=n@example.com'];
          const { status, stderr } = spawnSync('git', [...author, ...words], { cwd: workspace.root, encoding: 'utf8' });
          assert.equal(status, 0, stderr);
        };
        git('init', '-q');
        git('add', '-A');
        git('commit', '-qm', 'All.');
        await run('Write it.', '--agree', 'hooks');
        const hooksIn = (name: string) => eventsOfType(readEventLog(`${log}.${name}`).events, 'hook_ran').length;
        const same = await run('Write it.', '--worktree', '--log', `${log}.same`);
        assert.equal(same.code, 0, same.stderr);
        assert.match(same.stdout, /PreToolUse hook “sh guard\.sh” refused/);
        workspace.place('guard.sh', 'exit 0\n');
        git('commit', '-qam', 'Harmless.');
        const other = await run('Write it.', '--worktree', '--log', `${log}.other`);
        assert.deepEqual([hooksIn('same'), hooksIn('other')], [1, 0], other.stderr);
        assert.match(other.stderr, /nobody approved it/);
      },
    ));

  it('run in plan mode if they were approved', () =>
    onMachine([reply('The plan.')], async ({ run, workspace, events }) => {
      workspace.place(
        '.agent/hooks.json',
        JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ command: 'touch ran.txt' }] }] } }),
      );
      assert.equal((await run('Plan it.', '--mode', 'plan', '--agree', 'hooks')).code, 0);
      assert.deepEqual([eventsOfType(events(), 'hook_ran').length, workspace.bytes('ran.txt')?.length], [1, 0]);
    }));

  it('refuse an action if their JSON output is too long to keep', () =>
    onMachine([write, reply('I may not.')], async ({ run, workspace }) => {
      place(workspace, `printf '{"decision":"deny","reason":"'; head -c 70000 /dev/zero | tr '\\0' x; printf '"}'\n`);
      const { stdout } = await run('Write it.', '--agree', 'hooks');
      assert.match(
        stdout,
        /! PreToolUse hook “sh guard\.sh” refused: Its output begins with "\{" but cannot be read, because it is longer than 64 KB/,
      );
      assert.equal(fs.existsSync(workspace.at('made.txt')), false);
    }));

  it('stop the run if they changed after their approval, until options say how to continue', () =>
    onMachine([write, reply('I may not.'), write, reply('Done.')], async ({ run, workspace, events }) => {
      place(workspace);
      await run('Write it.', '--agree', 'hooks');
      workspace.place('guard.sh', 'exit 0\n');
      const { code, stderr } = await run('And again.');
      assert.equal(code, 3);
      assert.match(
        stderr,
        /Hooks of this folder block the run\. .+--agree hooks approves their current version, --no-hooks runs none\./,
      );
      assert.equal((await run('Go on.', '--no-hooks')).code, 0);
      assert.deepEqual([eventsOfType(events(), 'hook_ran').length, fs.existsSync(workspace.at('made.txt'))], [1, true]);
    }));

  it('stop the run if their approved file is gone, until options say how to continue', () =>
    onMachine(
      [write, reply('I may not.'), write, reply('Done.'), reply('Once more.')],
      async ({ run, workspace, events, log }) => {
        place(workspace);
        await run('Write it.', '--agree', 'hooks');
        fs.rmSync(workspace.at('.agent/hooks.json'));
        const held = await run('And again.', '--json');
        assert.equal(held.code, 3);
        assert.match(
          held.stderr,
          /^The approved hooks of \.agent\/hooks\.json cannot run: it is gone\. The run waits\. .+--agree hooks permanently, --no-hooks for this run\.\n/,
        );
        assert.match(held.stdout, /"about":"hooks_changed"/);
        assert.equal(fs.existsSync(workspace.at('made.txt')), false);
        for (const options of [['--agree', 'hooks'], []]) {
          const next = await run('Go on.', '--log', `${log}.${options.length}`, ...options);
          assert.equal(next.code, 0);
          assert.match(next.stderr, options.length > 0 ? /^1 changed file\. .*\n$/ : /^$/);
        }
        assert.deepEqual(
          [eventsOfType(events(), 'hook_ran').length, fs.existsSync(workspace.at('made.txt'))],
          [1, true],
        );
      },
    ));

  it('ask at the terminal if their approved file cannot be read, and only typing y starts the run', () =>
    onMachine([write, reply('I may not.'), reply('Done.')], async (machine) => {
      place(machine.workspace);
      await machine.run('Write it.', '--agree', 'hooks');
      machine.workspace.place('.agent/hooks.json', ' '.repeat(128 * 1024 + 1));
      const no = sitDown(machine, 'Again.', '--log', `${machine.log}.next`);
      await no.reads(/it has 131,073 bytes, and files over 128 KB are not read\./);
      await no.reads(/Continue without its hooks from now on\?/);
      await no.types('\r');
      await no.reads(/Nothing was started\./);
      assert.equal(await no.leaves(), 1);
      const yes = sitDown(machine, 'Again.', '--log', `${machine.log}.third`);
      await yes.reads(/Continue without its hooks from now on\?/);
      await yes.types('y\r');
      assert.equal(await yes.leaves(), 0);
    }));

  it('are shown at the terminal and run if the person types y', () =>
    onMachine([write, reply('I may not.')], async (machine) => {
      place(machine.workspace);
      const person = sitDown(machine, 'Write it.');
      await person.reads(/PreToolUse \(Write\): sh guard\.sh/);
      await person.reads(/# guard\.sh/);
      await person.reads(/Run them in their current version\?/);
      await person.types('y\r');
      assert.equal(await person.leaves(), 0);
      assert.equal(eventsOfType(machine.events(), 'hook_ran')[0]!.decision, 'block');
    }));

  it('run at the start and end of a session, also with the older --hooks', () =>
    onMachine([reply('Done.')], async ({ run, workspace }) => {
      workspace.place(
        '.agent/hooks.json',
        JSON.stringify({
          hooks: {
            SessionStart: [{ hooks: [{ command: 'echo start >> told' }] }],
            SessionEnd: [{ hooks: [{ command: 'echo end >> told' }] }],
          },
        }),
      );
      await run('Do it.', '--hooks');
      assert.equal(fs.readFileSync(workspace.at('told'), 'utf8'), 'start\nend\n');
    }));

  it('are reported before the run and once in it if they match no tool or have an unsupported type', () =>
    onMachine([write, reply('Done.')], async ({ run, workspace }) => {
      workspace.place(
        '.agent/hooks.json',
        '{"hooks": {\n  "PreToolUse": [{"matcher": "Bash, Write", "hooks": [{"command": "exit 2"}]},\n  {"hooks": [{"type": "agent", "prompt": "Guard it."}]}]\n}}',
      );
      const { code, stdout, stderr } = await run('Write it.', '--agree', 'hooks', '--json');
      assert.equal(code, 0);
      assert.match(
        stderr,
        /^\.agent\/hooks\.json:2:30: warning: "Bash, Write" is not a list of names.+\n\.agent\/hooks\.json:3:14: error: This hook does not run.+"agent" requires a model\.\n$/,
      );
      assert.equal(stdout.match(/"about":"hook_problems"/g)?.length, 1);
    }));

  it('are reported with line and column if they cannot be read, and the run continues', () =>
    onMachine([reply('Done.')], async ({ run, workspace }) => {
      workspace.place('.agent/hooks.json', '{"hooks": {\n  "PreToolUse": {}\n}}');
      const { code, stderr } = await run('Do it.');
      assert.deepEqual(
        [code, stderr],
        [0, '.agent/hooks.json:2:17: error: PreToolUse is not a list. Its hooks are not run.\n'],
      );
    }));
});

(process.platform === 'win32' ? describe.skip : describe)('waymark hooks', function () {
  this.timeout(60_000);
  before(ensureBuilt);

  it('lists hooks with their programs and approval, shows changes, and approves only with --agree', () =>
    onMachine([], async ({ start, workspace }) => {
      const hooks = (...options: string[]) => start(['hooks', '--cwd', workspace.root, ...options]).ended;
      const trust = async (): Promise<unknown> =>
        (JSON.parse((await hooks('--json')).stdout) as { trust: string; programs: string[] }[]).map((file) => [
          file.trust,
          file.programs,
        ]);
      assert.match((await hooks()).stdout, /^No hooks found\./);
      workspace.place('my hooks/guard.sh', 'exit 2\n');
      workspace.place(
        '.agent/hooks.json',
        JSON.stringify({
          hooks: { PreToolUse: [{ matcher: 'Write', hooks: [{ command: 'sh "my hooks/guard.sh"' }] }] },
        }),
      );
      assert.deepEqual(await trust(), [['new', ['my hooks/guard.sh']]]);
      assert.equal(
        (await hooks()).stdout,
        '.agent/hooks.json  (not approved)\n  PreToolUse (Write): sh "my hooks/guard.sh"\n  programs of the folder: my hooks/guard.sh\n\n"waymark hooks --review" shows what waits for approval, and asks.\n',
      );
      const shown = await hooks('--review');
      assert.deepEqual(
        [shown.code, /# my hooks\/guard\.sh\nexit 2/.test(shown.stdout), await trust()],
        [3, true, [['new', ['my hooks/guard.sh']]]],
      );
      assert.match(shown.stderr, /waits for your approval, and there is no terminal to ask at\. --agree approves/);
      assert.equal((await hooks('--agree')).code, 0);
      assert.deepEqual(await trust(), [['agreed', ['my hooks/guard.sh']]]);
      workspace.place('my hooks/guard.sh', 'exit 0\n');
      const changed = await hooks('--review');
      assert.deepEqual(
        [changed.code, /^-exit 2\n\+exit 0$/m.test(changed.stdout), await trust()],
        [3, true, [['changed', ['my hooks/guard.sh']]]],
      );
      fs.rmSync(workspace.at('.agent/hooks.json'));
      assert.match(
        (await hooks()).stdout,
        /^\.agent\/hooks\.json {2}\(lost\)\n {2}The approved hooks of .+: it is gone\./,
      );
      await hooks('--revoke');
      assert.match((await hooks()).stdout, /^No hooks found\./);
    }));
});
