import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { CheckpointStore } from '../../../src/adapters/checkpoints/checkpointStore';
import { RunChanges } from '../../../src/adapters/checkpoints/restoring/runChanges';
import { SessionCheckpoints } from '../../../src/adapters/checkpoints/recording/sessionCheckpoints';
import { commitKept } from '../../../src/adapters/git/commitKept';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

const lines = Array.from({ length: 12 }, (_, at) => `line ${at + 1}\n`);

/** Commits kept changes in a real repository and checks the commit with the `git` program. */
describe('committing kept changes', function () {
  this.timeout(60_000);
  let place: TemporaryWorkspace;
  let store: CheckpointStore;
  let changes: RunChanges;
  let checkpoints: SessionCheckpoints;
  let acted = 0;

  const git = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: place.at('work'), encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const act = async (command: string): Promise<void> => {
    const checkpoint = await checkpoints.before(`action-${++acted}`);
    assert.equal(spawnSync('bash', ['-c', command], { cwd: place.at('work') }).status, 0);
    await checkpoint.after();
    await changes.refresh();
  };
  const hunkOf = async (name: string, added: string): Promise<string> => {
    const file = (await changes.changes()).find((each) => each.path === place.at('work', name));
    return file!.hunks.find((hunk) => hunk.added.includes(added))!.id;
  };
  const commit = async (message: string): Promise<string[]> => {
    const { files, ids } = await changes.keptToCommit();
    const commits = await commitKept(files, message);
    changes.noteCommitted(ids, commits);
    return commits;
  };

  before(function () {
    if (spawnSync('git', ['--version']).status !== 0) this.skip();
  });

  beforeEach(() => {
    place = temporaryWorkspace();
    acted = 0;
    place.place('work/text.txt', lines.join(''));
    place.place('work/gone.txt', 'gone\n');
    place.place('work/run.sh', 'echo\n');
    git('init', '-q');
    git('config', 'user.name', 'Ada');
    git('config', 'user.email', 'ada@example.org');
    git('add', '.');
    git('commit', '-qm', 'first');
    store = new CheckpointStore(place.at('state', 'checkpoints'));
    const log = place.at('state', 'run.waymark.jsonl');
    checkpoints = new SessionCheckpoints({
      log,
      folders: [place.at('work')],
      store,
      resolve: (spelled) => path.resolve(place.at('work'), spelled),
      onNotice: (text) => assert.fail(text),
    });
    changes = new RunChanges(log, store, (file) => path.relative(place.at('work'), file));
  });
  afterEach(() => {
    store.dispose();
    place.stop();
  });

  it('commits the kept hunks of a file and leaves its other changes and the user’s as they are', async () => {
    place.place('work/text.txt', lines.join('').replace('line 12\n', 'by hand\n'));
    await act("sed -i 's/^line 3$/LINE 3/; s/^line 7$/LINE 7/' text.txt");
    await changes.keep({ hunks: [await hunkOf('text.txt', 'LINE 3')] });
    const held = place.bytes('work/text.txt')!.toString();
    await commit('Shout in line 3');
    assert.equal(git('show', 'HEAD:text.txt'), lines.join('').replace('line 3\n', 'LINE 3\n'));
    assert.equal(git('log', '-1', '--format=%s %an'), 'Shout in line 3 Ada\n');
    assert.equal(place.bytes('work/text.txt')!.toString(), held, 'the file is not touched');
    assert.equal(git('diff', '--cached', '--name-only'), '', 'nothing else is staged');
    assert.match(git('diff'), /-line 7\n\+LINE 7\n[\s\S]*-line 12\n\+by hand/);
    assert.deepEqual((await changes.keptToCommit()).files, [], 'nothing of it is committed twice');

    await changes.keep({ hunks: [await hunkOf('text.txt', 'LINE 7')] });
    await commit('Shout in line 7');
    assert.match(git('show', 'HEAD:text.txt'), /LINE 3\n[\s\S]*LINE 7\n[\s\S]*line 12\n$/);
  });

  it('commits files that were created, deleted, linked or made executable', async () => {
    await act('echo new > made.txt; rm gone.txt; chmod 755 run.sh; ln -s text.txt link; head -c 300 /dev/zero > zeros');
    await changes.keep({});
    await commit('All of it');
    assert.equal(git('status', '--porcelain'), '');
    const tree = git('ls-tree', 'HEAD');
    assert.match(tree, /120000 blob \w+\tlink\n100644 blob \w+\tmade\.txt\n100755 blob \w+\trun\.sh\n/);
    assert.equal(/gone/.test(tree), false);
  });

  it('uses the line endings that the repository wants', async () => {
    git('config', 'core.autocrlf', 'true');
    place.place('work/text.txt', lines.join('').replaceAll('\n', '\r\n'));
    await act("sed -i 's/^line 3\\r$/LINE 3\\r/' text.txt");
    await changes.keep({});
    await commit('Shout');
    assert.equal(git('cat-file', 'blob', 'HEAD:text.txt'), lines.join('').replace('line 3\n', 'LINE 3\n'));
  });

  it('commits and stages nothing if other changes are staged or the kept lines changed since', async () => {
    await act("sed -i 's/^line 3$/LINE 3/' text.txt");
    await changes.keep({});
    place.place('work/other.txt', 'mine\n');
    git('add', 'other.txt');
    await assert.rejects(commit('No'), /Other changes are staged, such as other\.txt/);
    assert.equal(git('diff', '--cached', '--name-only'), 'other.txt\n');
    git('reset', '-q');
    spawnSync('git', ['stash', '-q'], { cwd: place.at('work') });
    place.place('work/text.txt', lines.join('').replace('line 3\n', 'line three\n'));
    git('commit', '-qam', 'three');
    await assert.rejects(commit('No'), /text\.txt has since been committed or staged with other content/);
    assert.equal(git('diff', '--cached', '--name-only'), '');
    assert.equal(git('log', '--format=%s'), 'three\nfirst\n');
  });

  it('commits a deletion in a repository with SHA-256', async function () {
    const folder = place.at('sha');
    if (spawnSync('git', ['init', '-q', '--object-format=sha256', folder]).status !== 0) return this.skip();
    const inFolder = (...args: string[]): string =>
      spawnSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], { cwd: folder, encoding: 'utf8' })
        .stdout;
    for (const name of ['name', 'email']) inFolder('config', `user.${name}`, 'ada');
    place.place('sha/gone.txt', 'gone\n');
    inFolder('add', '.');
    inFolder('commit', '-qm', 'first');
    place.remove('sha/gone.txt');
    const before = { state: { kind: 'file', mode: 0o644, size: 5 }, text: 'gone\n' } as const;
    await commitKept([{ path: place.at('sha/gone.txt'), steps: [{ before, after: { state: null } }] }], 'Removed');
    assert.equal(inFolder('show', '--format=%s', '--name-status'), 'Removed\n\nD\tgone.txt\n');
  });

  it('does not wait for a program that a commit hook leaves behind', async () => {
    place.place(
      'work/.git/hooks/post-commit',
      `#!/bin/sh\n(sleep 30; touch '${place.at('ended')}') &\necho $! > '${place.at('pid')}'\n`,
    );
    fs.chmodSync(place.at('work/.git/hooks/post-commit'), 0o755);
    await act('echo new > new.txt');
    await changes.keep({});
    await commit('New');
    assert.equal(place.bytes('ended'), undefined);
    process.kill(Number(place.bytes('pid')!.toString()));
  });

  it('unstages its changes if a commit hook refuses', async () => {
    place.place('work/.git/hooks/pre-commit', '#!/bin/sh\necho "No commits on Sundays." >&2\nexit 1\n');
    fs.chmodSync(place.at('work/.git/hooks/pre-commit'), 0o755);
    await act("sed -i 's/^line 3$/LINE 3/' text.txt; echo new > made.txt");
    await changes.keep({});
    await assert.rejects(commit('No'), /Git did not commit: No commits on Sundays\./);
    assert.equal(git('diff', '--cached', '--name-only'), '');
    assert.equal(git('log', '--format=%s'), 'first\n');
    assert.equal((await changes.keptToCommit()).files.length, 2, 'it can be tried again');
  });
});
