import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { RunChanges } from '../../../src/adapters/checkpoints/restoring/runChanges';
import { textSnapshot } from '../../../src/core/changes/snapshot';
import { recordedFolder, type RecordedFolder } from './recordedFolder';

describe('which files of past actions are as before again', function () {
  this.timeout(30_000);
  let folder: RecordedFolder;
  /** Name → text of files with unsaved changes in an editor. */
  let unsaved: Map<string, string>;
  let changes: RunChanges;

  beforeEach(async () => {
    folder = recordedFolder({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const { store, log, place, run } = folder;
    unsaved = new Map();
    changes = new RunChanges(log, store, (file) => path.basename(file), {
      asSeen: (file, disk) => {
        const text = unsaved.get(path.basename(file));
        return text === undefined || disk.state?.kind !== 'file' ? disk : textSnapshot(text, disk.state.mode);
      },
    });
    const first = await run.before('first');
    place.place('work/a.txt', 'A\n');
    place.place('work/b.txt', 'B\n');
    place.place('work/new.txt', 'new\n');
    fs.rmSync(place.at('work/c.txt'));
    await first.after();
    await changes.refresh();
  });
  afterEach(() => folder.end());

  const reverted = async (): Promise<string[]> => {
    await changes.refresh();
    return (await changes.pastChanges()).flatMap(({ path: file, action, isReverted }) =>
      isReverted ? [`${action} ${path.basename(file)}`] : [],
    );
  };

  it('says so of files that a person undid, and not of files that they kept', async () => {
    assert.deepEqual(await reverted(), []);
    const named = (...names: string[]) => ({ files: names.map((name) => folder.place.at(`work/${name}`)) });
    await changes.undo(named('a.txt', 'new.txt', 'c.txt'));
    await changes.keep(named('b.txt'));
    assert.deepEqual((await reverted()).sort(), ['first a.txt', 'first c.txt', 'first new.txt']);
    assert.equal(folder.text('b.txt'), 'B\n');
  });

  it('says so of a file that something else put back, on disk or in an editor', async () => {
    folder.place.place('work/a.txt', 'a\n');
    unsaved.set('b.txt', 'b\n');
    assert.deepEqual((await reverted()).sort(), ['first a.txt', 'first b.txt']);
    folder.place.place('work/a.txt', 'again\n');
    assert.deepEqual(await reverted(), ['first b.txt']);
  });

  it('judges each action by the state before it', async () => {
    const second = await folder.run.before('second');
    folder.place.place('work/a.txt', 'AA\n');
    await second.after();
    folder.place.place('work/a.txt', 'A\n');
    assert.deepEqual(await reverted(), ['second a.txt']);
  });
});
