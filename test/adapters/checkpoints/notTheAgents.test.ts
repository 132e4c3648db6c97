import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { CheckpointStore } from '../../../src/adapters/checkpoints/checkpointStore';
import { appendToJournal, journalOf, readJournal } from '../../../src/adapters/checkpoints/journal';
import { RunChanges } from '../../../src/adapters/checkpoints/restoring/runChanges';
import { SessionCheckpoints } from '../../../src/adapters/checkpoints/recording/sessionCheckpoints';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

/** The owner of an action whose program was killed. */
const dead = { pid: 2 ** 22 + 1, start: '1' };

/** What an undo must not delete although it appeared while the agent worked, or while it was interrupted. */
describe('files that are not the agent’s', () => {
  let place: TemporaryWorkspace;
  const closing: (() => Promise<void>)[] = [];

  beforeEach(() => {
    place = temporaryWorkspace('work');
    write('a.txt', 'one\n');
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    place.stop();
  });

  const stateFolder = (): string => place.at('..', 'state', 'checkpoints');

  function begin(name = 'run', store = new CheckpointStore(stateFolder())) {
    const log = place.at('..', 'state', `${name}.waymark.jsonl`);
    const processes = { live: false };
    const run = new SessionCheckpoints({
      log,
      folders: [place.root],
      store,
      resolve: (spelled) => place.at(spelled),
      onNotice: (words) => assert.fail(words),
      hasProcesses: () => Promise.resolve(processes.live),
    });
    closing.push(async () => {
      await run.dispose();
      store.dispose();
    });
    const changes = new RunChanges(log, store, (file) => path.relative(place.root, file));
    const command = async (action: string, work: () => void): Promise<void> => {
      const checkpoint = await run.before(action);
      work();
      await checkpoint.after();
    };
    /** The program is killed during a command. */
    const isKilledIn = async (action: string, work: () => void | Promise<void>): Promise<void> => {
      await run.before(action);
      await work();
      closing.pop();
      store.dispose();
    };
    const listed = async (): Promise<string[]> => {
      await changes.refresh();
      return (await changes.changes()).map(({ kind, path: file, isBetween }) =>
        [kind, path.relative(place.root, file), isBetween ? 'between' : ''].join(' ').trim(),
      );
    };
    return { run, log, store, processes, changes, command, isKilledIn, listed };
  }

  const write = (name: string, text: string): void => place.place(name, text);
  const text = (name: string): string | undefined => place.bytes(name)?.toString();
  const move = (from: string, to: string): void => fs.renameSync(place.at(from), place.at(to));
  /** Timestamps of files are not exact: only what is clearly older counts. */
  const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
  const keepsB = /^Waymark had no copies of these files or folders, .* Undo keeps them: b\.txt\.$/;

  it('are those that a background process moved here', async () => {
    write('node_modules/b.txt', 'only here\n');
    await later();
    const { command, processes, changes, listed } = begin();
    processes.live = true;
    await command('server', () => undefined);
    move('node_modules/b.txt', 'b.txt');
    write('made.txt', 'new\n');
    await command('next', () => undefined);
    assert.deepEqual(await listed(), ['created made.txt between']);
    assert.deepEqual(
      changes.record.uncovered.map(({ action, words }) => [action, keepsB.test(words)]),
      [['server', true]],
    );
    assert.equal((await changes.undo({})).status, 'done');
    assert.deepEqual([text('b.txt'), text('made.txt')], ['only here\n', undefined]);
  });

  it('are those that an action moved here although it claims to change nothing', async () => {
    write('node_modules/b.txt', 'only here\n');
    await later();
    const { run, command, changes, listed } = begin();
    await command('first', () => undefined);
    const checkpoint = await run.beforeUnchanging('read');
    move('node_modules/b.txt', 'b.txt');
    await checkpoint.after();
    assert.deepEqual(await listed(), []);
    assert.match(changes.record.uncovered[0]!.words, keepsB);
  });

  it('are those that the user created elsewhere since the run began', async () => {
    const { command, changes, listed } = begin();
    await command('first', () => undefined);
    place.place('../downloads/b.txt', 'only here\n');
    await later();
    await command('second', () => write('made.txt', 'new\n'));
    await command('move', () => move('../downloads/b.txt', 'b.txt'));
    assert.deepEqual(await listed(), ['created made.txt']);
    assert.match(changes.record.uncovered[0]!.words, keepsB);
    assert.equal((await changes.undo({})).status, 'done');
    assert.deepEqual([text('b.txt'), text('made.txt')], ['only here\n', undefined]);
  });

  for (const isScanned of [true, false])
    it(`are those that a tool moved here from a place without copies, ${isScanned ? 'after' : 'before'} the first scan`, async () => {
      write('.env', 'only here\n');
      write('node_modules/c.txt', 'a copy is made\n');
      await later();
      const { run, command, changes, listed } = begin();
      if (isScanned) await command('first', () => undefined);
      for (const [from, to] of [
        ['.env', 'b.txt'],
        ['node_modules/c.txt', 'c.txt'],
        ['a.txt', 'node_modules/a.txt'],
      ] as const) {
        const checkpoint = await run.before(from, [from, to]);
        move(from, to);
        await checkpoint.after();
      }
      await listed();
      assert.equal(changes.record.uncovered.length, 1);
      assert.match(changes.record.uncovered[0]!.words, keepsB);
      assert.equal((await changes.undo({}, { leaveUnkept: true })).status, 'done');
      assert.deepEqual(['.env', 'b.txt', 'c.txt', 'node_modules/c.txt', 'a.txt', 'node_modules/a.txt'].map(text), [
        undefined,
        'only here\n',
        undefined,
        'a copy is made\n',
        'one\n',
        undefined,
      ]);
    });

  it('are those that a command moved over others: undo deletes them only if the user agrees, and redo brings them back', async () => {
    write('node_modules/b.txt', 'only here\n');
    write('node_modules/c.txt', 'only here, too\n');
    write('b.txt', 'two\n');
    write('folder/x', 'three\n');
    write('covered.txt', 'four\n');
    write('other.txt', 'five\n');
    await later();
    const { command, changes, listed } = begin();
    await command('first', () => undefined);
    await command('move', () => {
      move('node_modules/b.txt', 'b.txt');
      fs.rmSync(place.at('folder'), { recursive: true });
      move('node_modules/c.txt', 'folder');
      move('covered.txt', 'other.txt');
    });
    await command('change', () => fs.appendFileSync(place.at('b.txt'), 'agent\n'));
    await listed();
    assert.deepEqual(
      changes.record.uncovered.map(({ action, words }) => [action, words.replace(/^.*:/, '')]),
      [['move', ' b.txt, folder.']],
    );
    assert.equal((await changes.undo({})).status, 'done');
    assert.deepEqual(['b.txt', 'folder/x', 'other.txt'].map(text), ['two\n', 'three\n', 'five\n']);
    await changes.redo();
    assert.deepEqual(['b.txt', 'folder'].map(text), ['only here\nagent\n', 'only here, too\n']);
  });

  it('are those with the only copy of what a file contained that cannot be restored', async () => {
    write('big.bin', '');
    fs.truncateSync(place.at('big.bin'), 26 * 1024 * 1024);
    write('c.txt', 'three\n');
    await later();
    const { command, changes, listed } = begin();
    await command('first', () => undefined);
    await command('backup', () => {
      move('a.txt', 'a.bak');
      write('a.txt', '');
      fs.truncateSync(place.at('a.txt'), 26 * 1024 * 1024);
      move('c.txt', 'c.bak');
      move('big.bin', 'c.txt');
      write('copy.txt', 'new\n');
    });
    await listed();
    assert.deepEqual(
      changes.record.uncovered.map(({ words }) => words),
      [],
    );
    const undone = await changes.undo({}, { leaveUnkept: true });
    assert.equal(undone.status, 'done');
    assert.deepEqual(['a.bak', 'c.bak', 'copy.txt'].map(text), ['one\n', 'three\n', undefined]);
    assert.deepEqual(
      undone.plan.problems
        .filter(({ path: file }) => file.endsWith('.bak'))
        .map(({ path: file, words }) => [path.basename(file), words]),
      [
        ['a.bak', 'It contains what a.txt contained, so it stays.'],
        ['c.bak', 'It contains what c.txt contained, so it stays.'],
      ],
    );
  });

  it('are those that a killed run moved here; others since then may be the user’s', async () => {
    write('node_modules/b.txt', 'only here\n');
    write('moved.txt', 'two\n');
    await later();
    const killed = begin();
    await killed.command('first', () => undefined);
    await later();
    await killed.isKilledIn('cut', () => {
      move('node_modules/b.txt', 'b.txt');
      move('moved.txt', 'm.txt');
      write('a.txt', 'agent\n');
    });
    write('notes.txt', 'by the person\n');
    const { command, changes, listed } = begin();
    await command('next', () => write('made.txt', 'new\n'));
    assert.deepEqual(await listed(), [
      'modified a.txt between',
      'renamed m.txt between',
      'created made.txt',
      'created notes.txt between',
    ]);
    assert.deepEqual(
      changes.record.uncovered.map(({ words }) => keepsB.test(words)),
      [true],
    );
    const scope = { includes: (action: string) => action === 'next', respectsKept: false, untilNow: true };
    assert.equal((await changes.undo({}, { scope })).status, 'done');
    assert.deepEqual([text('made.txt'), text('a.txt')], [undefined, 'agent\n']);
    assert.equal((await changes.undo({ files: ['a.txt', 'm.txt'].map((name) => place.at(name)) })).status, 'done');
    assert.deepEqual(['a.txt', 'b.txt', 'm.txt', 'moved.txt', 'notes.txt'].map(text), [
      'one\n',
      'only here\n',
      undefined,
      'two\n',
      'by the person\n',
    ]);
  });

  it('are not lost from sight if a folder cannot be read once', async () => {
    write('folder/b.txt', 'two\n');
    await later();
    await new Promise((resolve) => setTimeout(resolve, 150));
    const { command, changes, listed } = begin();
    await command('first', () => undefined);
    const { readdirSync } = fs;
    try {
      await command('unreadable', () => {
        write('folder/made.txt', 'new\n');
        Object.assign(fs, {
          readdirSync: (folder: string, ...more: unknown[]) => {
            if (folder === place.at('folder')) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
            return (readdirSync as (...all: unknown[]) => unknown)(folder, ...more);
          },
        });
      });
    } finally {
      Object.assign(fs, { readdirSync });
    }
    assert.deepEqual(await listed(), []);
    assert.match(changes.record.uncovered[0]!.words, /^These folders could not be read after this step, .*: folder\.$/);
    await command('later', () => write('folder/b.txt', 'agent\n'));
    assert.deepEqual(await listed(), ['modified folder/b.txt']);
    assert.equal((await changes.undo({})).status, 'done');
    assert.equal(text('folder/b.txt'), 'two\n');
  });

  it('cannot be told from others if another run scanned the folder after a run was killed, which is said', async () => {
    const killed = begin();
    await killed.isKilledIn('cut', () => write('a.txt', 'agent\n'));
    await later();
    const other = begin('other');
    await other.command('first', () => undefined);
    await closing.pop()!();
    const { command, changes } = begin();
    await command('next', () => undefined);
    await changes.refresh();
    assert.deepEqual(
      changes.record.uncovered.map(({ action }) => action),
      ['cut'],
    );
  });

  it('are not those that a command moved inside the folder and that the user saved before it ended', async () => {
    write('c.txt', 'three\n');
    write('d.txt', 'four\n');
    await later();
    const { run, changes, listed } = begin();
    const checkpoint = await run.before('move');
    move('a.txt', 'b.txt');
    move('c.txt', 'd.txt');
    for (const name of ['b.txt', 'd.txt']) {
      await run.beforePersonSaves(place.at(name));
      await run.afterPersonSaved(place.at(name));
    }
    await checkpoint.after();
    assert.deepEqual(await listed(), ['renamed b.txt', 'deleted c.txt', 'modified d.txt']);
    assert.deepEqual(changes.record.uncovered, []);
  });

  it('are not those that a killed run created before the user saved another file that it changed', async () => {
    const killed = begin();
    await killed.isKilledIn('cut', async () => {
      write('made.txt', 'new\n');
      write('a.txt', 'agent\n');
      await later();
      await killed.run.beforePersonSaves(place.at('a.txt'));
      write('a.txt', 'person\n');
      await killed.run.afterPersonSaved(place.at('a.txt'));
    });
    const entries = readJournal(journalOf(killed.log)).entries.map((entry) =>
      entry.type === 'began' ? { ...entry, by: dead } : entry,
    );
    fs.writeFileSync(journalOf(killed.log), '');
    for (const entry of entries) appendToJournal(journalOf(killed.log), entry);
    await killed.changes.refresh();
    assert.deepEqual(
      killed.changes.record.uncovered.map(({ action }) => action),
      ['cut'],
    );
    const { command, changes, listed } = begin();
    await command('next', () => undefined);
    assert.deepEqual(await listed(), ['modified a.txt', 'created made.txt between']);
    assert.deepEqual(changes.record.uncovered, []);
  });

  it('are those that a command moves here while a killed run goes on in the same process', async () => {
    await begin().isKilledIn('cut', () => undefined);
    await later();
    place.place('../downloads/b.txt', 'only here\n');
    await later();
    const other = begin('other');
    await other.command('first', () => undefined);
    const checkpoint = await other.run.before('move');
    move('../downloads/b.txt', 'b.txt');
    const resumed = begin('run', other.store);
    resumed.run.prepare();
    await resumed.command('next', () => undefined);
    await checkpoint.after();
    assert.deepEqual(await other.listed(), []);
    assert.match(other.changes.record.uncovered[0]!.words, /Undo keeps them: b\.txt\./);
  });

  it('are known after a run was killed in the millisecond in which it had stored the state of the folder', async () => {
    const killed = begin();
    await killed.isKilledIn('cut', () => write('a.txt', 'agent\n'));
    const began = readJournal(journalOf(killed.log)).entries.find(({ type }) => type === 'began')!;
    const folder = path.join(stateFolder(), 'folders');
    for (const name of fs.readdirSync(folder)) {
      const stored = (began.at + 0.4) / 1000;
      fs.utimesSync(path.join(folder, name), stored, stored);
    }
    const { command, changes, listed } = begin();
    await command('next', () => undefined);
    assert.deepEqual(await listed(), ['modified a.txt between']);
    assert.deepEqual(changes.record.uncovered, []);
  });

  it('are no longer collected for a run that began when its folder was known', async () => {
    const { store, command } = begin();
    await command('first', () => undefined);
    const other = begin('other', store);
    other.run.prepare();
    await other.command('first', () => undefined);
    assert.equal(store.index(place.root).openWindows, 0);
  });

  it('are not known after a run was killed, which is said', async () => {
    const { command, log, changes } = begin();
    await command('first', () => undefined);
    appendToJournal(journalOf(log), { type: 'began', at: Date.now(), action: 'cut', by: dead });
    await changes.refresh();
    assert.deepEqual(
      changes.record.uncovered.map(({ action }) => action),
      ['cut'],
    );
  });
});
