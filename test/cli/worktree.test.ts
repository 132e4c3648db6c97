import { strict as assert } from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { wholeTree } from '../adapters/checkpoints/wholeTree';
import { reply, toolCall } from '../support/modelServer';
import {
  cliFile,
  ensureBuilt,
  onMachine,
  until,
  type Machine,
  jsonFrom,
  worktreesIn,
  worktreesOf,
} from './support/commandLine';

const numbered = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join('');

/** A run that edits with a tool and with a command. */
const answers = [
  toolCall('write_file', { path: 'made.txt', content: 'one\ntwo\n' }),
  toolCall('run_command', {
    command:
      'sed -i "s/^line 5$/LINE 5/; s/^line 25$/LINE 25/" list.txt && rm gone.txt && git add -A && git status --short',
  }),
  reply('Done.'),
];

function git({ workspace }: Machine, ...args: string[]): string {
  const named = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...named, ...args], { cwd: workspace.root, encoding: 'utf8', stdio: 'pipe' });
}

/** A repository with three files and one commit. */
function populate(machine: Machine): void {
  const { workspace } = machine;
  git(machine, 'init', '-q', '-b', 'main');
  workspace.place('list.txt', numbered);
  workspace.place('gone.txt', 'gone\n');
  workspace.place('script.sh', 'echo\n');
  fs.chmodSync(workspace.at('script.sh'), 0o755);
  workspace.place('.gitignore', 'ignored.txt\n');
  git(machine, 'add', '-A');
  git(machine, 'commit', '-qm', 'First.');
}

const cwdOf = (machine: Machine): string => {
  const began = machine.events().find((event) => event.type === 'task_started');
  assert.ok(began?.type === 'task_started');
  return began.cwd;
};

describe('waymark run --worktree', function () {
  this.timeout(300_000);
  before(ensureBuilt);

  it('leaves the folder and its repository unchanged, and brings changes back by hunk or all at once', () =>
    onMachine(answers, async (machine) => {
      populate(machine);
      const { workspace } = machine;
      // A run in a worktree never includes staged or uncommitted changes of the folder.
      workspace.place('mine.txt', 'of the person\n');
      workspace.place('script.sh', 'echo changed\n');
      git(machine, 'add', 'mine.txt');
      const before = wholeTree(workspace.root);
      const { code, stderr } = await machine.run('Change files.', '--confirm', 'never', '--worktree');
      assert.equal(code, 0, stderr);
      assert.match(stderr, /without 2 changed files of the folder/);
      assert.match(stderr, /3 changed files wait in the worktree/);
      assert.deepEqual(wholeTree(workspace.root), before, 'nothing of the folder or of .git was written');

      const root = cwdOf(machine);
      assert.ok(root.startsWith(fs.realpathSync(worktreesOf(machine))), root);
      assert.equal(fs.existsSync(path.join(root, 'mine.txt')), false);
      assert.equal(fs.readFileSync(path.join(root, 'script.sh'), 'utf8'), 'echo\n');
      const printed = JSON.stringify(machine.events().filter(({ type }) => type === 'observation'));
      assert.match(printed, /M {2}list\.txt/, 'Git works in the worktree');

      const listed = await jsonFrom(machine, 'worktrees');
      assert.deepEqual(
        listed.value.worktrees.map(({ waiting, state, of }: any) => ({ waiting, state, of })),
        [{ waiting: 3, state: 'idle', of: fs.realpathSync(workspace.root) }],
      );

      // Meanwhile the user edits another part of the same file.
      workspace.place('list.txt', numbered.replace('line 15\n', 'line 15 of the person\n'));
      const { value } = await jsonFrom(machine, 'changes', machine.log);
      const list = value.files.find(({ path: name }: { path: string }) => name === 'list.txt');
      assert.equal(list.hunks.length, 2);
      const one = await jsonFrom(machine, 'bring-back', machine.log, '--hunk', list.hunks[1].id);
      assert.deepEqual([one.code, one.value.status], [0, 'done'], JSON.stringify(one.value));
      const merged = numbered.replace('line 15\n', 'line 15 of the person\n');
      assert.equal(workspace.bytes('list.txt')?.toString(), merged.replace('line 25\n', 'LINE 25\n'));

      const rest = await jsonFrom(machine, 'bring-back', machine.log);
      assert.equal(rest.code, 0, JSON.stringify(rest.value));
      const all = merged.replace('line 5\n', 'LINE 5\n').replace('line 25\n', 'LINE 25\n');
      assert.equal(workspace.bytes('list.txt')?.toString(), all);
      assert.equal(workspace.bytes('made.txt')?.toString(), 'one\ntwo\n');
      assert.equal(workspace.bytes('gone.txt'), undefined);
      assert.equal(workspace.bytes('script.sh')?.toString(), 'echo changed\n');
      assert.equal((await jsonFrom(machine, 'worktrees')).value.worktrees[0].waiting, 0);

      // The latest changes brought back are reverted, and are pending again.
      assert.equal((await jsonFrom(machine, 'bring-back', machine.log, '--undo')).code, 0);
      assert.equal(workspace.bytes('list.txt')?.toString(), merged.replace('line 25\n', 'LINE 25\n'));
      assert.equal(workspace.bytes('gone.txt')?.toString(), 'gone\n');
      assert.equal((await jsonFrom(machine, 'worktrees')).value.worktrees[0].waiting, 3);
      assert.equal((await jsonFrom(machine, 'bring-back', machine.log, '--undo')).code, 0);
      assert.equal(workspace.bytes('list.txt')?.toString(), merged);

      assert.equal((await jsonFrom(machine, 'bring-back', machine.log)).code, 0);
      const cleaned = await jsonFrom(machine, 'worktrees', '--clean');
      assert.deepEqual([cleaned.value.worktrees, cleaned.value.removed.length, worktreesIn(machine)], [[], 1, []]);
      const late = await machine.run('More.');
      assert.equal(late.code, 1);
      assert.match(late.stderr, /worktree of this session, .*, was removed/);
    }));

  it('starts with uncommitted changes on request, but without ignored files', () =>
    onMachine([toolCall('run_command', { command: 'cat mine.txt >> list.txt' }), reply('Done.')], async (machine) => {
      populate(machine);
      const { workspace } = machine;
      workspace.place('mine.txt', 'of the person\n');
      workspace.place('ignored.txt', 'secret\n');
      workspace.remove('gone.txt');
      const { code, stderr } = await machine.run('Add.', '--confirm', 'never', '--worktree', '--uncommitted');
      assert.equal(code, 0, stderr);
      const root = cwdOf(machine);
      assert.deepEqual(
        ['mine.txt', 'ignored.txt', 'gone.txt'].map((name) => fs.existsSync(path.join(root, name))),
        [true, false, false],
      );
      const { value } = await jsonFrom(machine, 'changes', machine.log);
      assert.deepEqual(
        value.files.map(({ path: name }: { path: string }) => name),
        ['list.txt'],
        'what the person did is no change of the run',
      );
    }));

  it('refuses to bring back files that both changed, and changes nothing', () =>
    onMachine(
      [
        toolCall('run_command', { command: 'sed -i "s/^line 5$/LINE 5/" list.txt; echo new > new.txt' }),
        reply('Done.'),
      ],
      async (machine) => {
        populate(machine);
        const { workspace } = machine;
        assert.equal((await machine.run('Change.', '--confirm', 'never', '--worktree')).code, 0);
        workspace.place('list.txt', numbered.replace('line 5\n', 'five\n'));
        const before = wholeTree(workspace.root);
        const refused = await jsonFrom(machine, 'bring-back', machine.log);
        assert.deepEqual(
          [refused.code, refused.value.status, refused.value.problems[0].kind],
          [1, 'refused', 'conflict'],
        );
        assert.deepEqual(wholeTree(workspace.root), before);
        // A single file can be brought back.
        assert.equal((await jsonFrom(machine, 'bring-back', machine.log, '--file', 'new.txt')).code, 0);
        assert.equal(workspace.bytes('new.txt')?.toString(), 'new\n');
        const [{ id }] = (await jsonFrom(machine, 'worktrees')).value.worktrees;
        const kept = await machine.start(['worktrees', '--remove', id]).ended;
        assert.equal(kept.code, 3, kept.stderr);
        assert.equal(worktreesIn(machine).length, 1, 'not without consent');
        assert.equal((await machine.start(['worktrees', '--remove', id, '--agree']).ended).code, 0);
        assert.deepEqual(worktreesIn(machine), []);
      },
    ));

  it('removes the worktree of a run that changed nothing', () =>
    onMachine([toolCall('run_command', { command: 'cat list.txt' }), reply('Done.')], async (machine) => {
      populate(machine);
      const { code, stderr } = await machine.run('Look.', '--confirm', 'never', '--worktree');
      assert.equal(code, 0, stderr);
      assert.match(stderr, /changed nothing, and its worktree was removed/);
      assert.deepEqual(worktreesIn(machine), []);
    }));

  it('keeps the worktree of a run that committed without other changes', () =>
    onMachine(
      [
        toolCall('run_command', {
          command: 'git -c user.name=Agent -c user.email=agent@example.com commit -q --allow-empty -m "Of the agent."',
        }),
        reply('Done.'),
      ],
      async (machine) => {
        populate(machine);
        const { code, stderr } = await machine.run('Commit.', '--confirm', 'never', '--worktree');
        assert.equal(code, 0, stderr);
        assert.match(stderr, /No changed files wait, but another commit is checked out in the worktree/);
        assert.equal(worktreesIn(machine).length, 1);
        assert.equal(git(machine, 'log', '--format=%s').trim(), 'First.');
        const [id] = worktreesIn(machine);
        const cleaned = await machine.start(['worktrees', '--clean']).ended;
        assert.deepEqual([cleaned.code, worktreesIn(machine)], [0, [id]], 'the commit exists nowhere else');
        assert.match((await machine.start(['worktrees']).ended).stdout, /idle, only commits/);
        const asked = await machine.start(['worktrees', '--remove', id!]).ended;
        assert.deepEqual([asked.code, worktreesIn(machine)], [3, [id]]);
        assert.match(asked.stderr, /contains commits not brought back, so it was not removed/);
        const words = `'${process.execPath}' '${cliFile}' worktrees --remove ${id}`;
        const piped = spawnSync('/bin/bash', ['-c', `echo y | ${words}`], { env: machine.environment });
        assert.deepEqual([piped.status, worktreesIn(machine)], [3, [id]], 'only a person at a terminal is asked');
        assert.equal((await machine.start(['worktrees', '--remove', id!, '--agree']).ended).code, 0);
        assert.deepEqual(worktreesIn(machine), []);
      },
    ));

  it('brings nothing to a folder that a modified log names', () =>
    onMachine([toolCall('write_file', { path: 'made.txt', content: 'one\n' }), reply('Done.')], async (machine) => {
      populate(machine);
      const { workspace, log } = machine;
      const { code, stderr } = await machine.run('Make.', '--confirm', 'never', '--worktree');
      assert.equal(code, 0, stderr);
      assert.match(stderr, /1 changed file waits in the worktree .*\. See it with ".+", bring it back with/);
      const other = path.join(path.dirname(log), 'other');
      fs.mkdirSync(other);
      const text = fs.readFileSync(log, 'utf8');
      const named = (folder: string): string => `"of":${JSON.stringify(folder)}`;
      assert.ok(text.includes(named(fs.realpathSync(workspace.root))));
      fs.writeFileSync(log, text.replace(named(fs.realpathSync(workspace.root)), named(other)));
      const refused = await machine.start(['bring-back', log]).ended;
      assert.equal(refused.code, 1, refused.stdout);
      assert.match(refused.stderr, /cannot verify this log/);
      assert.deepEqual(fs.readdirSync(other), []);
    }));

  it('says why a worktree cannot be created, and leaves nothing behind', () =>
    onMachine([reply('Done.')], async (machine) => {
      const refusal = async (): Promise<string> => {
        const { code, stderr } = await machine.run('Work.', '--worktree');
        assert.equal(code, 1);
        assert.deepEqual(worktreesIn(machine), []);
        return stderr;
      };
      assert.match(await refusal(), /is not in a Git repository/);
      git(machine, 'init', '-q');
      assert.match(await refusal(), /has no commits yet/);
      machine.workspace.remove('.git');
      git(machine, 'init', '-q', '--bare');
      assert.match(await refusal(), /is a bare repository/);
    }));

  it('keeps the changes of a killed run until they are brought back or dropped', () =>
    onMachine([toolCall('run_command', { command: 'echo new > new.txt; touch ready; sleep 600' })], async (machine) => {
      populate(machine);
      const running = machine.start(machine.args('Work.', '--confirm', 'never', '--worktree'));
      const isReady = (): boolean =>
        worktreesIn(machine).some((id) => {
          const folder = path.join(worktreesOf(machine), id);
          return fs.readdirSync(folder).some((name) => fs.existsSync(path.join(folder, name, 'ready')));
        });
      await until('The command', isReady);
      const { value } = await jsonFrom(machine, 'worktrees');
      assert.equal(value.worktrees[0].state, 'in_use');
      running.child.kill('SIGKILL');
      await running.ended;
      const swept = await jsonFrom(machine, 'worktrees');
      assert.deepEqual([swept.value.worktrees.length, swept.value.removed], [1, []]);
      assert.notEqual(swept.value.worktrees[0].waiting, 0, 'what the command did is not known, and so it is kept');
    }));
});
