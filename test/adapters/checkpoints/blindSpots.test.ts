import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { BlobStore } from '../../../src/adapters/checkpoints/blobStore';
import { CheckpointStore } from '../../../src/adapters/checkpoints/checkpointStore';
import { defaultLimits, type CheckpointLimits } from '../../../src/adapters/checkpoints/coverage';
import { journalOf, readJournal } from '../../../src/adapters/checkpoints/journal';
import { RunChanges } from '../../../src/adapters/checkpoints/restoring/runChanges';
import { SessionCheckpoints } from '../../../src/adapters/checkpoints/recording/sessionCheckpoints';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

const signature = 'Signature: 8a477f597d28d172789f06886806bc55\n';

/** Actions that an agent could use to hide a change from both the list of changes and undo. */
describe('changes of a run', function () {
  this.timeout(60_000);
  let place: TemporaryWorkspace;
  const closing: (() => Promise<void>)[] = [];

  beforeEach(() => {
    place = temporaryWorkspace();
    fs.mkdirSync(place.at('work'));
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    place.stop();
  });

  /** A run whose processes live while `isAlive` returns true. */
  function begin(name = 'run', limits: Partial<CheckpointLimits> = {}) {
    const store = new CheckpointStore(place.at('state', 'checkpoints'), { ...defaultLimits, ...limits });
    const log = place.at('state', `${name}.waymark.jsonl`);
    const processes = { live: false };
    const run = new SessionCheckpoints({
      log,
      folders: [place.at('work')],
      store,
      resolve: (spelled) => place.at('work', spelled),
      onNotice: (words) => assert.fail(words),
      hasProcesses: () => Promise.resolve(processes.live),
    });
    closing.push(async () => {
      await run.dispose();
      store.dispose();
    });
    const changes = new RunChanges(log, store, (file) => path.relative(place.at('work'), file));
    const command = async (action: string, work: () => void): Promise<void> => {
      const checkpoint = await run.before(action);
      work();
      await checkpoint.after();
    };
    const edit = async (action: string, file: string, text: string): Promise<void> => {
      const checkpoint = await run.before(action, [file]);
      write(file, text);
      await checkpoint.after();
    };
    const listed = async (): Promise<string[]> => {
      await changes.refresh();
      return (await changes.changes()).map((file) => {
        const notes = [
          file.isBetween ? 'between' : '',
          ...file.actions,
          file.missing === undefined ? '' : 'no copy',
        ].filter((note) => note !== '');
        return [file.kind, path.relative(place.at('work'), file.path), ...notes].join(' ');
      });
    };
    return { run, store, log, processes, changes, command, edit, listed };
  }

  const write = (name: string, text: string | Buffer): void => place.place(`work/${name}`, text);
  const text = (name: string): string | undefined => place.bytes(`work/${name}`)?.toString();

  describe('by background processes between commands', () => {
    it('are listed as changed between steps and can be undone', async () => {
      write('important.txt', 'precious\n');
      write('lib.js', 'code\n');
      const { command, processes, listed, changes } = begin();
      processes.live = true;
      await command('server', () => undefined);
      fs.rmSync(place.at('work/important.txt'));
      write('lib.js', 'code\nevil\n');
      write('planted.sh', 'new\n');
      await command('later', () => write('lib.js', 'code\nevil\nlater\n'));
      assert.deepEqual(await listed(), [
        'deleted important.txt between',
        'modified lib.js between later',
        'created planted.sh between',
      ]);
      assert.equal((await changes.undo({})).status, 'done');
      assert.deepEqual(
        [text('important.txt'), text('lib.js'), text('planted.sh')],
        ['precious\n', 'code\n', undefined],
      );
    });

    it('are found before an edit of the same file and at the end of the run', async () => {
      write('a.txt', 'one\n');
      const { run, command, edit, processes, listed } = begin();
      processes.live = true;
      await command('server', () => undefined);
      write('a.txt', 'two\n');
      await edit('edit', 'a.txt', 'two\nthree\n');
      write('late.txt', 'late\n');
      processes.live = false;
      await run.dispose(Promise.resolve());
      assert.deepEqual(await listed(), ['modified a.txt between edit', 'created late.txt between']);
    });

    it('exclude files that the user saves in an editor and files that an undo restores', async () => {
      write('mine.txt', 'one\n');
      write('agent.txt', 'a\n');
      const { run, command, processes, listed, changes } = begin();
      processes.live = true;
      await command('server', () => write('agent.txt', 'b\n'));
      const saved = place.at('work/mine.txt');
      await run.beforePersonSaves(saved);
      write('mine.txt', 'one\nby hand\n');
      await run.afterPersonSaved(saved);
      assert.equal((await changes.undo({})).status, 'done');
      await command('later', () => undefined);
      assert.deepEqual(await listed(), []);
      assert.deepEqual([text('mine.txt'), text('agent.txt')], ['one\nby hand\n', 'a\n']);
      await changes.redo();
      assert.equal(text('agent.txt'), 'b\n');
    });

    it('exclude edits by others when no process of the run is alive', async () => {
      write('mine.txt', 'one\n');
      const { command, listed } = begin();
      await command('first', () => undefined);
      write('mine.txt', 'by hand\n');
      write('new.txt', 'by hand\n');
      await command('second', () => undefined);
      assert.deepEqual(await listed(), []);
    });
  });

  describe('that a command could try to hide', () => {
    it('are listed if a command adds a cache tag to an existing folder, whatever the tag contains', async () => {
      for (const tag of ['', signature]) {
        write('src/a.js', 'a\n');
        write('src/deep/d.js', 'd\n');
        const { command, listed, changes, run } = begin(`run ${tag.length}`);
        await command('tag', () => write('src/CACHEDIR.TAG', tag));
        await command('evil', () => write('src/evil.js', 'evil\n'));
        await command('gone', () => fs.rmSync(place.at('work/src/deep'), { recursive: true }));
        assert.deepEqual(await listed(), [
          'created src/CACHEDIR.TAG tag',
          'deleted src/deep gone',
          'deleted src/deep/d.js gone',
          'created src/evil.js evil',
        ]);
        assert.equal((await changes.undo({})).status, 'done');
        assert.deepEqual(fs.readdirSync(place.at('work/src')).sort(), ['a.js', 'deep']);
        await run.dispose();
      }
    });

    it('are listed if a command tags a folder from an earlier edit or puts an empty tag into a new folder', async () => {
      const { command, edit, listed } = begin();
      await command('first', () => undefined);
      await edit('edit', 'made/a.js', 'a\n');
      await command('tag', () => {
        write('made/CACHEDIR.TAG', signature);
        write('made/evil.js', 'evil\n');
        write('fresh/CACHEDIR.TAG', '');
        write('fresh/evil.js', 'evil\n');
      });
      const files = (await listed()).filter((line) => line.includes('.js'));
      assert.deepEqual(files, ['created fresh/evil.js tag', 'created made/a.js edit', 'created made/evil.js tag']);
    });

    it('list a new folder with a valid cache tag as not copied; a folder tagged earlier stays a cache', async () => {
      write('old/CACHEDIR.TAG', signature);
      write('old/object.o', '1');
      const { command, listed, changes } = begin();
      await command('build', () => {
        write('old/object.o', '2');
        write('target/CACHEDIR.TAG', signature);
        write('target/object.o', '1');
      });
      await command('untag', () => fs.rmSync(place.at('work/old/CACHEDIR.TAG')));
      assert.deepEqual(await listed(), ['created target build no copy']);
      const { plan } = (await changes.undo({}, { leaveUnkept: true })) as Awaited<ReturnType<typeof changes.undo>>;
      assert.match(plan.problems[0]!.words, /is marked as a cache/);
      assert.equal(text('target/object.o'), '1');
    });

    it('include files named like Waymark’s own temporary files', async () => {
      write('.waymark-note.tmp', 'mine\n');
      const { command, listed, changes } = begin();
      await command('evil', () => {
        write('.waymark-note.tmp', 'agent\n');
        write('.waymark-00000000-4190000-0123456789ab.tmp', 'hidden\n');
      });
      assert.deepEqual(await listed(), [
        'created .waymark-00000000-4190000-0123456789ab.tmp evil',
        'modified .waymark-note.tmp evil',
      ]);
      assert.equal((await changes.undo({})).status, 'done');
      assert.equal(text('.waymark-note.tmp'), 'mine\n');
    });

    it('include files whose names are not UTF-8, without copies', async function () {
      const raw = (name: string): Buffer =>
        Buffer.concat([Buffer.from(`${place.at('work')}/`), Buffer.from(name, 'latin1')]);
      try {
        fs.writeFileSync(raw('caf\xe9.txt'), 'latin');
        fs.writeFileSync(raw('na\xefve.txt'), 'latin');
      } catch {
        console.log('      skipped: the file system has no such names');
        this.skip();
      }
      const { command, listed, changes } = begin();
      await command('evil', () => {
        fs.rmSync(raw('caf\xe9.txt'));
        fs.writeFileSync(raw('na\xefve.txt'), 'other text');
        fs.writeFileSync(raw('\xfcber.txt'), 'made');
        fs.mkdirSync(raw('ordn\xe9r'));
      });
      const lines = await listed();
      assert.deepEqual(lines.map((line) => line.replace(/\ufffd/g, '?')).sort(), [
        'created ?ber.txt evil',
        'created ordn?r evil',
        'deleted caf?.txt evil no copy',
        'modified na?ve.txt evil no copy',
      ]);
      const undone = await changes.undo({}, { leaveUnkept: true });
      assert.deepEqual(
        undone.plan.problems.map(({ kind }) => kind),
        ['no_copy', 'no_copy', 'no_copy', 'no_copy'],
      );
      for (const { words } of undone.plan.problems) assert.match(words, /bytes of its name are not UTF-8/);
    });

    it('include each of two files whose names differ only in such bytes', async function () {
      const raw = (name: string): Buffer =>
        Buffer.concat([Buffer.from(`${place.at('work')}/`), Buffer.from(name, 'latin1')]);
      try {
        for (const name of ['a\xe9', 'a\xe8']) fs.writeFileSync(raw(name), 'one');
      } catch {
        console.log('      skipped: the file system has no such names');
        this.skip();
      }
      const { command, listed } = begin();
      for (const [index, name] of ['a\xe9', 'a\xe8'].entries()) {
        await command(`evil${index}`, () => fs.writeFileSync(raw(name), 'other'));
        assert.deepEqual(await listed(), [`modified a\ufffd evil0${index === 1 ? ' evil1' : ''} no copy`]);
      }
    });

    it('include links whose targets are not UTF-8, without copies: nothing restores another target', async function () {
      const link = place.at('work', 'link');
      const target = Buffer.from('caf\xe9', 'latin1');
      const pointTo = (to: Buffer): void => {
        fs.rmSync(link, { force: true });
        fs.symlinkSync(to, link);
      };
      try {
        pointTo(target);
      } catch {
        console.log('      skipped: the file system has no such links');
        this.skip();
      }
      const { command, listed, changes } = begin();
      await command('evil', () => pointTo(Buffer.from('caf\xe8', 'latin1')));
      assert.deepEqual(await listed(), ['modified link evil no copy']);
      await command('worse', () => fs.rmSync(link));
      assert.deepEqual(await listed(), ['deleted link evil worse no copy']);
      assert.equal((await changes.undo({})).status, 'refused');
      assert.equal(fs.existsSync(link), false);
      write('file.txt', 'mine\n');
      await command('again', () => {
        fs.rmSync(place.at('work', 'file.txt'));
        fs.symlinkSync(target, place.at('work', 'file.txt'));
      });
      assert.equal((await changes.undo({ files: [place.at('work', 'file.txt')] })).status, 'refused');
      assert.deepEqual(fs.readlinkSync(place.at('work', 'file.txt'), { encoding: 'buffer' }), target);
    });
  });

  describe('by moving what existed before', () => {
    it('keep what came from a place without copies, and undo moves between covered places', async () => {
      write('node_modules/own/patch.js', 'only here\n');
      write('.env', 'KEY=abcdefgh12345\n');
      place.place('outside.txt', 'only here\n');
      write('dir/inside.txt', 'x\n');
      write('swapped.txt', 'x\n');
      fs.linkSync(place.at('work/swapped.txt'), place.at('work/second.txt'));
      // Timestamps of files are not exact: only what is clearly older than the run counts.
      await new Promise((resolve) => setTimeout(resolve, 50));
      const { command, changes } = begin();
      await command('first', () => undefined);
      const at = (name: string): string => place.at('work', name);
      await command('move', () => {
        fs.renameSync(at('node_modules'), at('modules'));
        fs.renameSync(at('.env'), at('env.txt'));
        fs.renameSync(place.at('outside.txt'), at('came.txt'));
        fs.renameSync(at('dir'), at('other'));
        fs.linkSync(at('swapped.txt'), at('third.txt'));
        fs.renameSync(at('swapped.txt'), at('away.txt'));
        write('swapped.txt', 'new\n');
        write('made.txt', 'new\n');
      });
      await changes.refresh();
      const [told] = changes.record.uncovered;
      assert.match(told!.words, /^Waymark had no copies of .* Undo keeps them: came\.txt, env\.txt, modules\.$/);
      assert.equal((await changes.undo({}, { leaveUnkept: true })).status, 'done');
      assert.deepEqual(
        fs
          .readdirSync(place.at('work'), { recursive: true, encoding: 'utf8' })
          .filter((name) => fs.statSync(at(name)).isFile())
          .sort(),
        ['came.txt', 'dir/inside.txt', 'env.txt', 'modules/own/patch.js', 'second.txt', 'swapped.txt'],
      );
      assert.deepEqual([text('came.txt'), text('swapped.txt')], ['only here\n', 'x\n']);
      assert.ok(await changes.redo(), 'folders that had to stay do not prevent it');
      assert.deepEqual([text('other/inside.txt'), text('swapped.txt')], ['x\n', 'new\n']);
    });
  });

  it('are copied up to a size limit per scan; larger ones are reported, and small files are still copied', async () => {
    write('a.txt', 'mine\n');
    const { command, listed, changes } = begin('run', { maxBytes: 4_000_000 });
    await command('flood', () => {
      for (let nth = 0; nth < 10; nth++) write(`s${nth}`, Buffer.alloc(1_000_000, nth + 1));
      write('z.txt', 'small\n');
      write('a.txt', 'agent\n');
    });
    assert.equal((await listed()).length, 12);
    const [told] = changes.record.uncovered;
    assert.match(
      told!.words,
      /More than 4 MB changed at once, so \d of the files were not copied and cannot be undone\./,
    );
    assert.equal((await changes.undo({}, { leaveUnkept: true })).status, 'done');
    assert.deepEqual([text('a.txt'), text('z.txt')], ['mine\n', undefined]);
    const left = fs.readdirSync(place.at('work')).filter((name) => /^s\d$/.test(name));
    assert.ok(left.length > 0 && left.length < 10, `${left.length} files stay`);
  });

  describe('while another run works in the same folder', () => {
    it('exclude edits by the other run’s tools during a command', async () => {
      write('a.txt', 'one\n');
      write('shared.txt', 'one\n2\n3\n4\nfive\n6\n7\n8\nnine\n');
      const [first, second] = [begin('first'), begin('second')];
      await second.command('begin', () => undefined);
      const slow = await first.run.before('slow');
      write('a.txt', 'first\n');
      write('shared.txt', 'first\n2\n3\n4\nfive\n6\n7\n8\nnine\n');
      await second.edit('edit', 'b.txt', 'second\n');
      await second.edit('edit too', 'shared.txt', 'first\n2\n3\n4\nsecond\n6\n7\n8\nnine\n');
      write('shared.txt', 'first\n2\n3\n4\nsecond\n6\n7\n8\nfirst again\n');
      await slow.after();
      assert.deepEqual(await first.listed(), ['modified a.txt slow', 'modified shared.txt slow']);
      assert.deepEqual(first.changes.record.uncovered, []);
      assert.equal((await first.changes.undo({})).status, 'done');
      assert.deepEqual([text('a.txt'), text('b.txt')], ['one\n', 'second\n']);
      assert.equal(text('shared.txt'), 'one\n2\n3\n4\nsecond\n6\n7\n8\nnine\n');
    });

    it('exclude an edit by the other run while an edit of the same file was refused', async () => {
      write('a.txt', 'one\n');
      const [first, second] = [begin('first'), begin('second')];
      const refused = await first.run.before('refused', ['a.txt']);
      await second.edit('edit', 'a.txt', 'second\n');
      await refused.after();
      assert.deepEqual(await first.listed(), []);
      assert.deepEqual(first.changes.record.uncovered, []);
      assert.deepEqual(await second.listed(), ['modified a.txt edit']);
    });

    it('name the files that a command of the other run may have changed', async () => {
      const [first, second] = [begin('first'), begin('second')];
      await first.command('begin', () => undefined);
      const slow = await first.run.before('slow');
      write('a.txt', 'first\n');
      await second.command('work', () => write('b.txt', 'second\n'));
      await slow.after();
      const words = (run: typeof first): string[] => {
        run.changes.record.problems.forEach((problem) => assert.fail(problem));
        return run.changes.record.uncovered.map((told) => told.words);
      };
      await Promise.all([first.changes.refresh(), second.changes.refresh()]);
      const [ofFirst, ofSecond] = [words(first), words(second)];
      assert.deepEqual([ofFirst.length, ofSecond.length], [1, 1], JSON.stringify([ofFirst, ofSecond]));
      for (const told of [ofFirst[0]!, ofSecond[0]!])
        assert.match(
          told,
          /^Another run worked in this folder at the same time and may have made these changes\. Undo reverts them, too: .*b\.txt/,
        );
    });

    it('name what a command and exclude what an edit of the other run changed that ended meanwhile', async () => {
      const [first, second] = [begin('first'), begin('second')];
      await first.command('begin', () => undefined);
      const slow = await first.run.before('slow');
      await second.command('work', () => write('b.txt', 'second\n'));
      await second.edit('edit', 'c.txt', 'second\n');
      await second.run.dispose();
      write('a.txt', 'first\n');
      await slow.after();
      assert.deepEqual(await first.listed(), ['created a.txt slow', 'created b.txt slow']);
      assert.match(
        first.changes.record.uncovered[0]!.words,
        /^Another run .* may have made these changes\. Undo reverts them, too: b\.txt\.$/,
      );
      await first.command('later', () => write('d.txt', 'first\n'));
      await first.changes.refresh();
      assert.equal(first.changes.record.uncovered.length, 1);
    });

    it('have no warnings about runs that ended or were killed', async () => {
      const first = begin('first');
      const ended = begin('ended');
      await ended.command('work', () => write('b.txt', 'b\n'));
      await ended.run.dispose();
      const { pid } = spawnSync(process.execPath, ['-e', '']);
      const folder = place.at('state', 'checkpoints', 'living');
      const killed = { owner: { pid, start: '1' }, journal: journalOf(ended.log), folders: [place.at('work')] };
      fs.writeFileSync(path.join(folder, 'killed.json'), JSON.stringify({ ...killed, family: 'x' }));
      await first.command('alone', () => write('a.txt', 'a\n'));
      await first.changes.refresh();
      assert.deepEqual(first.changes.record.uncovered, []);
      assert.equal(fs.existsSync(path.join(folder, 'killed.json')), false, 'what a killed run left is swept');
    });
  });

  it('can be read from a store that another process cleaned up meanwhile', async () => {
    const copies = place.at('state', 'copies');
    const open = new BlobStore(copies);
    const other = new BlobStore(copies);
    const kept = open.put(Buffer.from('kept'));
    const gone = open.put(Buffer.from('gone'));
    await open.flush();
    open.close();
    const window = new BlobStore(copies);
    assert.equal(window.get(kept).toString(), 'kept');
    // Like a cleanup: moves the needed objects into another pack.
    const bytes = other.get(kept);
    const [pack] = other.packs();
    other.forget(kept);
    other.put(bytes);
    await other.flush();
    await other.remove(new Set([pack!]));
    assert.equal(window.get(kept).toString(), 'kept');
    assert.throws(() => window.get(gone), /is not in .*: it was cleaned up or damaged\./);
    assert.equal(window.put(Buffer.from('gone')), gone);
    await window.flush();
    assert.equal(new BlobStore(copies).get(gone).toString(), 'gone', 'what is put again is on the disk again');
    for (const each of [other, window]) each.close();
  });

  it('ignore an unsigned journal line about changes between steps', async () => {
    const { command, log } = begin();
    await command('first', () => undefined);
    const line = { type: 'between', at: 1, files: [{ path: place.at('work/x'), before: null, after: null }] };
    fs.appendFileSync(journalOf(log), `${JSON.stringify(line)}\n`);
    assert.equal(
      readJournal(journalOf(log)).entries.some(({ type }) => type === 'between'),
      false,
    );
  });
});
