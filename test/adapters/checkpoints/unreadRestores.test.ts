// Records of interrupted restores that cannot be read. A folder in the place of a record is an error of the disk that
// also root gets.
import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { cleanUp, defaultPolicy } from '../../../src/adapters/checkpoints/cleanUp';
import { RunChanges } from '../../../src/adapters/checkpoints/restoring/runChanges';
import { recordedFolder, type RecordedFolder } from './recordedFolder';

describe('the record of an interrupted restore', function () {
  this.timeout(30_000);
  let folder: RecordedFolder;
  let changes: RunChanges;
  let record: string;

  beforeEach(async () => {
    folder = recordedFolder({ 'a.txt': 'a\n' });
    const { store, log, place, run } = folder;
    changes = new RunChanges(log, store, (file) => path.basename(file));
    const action = await run.before('first');
    place.place('work/a.txt', 'A\n');
    await action.after();
    record = path.join(store.folder, 'restores', 'one.json');
    fs.mkdirSync(path.dirname(record), { recursive: true });
  });
  afterEach(() => folder.end());

  it('is reported once if it is damaged, and stays for the person or another version', async () => {
    const parts = '{"owner":{"pid":1,"start":"1"},"journal":"j","files":"of another version"}';
    for (const text of ['{"owner":{"pi', parts]) {
      fs.writeFileSync(record, text);
      fs.utimesSync(record, 1, 1);
      const fresh = new RunChanges(folder.log, folder.store, (file) => path.basename(file));
      const [words, ...more] = await fresh.refresh();
      assert.match(words ?? '', /^A restore may have been interrupted, but its record .*one\.json is damaged or was/);
      assert.deepEqual([more, await fresh.refresh()], [[], []]);
      assert.equal(fs.readFileSync(record, 'utf8'), text);
      assert.equal((await fresh.undo({})).status, 'done');
      assert.equal(await fresh.redo(), true);
    }
  });

  it('is reported if it cannot be read, and nothing else is restored and cleaned up before it can', async () => {
    fs.mkdirSync(record);
    fs.utimesSync(record, 1, 1);
    const [words] = await changes.refresh();
    assert.match(words ?? '', /its record .*one\.json cannot be read: EISDIR/);
    assert.deepEqual(await changes.refresh(), []);
    await assert.rejects(changes.undo({}), /cannot be read: EISDIR.*\. Nothing was changed\. Try again\.$/);
    assert.equal(folder.text('a.txt'), 'A\n');
    await assert.rejects(cleanUp(folder.store, defaultPolicy, { force: true }), /EISDIR/);
    fs.rmdirSync(record);
    assert.equal((await changes.undo({})).status, 'done');
    assert.equal(folder.text('a.txt'), 'a\n');
  });
});
