import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { AgentTerminal } from '../../src/adapters/terminal/agentTerminal';
import { findSandbox } from '../../src/adapters/sandbox/findSandbox';
import { ensureBuilt, onMachine, until, type Machine } from '../cli/support/commandLine';
import { commandOptions, temporaryFolder } from '../contracts/terminal.contract';
import { reply, toolCall } from '../support/modelServer';
import { freshForEach, type TemporaryWorkspace } from '../support/temporaryWorkspace';

const waits = toolCall('run_command', { command: 'sleep 600' }, { text: 'It waits.' });
const finish = toolCall('finish', { summary: 'It is done.' });

const isInside = (place: string, folder: string): boolean =>
  place === folder || place.startsWith(`${folder}${path.sep}`);

const isWaiting = (folder: string): boolean =>
  fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return (
          fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep\x00600') &&
          isInside(fs.readlinkSync(`/proc/${pid}/cwd`), folder)
        );
      } catch {
        return false;
      }
    });

/** Starts a program whose temporary files are in `temporary`, and kills it when its command runs. */
async function killed(
  { start, workspace }: Machine,
  temporary: TemporaryWorkspace,
  args: readonly string[],
): Promise<void> {
  const running = start(args, { TMPDIR: temporary.root, NODE_DISABLE_COMPILE_CACHE: '1' });
  await until('the command', () => isWaiting(workspace.root) || isWaiting(temporary.root));
  running.child.kill('SIGKILL');
  await running.ended;
}

describe('files left behind by a killed program', function () {
  this.timeout(120_000);
  let temporary: TemporaryWorkspace;
  before(function () {
    if (process.platform !== 'linux') this.skip();
    ensureBuilt();
  });
  freshForEach((fresh) => {
    temporary = fresh;
  });

  for (const repository of [false, true]) {
    it(`are deleted by the next run, ${repository ? 'in a repository' : 'in a plain folder'}`, () =>
      onMachine([waits, finish], async (machine) => {
        const { workspace, start, args } = machine;
        workspace.place('file.txt', 'x\n');
        if (repository) execFileSync('git', ['init', '-q', workspace.root]);
        const before = workspace.names();
        await killed(machine, temporary, args('Work.'));
        assert.ok(temporary.names().length > 0, 'nothing was left, so this shows nothing');
        const next = start(args('Go on.'), { TMPDIR: temporary.root, NODE_DISABLE_COMPILE_CACHE: '1' });
        assert.equal((await next.ended).code, 0);
        assert.deepEqual(temporary.names(), []);
        assert.deepEqual(workspace.names(), before);
      }));
  }

  it('of a replay are deleted by the next run, unless the copy was kept on purpose', () =>
    onMachine(
      [toolCall('run_command', { command: 'test -e go || sleep 600' }), finish, reply('Again.')],
      async (machine) => {
        const { run, start, args, log, workspace, environment } = machine;
        const replay = ['replay', log, '--cwd', workspace.root, '--sandbox', 'off'];
        const copies = (): string[] =>
          fs.readdirSync(temporary.root).filter((name) => name.startsWith('waymark-replay-'));
        workspace.place('go', '');
        await run('Work.', '--sandbox', 'off');
        const kept = start([...replay, '--keep'], { TMPDIR: temporary.root, NODE_DISABLE_COMPILE_CACHE: '1' });
        assert.equal((await kept.ended).code, 0);
        const stays = copies();
        assert.equal(stays.length, 1);
        // Without this file the recorded command waits when it is replayed.
        fs.rmSync(path.join(workspace.root, 'go'));
        await killed(machine, temporary, replay);
        assert.equal(copies().length, 2, 'the killed replay left no copy, so this shows nothing');
        const other = path.join(environment['HOME']!, 'other.jsonl');
        const next = args('Again.', '--sandbox', 'off').map((word) => (word === log ? other : word));
        await start(next, { TMPDIR: temporary.root, NODE_DISABLE_COMPILE_CACHE: '1' }).ended;
        assert.deepEqual(copies(), stays);
      },
    ));
});

describe('a link from a folder to itself', () => {
  it('is not reported as a guarded file and is not followed', async function () {
    const cwd = temporaryFolder();
    if ('none' in (await findSandbox([cwd]))) return this.skip();
    const terminal = new AgentTerminal({
      cwd,
      folders: [cwd],
      wanted: 'on',
      outputFolder: temporaryFolder(),
      shell: '/bin/bash',
    });
    try {
      for (const command of [
        'ln -s . self',
        'mkdir -p deep && ln -s .. deep/up',
        'echo x > self/plain',
        'ls self/self/self',
      ]) {
        const { exitCode, note, output } = await terminal.run(command, commandOptions());
        assert.deepEqual([exitCode, note], [0, undefined], `${command}: ${output}`);
      }
    } finally {
      await terminal.dispose();
    }
  });
});

describe('a signal that starts the Node.js debugger', () => {
  it('does not start it in a run', () =>
    onMachine([{ ...reply('Done.'), delayMs: 2000 }], async ({ start, args, server }) => {
      if (process.platform === 'win32') return;
      ensureBuilt();
      const running = start(args('Work.'));
      await until('the request', () => server.requests.length === 1);
      running.child.kill('SIGUSR1');
      const { code, stderr } = await running.ended;
      assert.equal(code, 0);
      assert.doesNotMatch(stderr, /Debugger/);
    }));
});

describe('a file marked read-only', () => {
  it('is replaced, and the edit’s result says so', () =>
    onMachine(
      [
        toolCall('read_file', { path: 'fixed.txt' }),
        toolCall('edit_file', { path: 'fixed.txt', edits: [{ old_text: 'one', new_text: 'two' }] }),
        finish,
      ],
      async ({ run, workspace, events }) => {
        ensureBuilt();
        workspace.place('fixed.txt', 'one\n');
        fs.chmodSync(workspace.at('fixed.txt'), 0o444);
        assert.equal((await run('Change it.', '--confirm', 'never')).code, 0);
        assert.equal(workspace.bytes('fixed.txt')!.toString(), 'two\n');
        assert.equal(fs.statSync(workspace.at('fixed.txt')).mode & 0o777, 0o444);
        const said = events().flatMap((event) => (event.type === 'observation' ? [event.content] : []));
        assert.match(
          said[1]!,
          /^Edited fixed\.txt: \+1 −1.*\nfixed\.txt is read-only\. It was replaced anyway and stays read-only\.$/,
        );
      },
    ));
});
