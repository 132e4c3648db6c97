import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { CheckpointStore } from '../../src/adapters/checkpoints/checkpointStore';
import { defaultLimits, type CheckpointLimits } from '../../src/adapters/checkpoints/coverage';
import { RunChanges } from '../../src/adapters/checkpoints/restoring/runChanges';
import { SessionCheckpoints } from '../../src/adapters/checkpoints/recording/sessionCheckpoints';
import { wholeTree } from '../adapters/checkpoints/wholeTree';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace';
import { smallDisk } from './support/smallDisk';

/**
 * Problems with files between a step and its undo: names, encodings, permissions, links, disks, Git, several folders.
 */
describe('undoing a step', function () {
  this.timeout(120_000);
  let place: TemporaryWorkspace;
  let store: CheckpointStore;
  let notices: string[];

  /** By default the run has one folder, `work`. */
  interface Run {
    readonly root: string;
    /** Runs a shell command as one action. */
    act(command: string): Promise<void>;
    readonly changes: RunChanges;
    undo(): ReturnType<RunChanges['undo']>;
    tree(): Record<string, string>;
  }

  function begin(folders: readonly string[] = ['work'], limits: Partial<CheckpointLimits> = {}): Run {
    store = new CheckpointStore(place.at('state', 'checkpoints'), { ...defaultLimits, ...limits });
    const roots = folders.map((name) => (path.isAbsolute(name) ? name : place.at(name)));
    for (const root of roots) fs.mkdirSync(root, { recursive: true });
    const [root] = roots as [string];
    const log = place.at('state', 'run.waymark.jsonl');
    const checkpoints = new SessionCheckpoints({
      log,
      folders: roots,
      store,
      resolve: (spelled) => path.resolve(root, spelled),
      onNotice: (text) => notices.push(text),
    });
    let acted = 0;
    const changes = new RunChanges(log, store, (file) => path.relative(root, file));
    return {
      root,
      changes,
      async act(command) {
        const checkpoint = await checkpoints.before(`action-${++acted}`);
        const ran = spawnSync('bash', ['-c', command], { cwd: root, encoding: 'utf8' });
        assert.equal(ran.status, 0, ran.stderr);
        await checkpoint.after();
        await changes.refresh();
      },
      undo: () => changes.undo({}),
      tree: () => Object.assign({}, ...roots.map((each) => prefixed(each, wholeTree(each)))) as Record<string, string>,
    };
  }

  const prefixed = (root: string, tree: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(tree).map(([name, held]) => [`${root}/${name}`, held]));

  /** Runs a command, undoes it, and checks that everything is restored. */
  async function isUndone(run: Run, command: string): Promise<void> {
    const before = run.tree();
    await run.act(command);
    assert.notDeepEqual(run.tree(), before, 'the command changed something');
    const undone = await run.undo();
    assert.equal(undone.status, 'done', JSON.stringify(undone));
    assert.deepEqual(run.tree(), before);
    assert.deepEqual(notices, []);
  }

  beforeEach(() => {
    place = temporaryWorkspace();
    notices = [];
  });
  afterEach(() => {
    store.dispose();
    place.stop();
  });

  describe('while a file cannot be written', () => {
    for (const nth of [1, 2, 3, 5, 8]) {
      it(`leaves everything as it was before and can be retried (write ${nth} fails)`, async () => {
        const run = begin();
        for (const name of ['a', 'b', 'c', 'deep/d', 'deep/e']) place.place(`work/${name}`, `${name}\n`);
        const before = run.tree();
        await run.act('for f in a b c deep/d deep/e; do echo more >> $f; done; mkdir new; echo 1 > new/f; mv a moved');
        const after = run.tree();
        const real = fs.renameSync;
        let count = 0;
        fs.renameSync = (from, to) => {
          const isInWork = String(to).startsWith(run.root);
          if (isInWork && ++count === nth) throw Object.assign(new Error('EIO: i/o error, rename'), { code: 'EIO' });
          real(from, to);
        };
        try {
          const tried = await run.undo().then(
            ({ status }) => status,
            (error: Error) => error.message,
          );
          if (count >= nth) {
            assert.match(tried, /EIO/);
            assert.deepEqual(run.tree(), after, 'all or nothing');
          }
        } finally {
          fs.renameSync = real;
        }
        if (count >= nth) assert.equal((await run.undo()).status, 'done');
        assert.deepEqual(run.tree(), before);
      });
    }
  });

  it('on a full disk leaves every file unchanged and no temporary files, and works when there is room', async function () {
    const disk = smallDisk();
    if (!disk) {
      store = new CheckpointStore(place.at('state'));
      this.test!.title += ' (a disk cannot be mounted here)';
      return this.skip();
    }
    try {
      const run = begin([path.join(disk.folder, 'work')]);
      fs.writeFileSync(path.join(run.root, 'large'), 'first\n'.repeat(8000));
      fs.writeFileSync(path.join(run.root, 'small'), 'one\n');
      const before = run.tree();
      await run.act('echo two > small; echo cut > large');
      const after = run.tree();
      disk.fill(4096);
      await assert.rejects(run.undo(), /ENOSPC/);
      assert.deepEqual(run.tree(), after);
      disk.free();
      assert.equal((await run.undo()).status, 'done');
      assert.deepEqual(run.tree(), before);
    } finally {
      store.dispose();
      disk.stop();
    }
  });

  it('is refused if a file became a folder or was changed since, and changes nothing', async () => {
    const run = begin();
    place.place('work/a', 'one\n');
    place.place('work/b', 'one\n');
    await run.act('echo two > a; echo two > b; echo made > c');
    fs.rmSync(place.at('work/c'));
    fs.mkdirSync(place.at('work/c/inside'), { recursive: true });
    place.place('work/b', 'three\n');
    const now = run.tree();
    const undone = await run.undo();
    assert.equal(undone.status, 'refused');
    assert.deepEqual(run.tree(), now);
  });

  describe('keeps every byte outside the change if the file', () => {
    const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Buffer => Buffer.from(text, encoding);
    const files: readonly (readonly [what: string, held: Buffer])[] = [
      ['has CRLF', bytes('one\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix\r\n')],
      ['has mixed line ends', bytes('one\r\ntwo\nthree\r\nfour\nfive\rsix\n')],
      ['has a byte order mark', bytes('\ufeffone\ntwo\nthree\nfour\nfive\nsix\n')],
      ['has no final newline', bytes('one\ntwo\nthree\nfour\nfive\nsix')],
      ['is Latin-1', bytes('one\ntw\xf6\nthree\nfour\nfive\ns\xeex\n', 'latin1')],
      [
        'is Shift-JIS',
        Buffer.from([...bytes('one\n'), 0x83, 0x65, 0x83, 0x58, 10, ...bytes('three\nfour\nfive\nsix\n')]),
      ],
      ['is UTF-8 with emoji', bytes('one\ntwo 😀\nthree\nfour\nfive é\nsix\n')],
    ];
    for (const [what, held] of files) {
      it(what, async () => {
        const run = begin();
        place.place('work/file', held);
        await run.act("LC_ALL=C sed -i 's/^three/agent/' file");
        const byHand = Buffer.from(
          fs.readFileSync(place.at('work/file')).toString('latin1').replace('one', 'ONE'),
          'latin1',
        );
        place.place('work/file', byHand);
        assert.equal((await run.undo()).status, 'done');
        const wanted = held.toString('latin1').replace('one', 'ONE');
        assert.equal(place.bytes('work/file')!.toString('latin1'), wanted);
      });
    }

    it('is UTF-16 or contains a NUL, and is restored completely', async () => {
      const run = begin();
      place.place('work/wide', Buffer.from('\ufeffone\ntwo\n', 'utf16le'));
      place.place('work/nul', Buffer.from([65, 0, 10, 66, 10]));
      await isUndone(run, 'printf x >> wide; printf x >> nul');
    });
  });

  it('works with unusual names', async () => {
    const run = begin();
    const names = [
      'new\nline',
      `quote'"`,
      '-rf',
      'ends with dot.',
      'ends with space ',
      '😀',
      'e\u0301',
      '\u00e9',
      'x'.repeat(255),
      '$(touch hit)',
    ];
    for (const name of names) place.place(`work/${name}`, `${name}\n`);
    await isUndone(run, 'for f in ./*; do echo more >> "$f"; done; mkdir sub; mv -- ./e* sub');
    await isUndone(run, 'rm -- ./*');
    assert.equal(fs.existsSync(place.at('work/hit')), false);
  });

  it('works in deeply nested folders', async () => {
    const run = begin();
    const deep = Array.from({ length: 120 }, (_, at) => `folder-${at}`).join('/');
    place.place(`work/${deep}/file`, 'one\n');
    await isUndone(run, `echo two >> ${deep}/file; rm -r folder-0/folder-1/folder-2`);
  });

  it('follows no link: not out of the folder, not in a loop, not to a missing file', async () => {
    const run = begin();
    place.place('outside/mine', 'of the person\n');
    place.place('work/a', 'one\n');
    fs.symlinkSync('../outside/mine', place.at('work/out'));
    fs.symlinkSync('.', place.at('work/self'));
    fs.symlinkSync('nowhere', place.at('work/nowhere-link'));
    await isUndone(run, 'rm out self nowhere-link; echo file > out; ln -s a self; echo two > a');
    assert.equal(place.bytes('outside/mine')!.toString(), 'of the person\n');
  });

  it('skips pipes and sockets without waiting for them', async () => {
    const run = begin();
    place.place('work/a', 'one\n');
    assert.equal(spawnSync('mkfifo', [place.at('work/pipe')]).status, 0);
    await run.act('echo two > a');
    assert.equal((await run.undo()).status, 'done');
    assert.equal(place.bytes('work/a')!.toString(), 'one\n');
    assert.ok(fs.lstatSync(place.at('work/pipe')).isFIFO());
  });

  it('names a file too large for a copy, and restores the others on request', async () => {
    const run = begin(['work'], { maxFileBytes: 1000 });
    place.place('work/large', 'x'.repeat(5000));
    place.place('work/small', 'one\n');
    await run.act('echo more >> large; echo two > small');
    const refused = await run.undo();
    assert.equal(refused.status, 'refused');
    assert.match(JSON.stringify(refused), /too large/);
    assert.equal((await run.changes.undo({}, { leaveUnkept: true })).status, 'done');
    assert.equal(place.bytes('work/small')!.toString(), 'one\n');
    assert.equal(place.bytes('work/large')!.length, 5005, 'stays as it is');
  });

  describe('does not use or change Git', () => {
    const git = (folder: string, ...args: string[]): string => {
      const own = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always'];
      const { status, stdout, stderr } = spawnSync('git', [...own, ...args], { cwd: folder, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      return stdout;
    };
    /** The folder without Git's files, and Git's files. */
    const gitOf = (folder: string): Record<string, string> =>
      Object.fromEntries(Object.entries(wholeTree(folder)).filter(([name]) => /(^|\/)\.git(\/|$)/.test(name)));

    before(function () {
      if (spawnSync('git', ['--version']).status !== 0) this.skip();
    });

    it('in a repository without commits, with a broken index and a leftover lock', async () => {
      const run = begin();
      git(run.root, 'init', '-q');
      place.place('work/a', 'one\n');
      place.place('work/.git/index', 'broken');
      place.place('work/.git/index.lock', '');
      const kept = gitOf(run.root);
      await isUndone(run, 'echo two > a; echo new > b');
      assert.deepEqual(gitOf(run.root), kept);
    });

    it('in a submodule, a nested repository and a linked worktree', async () => {
      place.place('library/lib.txt', 'lib\n');
      git(place.at('library'), 'init', '-q');
      git(place.at('library'), 'add', '.');
      git(place.at('library'), 'commit', '-qm', 'lib');
      fs.mkdirSync(place.at('main'));
      git(place.at('main'), 'init', '-q');
      git(place.at('main'), 'submodule', '--quiet', 'add', place.at('library'), 'sub');
      place.place('main/a', 'one\n');
      git(place.at('main'), 'add', '.');
      git(place.at('main'), 'commit', '-qm', 'main');
      git(place.at('main'), 'worktree', 'add', '-q', place.at('tree'));
      place.place('main/nested/inner.txt', 'inner\n');
      git(place.at('main/nested'), 'init', '-q');

      const run = begin(['main', 'tree']);
      const kept = [gitOf(place.at('main')), gitOf(place.at('tree')), gitOf(place.at('library'))];
      const status = git(place.at('main'), 'status', '--porcelain', '--ignore-submodules=none');
      const keptAfterLook = [gitOf(place.at('main')), gitOf(place.at('tree')), gitOf(place.at('library'))];
      const command = `echo more >> sub/lib.txt; echo more >> nested/inner.txt; echo more >> a; echo more >> ${place.at('tree')}/a; rm -r nested/inner.txt`;
      await run.act(command);
      assert.equal((await run.undo()).status, 'done');
      assert.deepEqual([gitOf(place.at('main')), gitOf(place.at('tree')), gitOf(place.at('library'))], keptAfterLook);
      assert.deepEqual(Object.keys(kept[0]!).sort(), Object.keys(keptAfterLook[0]!).sort());
      assert.equal(git(place.at('main'), 'status', '--porcelain', '--ignore-submodules=none'), status);
      assert.equal(place.bytes('tree/a')!.toString(), 'one\n');
      assert.equal(place.bytes('main/sub/lib.txt')!.toString(), 'lib\n');
    });
  });

  it('covers all folders of the run, including nested ones, and no other', async () => {
    place.place('first/a', 'one\n');
    place.place('second/b', 'one\n');
    place.place('first/inner/c', 'one\n');
    place.place('third/mine', 'one\n');
    const run = begin(['first', 'second', 'first/inner']);
    await isUndone(run, 'echo two >> a; echo two >> ../second/b; rm inner/c; echo new > ../second/d');
    await run.act('echo two >> ../third/mine; echo two >> a');
    assert.equal((await run.undo()).status, 'done');
    assert.equal(place.bytes('third/mine')!.toString(), 'one\ntwo\n', 'a folder that is none of the run');
  });

  it('moves back what went from one folder of the run to another, with and without a copy', async () => {
    place.place('first/a', 'a\n');
    place.place('first/same', 'first\n');
    place.place('second/deep/b', 'b\n');
    place.place('second/deep/node_modules/p/index.js', 'p\n');
    place.place('second/.env', 'TOKEN=abcdefghijklmn\n');
    const run = begin(['first', 'second']);
    const before = run.tree();
    await run.act(
      'mv a ../second/c; mv ../second/deep .; echo more >> deep/b; mv ../second/.env .env; mv same ../second',
    );
    await run.act('mv ../second/c a; echo more >> ../second/same');
    assert.equal((await run.undo()).status, 'done');
    assert.deepEqual(run.tree(), before);
    assert.deepEqual(notices, []);
  });

  it('brings back a folder of the run that was deleted, or moved into another one', async () => {
    place.place('first/a', 'a\n');
    place.place('second/deep/b', 'b\n');
    const run = begin(['first', 'second']);
    const before = run.tree();
    for (const command of ['rm -r ../second', 'mv ../second .', 'mv ../second inner; echo more >> inner/deep/b']) {
      await run.act(command);
      assert.equal((await run.undo()).status, 'done');
      assert.deepEqual(run.tree(), before, command);
    }
  });

  it('restores nothing through a link that replaced a folder of the run', async () => {
    place.place('first/a', 'a\n');
    place.place('second/keys', 'of the agent\n');
    place.place('second/new', '');
    fs.mkdirSync(place.at('victim'));
    const run = begin(['first', 'second']);
    await run.act('rm ../second/keys; echo made > ../second/made');
    fs.rmSync(place.at('second'), { recursive: true });
    fs.symlinkSync('victim', place.at('second'));
    place.place('victim/made', 'made\n');
    await run.undo().catch(() => undefined);
    assert.deepEqual(Object.keys(wholeTree(place.at('victim'))), ['made']);
  });
});
