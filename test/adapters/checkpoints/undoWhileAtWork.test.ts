import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { appendToJournal, journalOf } from '../../../src/adapters/checkpoints/journal';
import { CommandAtWork } from '../../../src/adapters/checkpoints/restoreConflict';
import { SessionCheckpoints } from '../../../src/adapters/checkpoints/recording/sessionCheckpoints';
import { RunChanges } from '../../../src/adapters/checkpoints/restoring/runChanges';
import { thisProcess } from '../../../src/adapters/storage/fileLock';
import { recordedFolder, type RecordedFolder } from './recordedFolder';

const before = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`).join('');
const shouted = before.replace('line 3\n', 'LINE 3\n').replace('line 15\n', 'LINE 15\n');

describe('undoing while a command of the run is running', function () {
  this.timeout(30_000);
  let folder: RecordedFolder;
  let place: RecordedFolder['place'];
  let run: RecordedFolder['run'];
  let here: RunChanges;
  /** The view of another window or terminal, which does not know what the command does. */
  let elsewhere: RunChanges;

  const text = (name: string): string | undefined => folder.text(name);
  const listed = async (): Promise<string[]> => {
    await here.refresh();
    const files = await here.changes();
    return files.map(({ path: file, added, removed, actions, hunks }) => {
      const contested = hunks.some(({ isContested }) => isContested) ? ' contested' : '';
      return `${path.basename(file)} +${added} -${removed} by ${actions.join(', ')}${contested}`;
    });
  };
  const act = async (action: string, change: () => void): Promise<void> => {
    const checkpoint = await run.before(action);
    change();
    await checkpoint.after();
    await here.refresh();
  };
  const hunkAt = async (line: number): Promise<string> => {
    const hunks = (await here.changes()).flatMap((file) => file.hunks);
    return hunks.find(({ block }) => block.newFrom === line - 1)!.id;
  };

  beforeEach(() => {
    folder = recordedFolder({ 'text.txt': before, 'other.txt': 'a\n' });
    const { store, log } = folder;
    ({ place, run } = folder);
    const name = (file: string): string => path.basename(file);
    here = new RunChanges(log, store, name, { atWork: () => run });
    elsewhere = new RunChanges(log, store, name);
  });
  afterEach(() => folder.end());

  it('reverts a hunk in a file that the command did not touch, without attributing it to the command', async () => {
    await act('first', () => place.place('work/text.txt', shouted));
    const command = await run.before('command');
    place.place('work/other.txt', 'a\nb\n');
    assert.equal((await here.undo({ hunks: [await hunkAt(3)] })).status, 'done');
    assert.equal(text('text.txt'), before.replace('line 15\n', 'LINE 15\n'));
    await command.after();
    assert.deepEqual(await listed(), ['other.txt +1 -0 by command', 'text.txt +1 -1 by first']);
    assert.equal((await here.undo({})).status, 'done');
    assert.deepEqual([text('text.txt'), text('other.txt')], [before, 'a\n']);
  });

  it('attributes the command’s later changes in the same file to the command', async () => {
    await act('first', () => place.place('work/text.txt', shouted));
    const command = await run.before('command');
    assert.equal((await here.undo({ hunks: [await hunkAt(3)] })).status, 'done');
    fs.appendFileSync(place.at('work/text.txt'), 'of the command\n');
    await command.after();
    assert.deepEqual(await listed(), ['text.txt +2 -1 by first, command']);
    assert.equal((await here.undo({})).status, 'done');
    assert.equal(text('text.txt'), before);
  });

  it('can itself be reverted (redo) meanwhile', async () => {
    await act('first', () => place.place('work/text.txt', shouted));
    const command = await run.before('command');
    assert.equal((await here.undo({})).status, 'done');
    assert.equal(text('text.txt'), before);
    assert.ok(await here.redo());
    assert.equal(text('text.txt'), shouted);
    await command.after();
    assert.deepEqual(await listed(), ['text.txt +2 -2 by first']);
  });

  it('is refused for a file that the command has changed and from another process', async () => {
    await act('first', () => place.place('work/text.txt', shouted));
    const command = await run.before('command');
    const other = await elsewhere
      .refresh()
      .then(() => elsewhere.undo({}))
      .catch((error: unknown) => error);
    assert.ok(other instanceof CommandAtWork, String(other));
    assert.match(other.message, /still running.*Nothing was changed/);
    fs.appendFileSync(place.at('work/text.txt'), 'of the command\n');
    const refused = await here.undo({ hunks: [await hunkAt(3)] }).catch((error: unknown) => error);
    assert.ok(refused instanceof CommandAtWork, String(refused));
    assert.match(refused.message, /A command that is still running changed text\.txt/);
    assert.equal(text('text.txt'), `${shouted}of the command\n`);
    await command.after();
    await here.refresh();
    assert.equal((await here.undo({ hunks: [await hunkAt(3)] })).status, 'done');
    assert.deepEqual(await listed(), ['text.txt +2 -1 by first, command']);
  });

  it('is refused for a file that the command changes after a redo', async () => {
    await act('first', () => place.place('work/text.txt', shouted));
    const command = await run.before('command');
    const first = await hunkAt(3);
    assert.equal((await here.undo({ hunks: [first] })).status, 'done');
    assert.ok(await here.redo());
    fs.appendFileSync(place.at('work/text.txt'), 'of the command\n');
    const refused = await here.undo({ hunks: [first] }).catch((error: unknown) => error);
    assert.ok(refused instanceof CommandAtWork, String(refused));
    await command.after();
  });

  it('attributes to the command what it changes at the very moment of the undo', async () => {
    await act('first', () => place.place('work/text.txt', shouted));
    const command = await run.before('command');
    const quick = new RunChanges(place.at('state', 'run.waymark.jsonl'), folder.store, path.basename, {
      atWork: () => ({
        changedByCommands: (places) => run.changedByCommands(places),
        afterRestore(files) {
          fs.appendFileSync(place.at('work/text.txt'), 'of the command\n');
          return run.afterRestore(files);
        },
      }),
    });
    assert.equal((await quick.undo({ hunks: [await hunkAt(3)] })).status, 'done');
    const refused = await here.undo({}).catch((error: unknown) => error);
    assert.ok(refused instanceof CommandAtWork, String(refused));
    await command.after();
    assert.deepEqual(await listed(), ['text.txt +2 -1 by first, command']);
    assert.equal((await here.undo({})).status, 'done');
    assert.equal(text('text.txt'), before);
  });

  it('is not recorded as an outside change before the next command', async () => {
    await act('first', () => place.place('work/text.txt', shouted));
    assert.equal((await here.undo({ hunks: [await hunkAt(3)] })).status, 'done');
    await act('second', () => place.place('work/other.txt', 'a\nb\n'));
    assert.deepEqual(
      here.record.entries.filter(({ type }) => type === 'elsewhere'),
      [],
    );
    assert.deepEqual(await listed(), ['other.txt +1 -0 by second', 'text.txt +1 -1 by first']);
  });

  it('leaves chosen files to an editor and deletes files on disk itself', async () => {
    await act('first', () => {
      place.place('work/text.txt', shouted);
      place.place('work/made.txt', 'made\n');
    });
    const undone = await here.undo({}, { leaveUnkept: true, isDoneElsewhere: ({ after }) => after.text !== undefined });
    assert.equal(undone.status, 'done');
    assert.deepEqual([text('text.txt'), text('made.txt')], [shouted, undefined]);
  });

  it('is refused if the command began after the journal was read', async () => {
    await act('first', () => place.place('work/text.txt', shouted));
    const log = place.at('state', 'run.waymark.jsonl');
    let hasBegun = false;
    const late = new RunChanges(log, folder.store, (file) => path.basename(file), {
      asSeen: (_file, disk) => {
        const began = { type: 'began', at: Date.now(), action: 'command', by: thisProcess() } as const;
        if (!hasBegun) appendToJournal(journalOf(log), began);
        hasBegun = true;
        return disk;
      },
    });
    await assert.rejects(late.undo({}), CommandAtWork);
    assert.equal(text('text.txt'), shouted);
  });

  it('is part of the number of changed files, few or many', async () => {
    const write = (count: number, words: string): void => {
      for (let at = 0; at < count; at++) place.place(`work/many/${at}.txt`, words);
    };
    await act('few', () => write(3, 'a\n'));
    assert.equal(await here.changedFileCount(), 3);
    await act('many', () => write(210, 'b\n'));
    assert.equal(await here.changedFileCount(), 210);
    assert.equal((await here.undo({})).status, 'done');
    assert.equal(await here.changedFileCount(), 0);
    await here.redo();
    assert.equal(await here.changedFileCount(), 210);
  });

  it('counts many moved files once, as it does few', async () => {
    for (let at = 0; at < 210; at++) place.place(`work/old/${at}.txt`, `words of ${at}\n`);
    const move = (from: number, to: number): void => {
      fs.mkdirSync(place.at('work/new'), { recursive: true });
      for (let at = from; at < to; at++) fs.renameSync(place.at(`work/old/${at}.txt`), place.at(`work/new/${at}.txt`));
    };
    await act('few', () => move(0, 3));
    assert.equal(await here.changedFileCount(), 3);
    await act('many', () => move(3, 210));
    assert.equal(await here.changedFileCount(), 210);
  });

  it('takes the later work of a continued session for its own, after an undo', async () => {
    await act('first', () => place.place('work/text.txt', shouted));
    await run.dispose();
    assert.equal((await elsewhere.undo({})).status, 'done');
    const { store, log } = folder;
    const continued = new SessionCheckpoints({
      log,
      folders: [place.at('work')],
      store,
      resolve: (spelled) => path.resolve(place.at('work'), spelled),
      onNotice: (words) => assert.fail(words),
    });
    for (const [action, change] of [
      ['again', () => fs.rmSync(place.at('work/text.txt'))],
      ['next', () => place.place('work/other.txt', 'b\n')],
    ] as const) {
      const checkpoint = await continued.before(action);
      change();
      await checkpoint.after();
    }
    await continued.dispose();
    await elsewhere.refresh();
    assert.equal((await elsewhere.undo({})).status, 'done');
    assert.deepEqual([text('text.txt'), text('other.txt')], [before, 'a\n']);
  });
});
