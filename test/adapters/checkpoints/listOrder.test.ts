import { strict as assert } from 'node:assert';
import path from 'node:path';
import { RunChanges } from '../../../src/adapters/checkpoints/restoring/runChanges';
import { recordedFolder } from './recordedFolder';

describe('the list of changes', () => {
  it('has numbered files in the order of their numbers', async () => {
    const { run, place, log, store, end } = recordedFolder({});
    try {
      const command = await run.before('command');
      for (const name of ['a.10.txt', 'a.2.txt', 'a.1.txt']) place.place(`work/${name}`, 'new\n');
      await command.after();
      const changes = new RunChanges(log, store, (file) => path.basename(file));
      await changes.refresh();
      const names = (await changes.changes()).map((file) => path.basename(file.path));
      assert.deepEqual(names, ['a.1.txt', 'a.2.txt', 'a.10.txt']);
    } finally {
      await end();
    }
  });
});
