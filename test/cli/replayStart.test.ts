import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { reply, toolCall, type Answering, type RecordedRequest } from '../support/modelServer';
import { ensureBuilt, onMachine, type Machine } from './support/commandLine';

const run = (command: string) => toolCall('run_command', { command });
const git = (folder: string, ...args: string[]) =>
  execFileSync(
    'git',
    [
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@b.invalid',
      '-c',
      'init.defaultBranch=main',
      '-c',
      'commit.gpgsign=false',
      ...args,
    ],
    { cwd: folder, encoding: 'utf8' },
  ).trim();

function repository({ workspace }: Machine): string {
  workspace.place('a.txt', 'one\n');
  workspace.place('src/b.txt', 'b\n');
  workspace.place('.gitignore', 'ignored\n');
  git(workspace.root, 'init', '-q');
  git(workspace.root, 'add', '-A');
  git(workspace.root, 'commit', '-qm', 'first');
  workspace.place('dirty.txt', 'not committed when it began\n');
  workspace.place('ignored/x', 'x');
  return git(workspace.root, 'rev-parse', 'HEAD');
}

interface Told {
  readonly same: boolean;
  readonly start: {
    readonly commit?: string;
    readonly restored: string[];
    readonly leftOut: string[];
    readonly differs: string[];
  };
  readonly counts: Record<string, number>;
}

describe('a replay in the folder of the run', function () {
  this.timeout(120_000); // several programs, each started separately
  before(ensureBuilt);
  const replay = async ({ start, log, workspace }: Machine, ...options: string[]) => {
    const ended = await start(['replay', log, '--cwd', workspace.root, '--json', ...options]).ended;
    return { ...ended, told: (ended.stdout ? JSON.parse(ended.stdout) : undefined) as Told };
  };
  const works = (): Answering[] => [
    toolCall('read_file', { path: 'a.txt' }),
    toolCall('edit_file', { path: 'a.txt', edits: [{ old_text: 'one', new_text: 'two' }] }),
    toolCall('write_file', { path: 'new/c.txt', content: 'c\n' }),
    run('cat dirty.txt; test -e made.txt && echo there already; echo made > made.txt; rm src/b.txt'),
    run(
      'git log --format=%s; git add -A; git -c user.name=A -c user.email=a@b.invalid commit -qm second; git status --short',
    ),
    reply('It is done.'),
  ];

  it('runs in a copy that is reset to the commit where the run started, and has the same results', () =>
    onMachine(works(), async (machine) => {
      const { workspace } = machine;
      const commit = repository(machine);
      const { code, stderr } = await machine.run('Change it.', '--confirm', 'never', '--sandbox', 'off');
      assert.equal(code, 0, stderr);
      const [began] = machine.events();
      assert.equal(began?.type === 'task_started' && began.commit, commit);
      const before = workspace.names();
      const { code: ended, told, stdout } = await replay(machine);
      assert.deepEqual(told.start, {
        commit,
        restored: ['a.txt', 'src/b.txt'],
        leftOut: ['made.txt', 'new/c.txt'],
        differs: [],
      });
      assert.deepEqual([told.same, told.counts['differs']], [told.counts['refused'] === 0, 0], stdout);
      assert.ok([0, 3].includes(ended!), stdout);
      assert.deepEqual(
        [workspace.names(), fs.readFileSync(workspace.at('a.txt'), 'utf8'), git(workspace.root, 'log', '--format=%s')],
        [before, 'two\n', 'second\nfirst'],
        'the folder itself is as it was',
      );

      const other = await replay(machine, '--as-it-is');
      assert.equal(other.code, 1);
      assert.deepEqual(other.told.start, {
        restored: [],
        leftOut: [],
        differs: ['a.txt has changed since the run began.', 'new/c.txt already exists, but the run created it.'],
      });
      const lines = (await machine.start(['replay', machine.log, '--cwd', workspace.root]).ended).stdout;
      assert.match(
        lines,
        new RegExp(
          `^The copy was reset to commit ${commit.slice(0, 10)}, where the run began: restored to their state then: a\\.txt, src/b\\.txt; created since then and not copied: made\\.txt, new/c\\.txt\\.$`,
          'm',
        ),
      );
    }));

  it('follows no link out of the copy', () =>
    onMachine([run('true'), reply('Done.')], async (machine) => {
      const { workspace } = machine;
      repository(machine);
      await machine.run('Do nothing.', '--sandbox', 'off');
      const outside = workspace.at('..', `${path.basename(workspace.root)}-outside`);
      fs.mkdirSync(outside);
      fs.writeFileSync(path.join(outside, 'b.txt'), 'of somebody else\n');
      fs.writeFileSync(path.join(outside, 'later.txt'), 'of somebody else\n');
      workspace.remove('src');
      fs.symlinkSync(outside, workspace.at('src'));
      const { told, stderr } = await replay(machine);
      assert.equal(stderr, '');
      assert.deepEqual(told.start.restored, ['src/b.txt']);
      assert.deepEqual(
        fs.readdirSync(outside).map((name) => fs.readFileSync(path.join(outside, name), 'utf8')),
        ['of somebody else\n', 'of somebody else\n'],
      );
      fs.rmSync(outside, { recursive: true });
    }));

  it('says that the folder was not reset if the repository lacks the commit, and refuses an unknown --commit', () =>
    onMachine([toolCall('read_file', { path: 'a.txt' }), reply('Done.')], async (machine) => {
      const { workspace } = machine;
      repository(machine);
      await machine.run('Look.', '--sandbox', 'off');
      workspace.remove('.git');
      workspace.place('a.txt', 'other\n');
      const { code, stdout, stderr } = await machine.start(['replay', machine.log, '--cwd', workspace.root]).ended;
      assert.equal(code, 1);
      assert.match(
        stderr,
        /The run began at commit [0-9a-f]{10}, which is not in the repository of this folder, so the copy has the current files of the folder\./,
      );
      assert.match(stdout, /^Changed since the run began:\n {2}a\.txt has changed since the run began\.$/m);
      const named = await replay(machine, '--commit', 'f'.repeat(40));
      assert.deepEqual(
        [named.code, /was not reset to f{40}.*contains this commit/.test(named.stderr)],
        [1, true],
        named.stderr,
      );
      assert.equal((await replay(machine, '--commit', '--upload-pack=x')).code, 1);
      assert.match(
        (await replay(machine, '--commit', 'f'.repeat(40), '--in-place')).stderr,
        /Only a copy can be reset to a commit/,
      );
    }));

  it('repeats what subagents did, each in its own shell', () => {
    const answer: Answering = ({ body: { messages } }: RecordedRequest) => {
      const task = String(messages.find(({ role }) => role === 'user')!['content']);
      const turn = messages.filter(({ role }) => role === 'assistant').length;
      if (task.startsWith('Share'))
        return [
          toolCall('delegate', { tasks: [{ title: 'left', task: 'Task of left.' }] }),
          run('pwd | tail -c 5; cat left/file.txt'),
          reply('Done.'),
        ][turn]!;
      if (turn === 0) return run('mkdir left; cd left; echo left > file.txt');
      return turn === 1 ? run('cat file.txt') : reply('It is there.');
    };
    return onMachine(
      Array.from({ length: 10 }, () => answer),
      async (machine) => {
        const { workspace, log } = machine;
        await machine.run(
          'Share the work.',
          '--confirm',
          'never',
          '--toolsets',
          'default,delegation',
          '--sandbox',
          'off',
        );
        workspace.remove('left');
        const all = await machine.start(['replay', log, '--cwd', workspace.root]).ended;
        assert.equal(all.code, 0, all.stdout + all.stderr);
        assert.match(
          all.stdout,
          /^ {3}1 {2}same .*\n {8}left:\n {9}1 {2}same .*mkdir left[^]*\n {9}2 {2}same .*\n {3}2 {2}same .*\n4 actions: 4 the same, 0 different\.$/m,
        );
        assert.equal(workspace.names().includes('left'), false);
        // The file that the child created differs from now on.
        const [child] = fs.readdirSync(`${log}.children`).filter((name) => name.endsWith('.jsonl'));
        fs.renameSync(path.join(`${log}.children`, child!), path.join(`${log}.children`, 'away'));
        const without = await machine.start(['replay', log, '--cwd', workspace.root]).ended;
        assert.equal(without.code, 1);
        assert.match(
          without.stdout,
          /not compared .*Its result is taken from the log; the logs of its subsessions are missing/,
        );
      },
    );
  });
});
