import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { borrowingRepository, checkoutAround } from '../../../src/adapters/git/borrowingRepository';
import { gitState } from '../../../src/adapters/git/gitState';
import { makeWorktree, type MadeWorktree } from '../../../src/adapters/sessions/worktree';
import {
  beginWorktree,
  listWorktrees,
  removeWorktree,
  sweepWorktrees,
  useWorktree,
} from '../../../src/adapters/sessions/worktrees';
import { isInWorktrees, worktreesFolder } from '../../../src/adapters/storage/stateFolder';
import { wholeTree } from '../checkpoints/wholeTree';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

const eightDays = 8 * 24 * 60 * 60_000;

describe('a session worktree', function () {
  this.timeout(60_000);
  let place: TemporaryWorkspace;
  let state: TemporaryWorkspace;
  let stateBefore: string | undefined;

  const gitAt = (cwd: string, ...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  const git = (...args: string[]): string => gitAt(place.root, ...args);
  const commit = (): void => {
    git('add', '-A');
    git('commit', '-qm', 'All.');
  };
  const make = (
    { uncommitted = false }: { readonly uncommitted?: boolean } = {},
    folder = place.root,
  ): Promise<MadeWorktree> =>
    makeWorktree({ folder, session: 's1', log: state.at('s1.jsonl'), task: 'Work.', uncommitted });

  beforeEach(() => {
    stateBefore = process.env['XDG_STATE_HOME'];
    place = temporaryWorkspace('project');
    state = temporaryWorkspace();
    process.env['XDG_STATE_HOME'] = state.root;
    git('init', '-q', '-b', 'main');
    place.place('a.txt', 'a\n');
    place.place('src/b.txt', 'b\n');
    fs.symlinkSync('a.txt', place.at('link'));
    place.place('run.sh', 'echo\n');
    fs.chmodSync(place.at('run.sh'), 0o755);
  });
  afterEach(() => {
    if (stateBefore === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = stateBefore;
    place.stop();
    state.stop();
  });

  it('equals Git’s own checkout, on the same branch, and is clean', async () => {
    commit();
    const before = wholeTree(place.root);
    const { root, worktree, notes } = await make();
    assert.deepEqual(worktree, { of: place.root, commit: git('rev-parse', 'HEAD').trim(), uncommitted: false });
    assert.deepEqual(notes, []);
    assert.equal(gitAt(root, 'status', '--porcelain', '--branch').trim(), '## main');
    assert.equal(gitAt(root, 'fsck', '--full').trim(), '');
    const beside = state.at('by-git');
    git('worktree', 'add', '-q', '--detach', beside);
    const files = (folder: string) =>
      Object.fromEntries(Object.entries(wholeTree(folder)).filter(([name]) => !/^\.git(\/|$)/.test(name)));
    assert.deepEqual(files(root), files(beside));
    git('worktree', 'remove', beside);
    // This commit never reaches the folder.
    gitAt(root, 'commit', '-q', '--allow-empty', '-m', 'Of the agent.');
    assert.equal(git('log', '--format=%s').trim(), 'All.');
    assert.deepEqual(withoutWorktrees(wholeTree(place.root)), withoutWorktrees(before));
  });

  /** `git worktree add`, used for comparison, leaves a folder and a timestamp. */
  const withoutWorktrees = (tree: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(tree).filter(([name]) => !/^\.git(\/worktrees.*)?$/.test(name)));

  it('runs no program that the repository, its attributes or its hooks name', async () => {
    const ran = state.at('ran');
    const program = `sh -c 'touch "${ran}"; cat'`;
    place.place('.gitattributes', 'a.txt filter=plain\nsrc/b.txt filter=a=b\n');
    commit();
    for (const filter of ['plain', 'a=b'])
      for (const kind of ['clean', 'smudge']) git('config', `filter.${filter}.${kind}`, program);
    git('config', 'core.fsmonitor', `touch "${ran}"; false`);
    place.place('.git/hooks/post-checkout', `#!/bin/sh\ntouch "${ran}"\n`);
    fs.chmodSync(place.at('.git/hooks/post-checkout'), 0o755);
    // Different bytes of the same length: Git has to read the files to notice.
    place.place('a.txt', 'x\n');
    place.place('src/b.txt', 'y\n');
    assert.equal(await gitState(place.root), 'branch main, 2 changed files');
    const { root } = await make();
    assert.equal(fs.existsSync(ran), false, 'a program of the repository ran');
    assert.equal(fs.readFileSync(path.join(root, 'src/b.txt'), 'utf8'), 'b\n');
    assert.equal(fs.existsSync(path.join(root, '.git/hooks/post-checkout')), false);
    removeWorktree(listWorktrees()[0]!.id);
    await make({ uncommitted: true });
    assert.equal(fs.existsSync(ran), false, 'a program of the repository ran');
  });

  it('has the filtered content of files without running the filters', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\n';
    place.place('.gitattributes', '*.bin filter=lfs\n');
    place.place('large.bin', pointer);
    commit();
    // As after git-lfs: the index considers the file unchanged although its bytes differ.
    git('config', 'filter.lfs.clean', `printf '${pointer.replace('\n', '\\n')}'`);
    place.place('large.bin', 'all the bytes');
    // Older than the index, so that Git need not read it again.
    fs.utimesSync(place.at('large.bin'), 1_600_000_000, 1_600_000_000);
    git('add', 'large.bin');
    assert.equal(git('status', '--porcelain').trim(), '');
    const { root } = await make();
    assert.equal(fs.readFileSync(path.join(root, 'large.bin'), 'utf8'), 'all the bytes');
  });

  it('works for a subfolder, a detached commit, a linked worktree and a sparse checkout', async () => {
    commit();
    const below = await make({ uncommitted: false }, place.at('src'));
    assert.deepEqual([path.basename(below.root), fs.readdirSync(below.root)], ['src', ['b.txt']]);
    assert.equal(below.worktree.of, place.at('src'));
    const beside = state.at('linked');
    git('worktree', 'add', '-q', '--detach', beside);
    const linked = await make({ uncommitted: false }, beside);
    assert.equal(gitAt(linked.root, 'status', '--porcelain', '--branch').trim(), '## HEAD (no branch)');
    git('sparse-checkout', 'set', '--no-cone', '/a.txt');
    const sparse = await make();
    assert.deepEqual(fs.readdirSync(sparse.root).sort(), ['.git', 'a.txt']);
    assert.equal(gitAt(sparse.root, 'status', '--porcelain').trim(), '');
  });

  it('is told apart from a folder that only a log names', async () => {
    assert.equal(isInWorktrees(place.root), false, 'there is no worktree at all');
    commit();
    const { root } = await make();
    const folder = worktreesFolder();
    assert.deepEqual([root, path.join(root, 'src')].map(isInWorktrees), [true, true]);
    const link = path.join(folder, 'link');
    fs.symlinkSync(place.root, link, 'junction');
    const others = [
      place.root,
      folder,
      path.dirname(folder),
      link,
      path.join(root, '..', '..', '..'),
      `${folder}-other`,
    ];
    assert.deepEqual(others.filter(isInWorktrees), []);
  });

  it('leaves submodules empty with a note, and works inside one', async () => {
    const other = temporaryWorkspace('other');
    gitAt(other.root, 'init', '-q', '-b', 'main');
    other.place('o.txt', 'o\n');
    gitAt(other.root, 'add', '-A');
    gitAt(other.root, 'commit', '-qm', 'Other.');
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.root, 'sub');
    commit();
    const { root, notes } = await make();
    assert.deepEqual(
      [notes, fs.readdirSync(path.join(root, 'sub'))],
      [['Submodules are empty folders in the worktree.'], []],
    );
    const inside = await make({ uncommitted: false }, place.at('sub'));
    assert.deepEqual(fs.readdirSync(inside.root).sort(), ['.git', 'o.txt']);
    other.stop();
  });

  it('writes nothing outside for a crafted commit whose file names lead out', async () => {
    commit();
    const blob = git('rev-parse', 'HEAD:a.txt').trim();
    const treeOf = (entry: string): string =>
      execFileSync('git', ['mktree'], { cwd: place.root, encoding: 'utf8', input: `${entry}\n` }).trim();
    const file = treeOf(`100644 blob ${blob}\tplanted`);
    const out = treeOf(`040000 tree ${file}\t..`);
    for (const tree of [treeOf(`040000 tree ${out}\t..`), treeOf(`040000 tree ${file}\t.git`)]) {
      git('update-ref', 'HEAD', git('commit-tree', '-m', 'Planted.', tree).trim());
      for (const uncommitted of [false, true])
        await assert.rejects(make({ uncommitted }), /contains a file that Git does not check out: .*planted/);
    }
    assert.deepEqual(
      Object.keys(wholeTree(state.root)).filter((name) => name.includes('planted')),
      [],
      'a file was written outside of the worktree',
    );
    assert.deepEqual(fs.readdirSync(worktreesFolder()), []);
  });

  it('copies nothing through a link hidden in the index or from a folder named by "core.worktree"', async () => {
    commit();
    const secrets = temporaryWorkspace('home');
    secrets.place('b.txt', 'secret\n');
    git('update-index', '--assume-unchanged', 'src/b.txt');
    fs.rmSync(place.at('src'), { recursive: true });
    fs.symlinkSync(secrets.root, place.at('src'));
    for (const uncommitted of [false, true]) {
      const { root } = await make({ uncommitted });
      const secret = Buffer.from('secret\n').toString('base64');
      assert.equal(
        Object.values(wholeTree(root)).some((held) => held.endsWith(secret)),
        false,
      );
    }
    git('config', 'core.worktree', secrets.root);
    await assert.rejects(make(), /sets its working tree \(core\.worktree\) to another folder/);
    secrets.stop();
  });

  it('is on the checked-out branch even if a tag has the same name', async () => {
    commit();
    git('tag', 'main');
    const { root } = await make();
    assert.equal(gitAt(root, 'symbolic-ref', 'HEAD').trim(), 'refs/heads/main');
  });

  it('with uncommitted changes has files that are in the folder but not in the index', async () => {
    commit();
    git('rm', '-q', '--cached', 'a.txt');
    git('rm', '-q', 'src/b.txt');
    const { root } = await make({ uncommitted: true });
    assert.deepEqual(fs.readdirSync(root).sort(), ['.git', 'a.txt', 'link', 'run.sh']);
    place.place('.gitignore', 'a.txt\n');
    const ignoring = await make({ uncommitted: true });
    assert.equal(fs.existsSync(path.join(ignoring.root, 'a.txt')), false, 'an ignored file was copied');
  });

  it('writes its own objects despite GIT_OBJECT_DIRECTORY', async () => {
    commit();
    const others = state.at('others');
    fs.mkdirSync(others);
    const before = process.env['GIT_OBJECT_DIRECTORY'];
    try {
      process.env['GIT_OBJECT_DIRECTORY'] = others;
      const { root } = await make();
      delete process.env['GIT_OBJECT_DIRECTORY'];
      assert.equal(gitAt(root, 'status', '--porcelain'), '');
      assert.deepEqual(fs.readdirSync(others), []);
    } finally {
      if (before === undefined) delete process.env['GIT_OBJECT_DIRECTORY'];
      else process.env['GIT_OBJECT_DIRECTORY'] = before;
    }
  });

  it('keeps its history when the original repository prunes unreachable objects', async () => {
    commit();
    // If sandboxed commands have a different temporary folder, `make` would not borrow from here.
    const root = state.at('borrowing');
    fs.mkdirSync(root);
    await borrowingRepository(root, await checkoutAround(place.root), { borrows: true, missing: [] });
    gitAt(root, 'checkout', '-q', '--', '.');
    fs.writeFileSync(path.join(root, 'own.txt'), 'own\n');
    gitAt(root, 'add', '-A');
    gitAt(root, 'commit', '-qm', 'Of the agent.');
    git('gc', '-q', '--prune=now');
    assert.equal(gitAt(root, 'log', '--format=%s').trim(), 'Of the agent.\nAll.');
    assert.equal(gitAt(root, 'fsck', '--full').trim(), '');
    // A dropped and pruned commit is unavailable to the worktree, but its files are not.
    git('checkout', '-q', '--orphan', 'other');
    git('commit', '-qm', 'Another beginning.');
    git('branch', '-qD', 'main');
    git('reflog', 'expire', '--expire=now', '--all');
    git('gc', '-q', '--prune=now');
    assert.equal(fs.readFileSync(path.join(root, 'own.txt'), 'utf8'), 'own\n');
    assert.equal(fs.readFileSync(path.join(root, 'a.txt'), 'utf8'), 'a\n');
  });

  it('is deleted if its program died before a session began, otherwise only if no changes wait', async () => {
    commit();
    const dead = { pid: 2 ** 22 - 1, start: 'long ago' };
    const change = (id: string, more: object): void => {
      const file = path.join(worktreesFolder(), id, 'worktree.json');
      fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, 'utf8')), ...more }));
    };
    const half = beginWorktree({ session: 'half', log: state.at('half.jsonl'), task: 'Work.', of: place.root });
    fs.mkdirSync(path.join(half.folder, 'project/deep'), { recursive: true });
    fs.chmodSync(path.join(half.folder, 'project'), 0o500);
    const unused = await make();
    const used = await make();
    useWorktree(used.id);
    assert.deepEqual(await sweepWorktrees(), [], 'their programs live');
    change(half.id, { owner: dead });
    change(unused.id, { owner: dead });
    change(used.id, { owner: dead });
    assert.deepEqual((await sweepWorktrees()).sort(), [half.id, unused.id].sort());
    // Without its log, its contents are unknown.
    assert.deepEqual(await sweepWorktrees(Date.now() + eightDays), []);
    assert.deepEqual(
      listWorktrees().map(({ id }) => id),
      [used.id],
    );
    assert.equal(fs.existsSync(half.folder), false);
  });
});
