import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DiskPace } from '../../../src/adapters/storage/diskPace';
import { FolderStamps } from '../../../src/adapters/storage/folderStamps';
import { onSlowDisk } from '../../support/slowDisk';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';

describe('the pace of a disk', () => {
  const paceOf = (isSlowCall: (at: number) => boolean): DiskPace => {
    const pace = new DiskPace();
    const still = new Int32Array(new SharedArrayBuffer(4));
    for (let at = 0; !pace.isMeasured; at++) pace.time(() => isSlowCall(at) && Atomics.wait(still, 0, 0, 1));
    return pace;
  };

  it('is slow if most calls are, and not because of a few', () => {
    assert.equal(paceOf(() => true).isSlow, true);
    assert.equal(paceOf(() => false).isSlow, false);
    assert.equal(paceOf((at) => at % 4 === 0).isSlow, false);
    assert.equal(new DiskPace().isSlow, false, 'before it is measured');
  });

  it('changes no stamp of a folder, whether many are taken ahead or each when it is asked for', async () => {
    const { root, place, stop } = temporaryWorkspace();
    try {
      for (let folder = 0; folder < 600; folder++) place(`folder-${folder}/a.txt`, 'a');
      fs.symlinkSync('folder-1', path.join(root, 'link'));
      const names = [...fs.readdirSync(root), 'missing', 'folder-1/a.txt'];
      const folders = names.map((name) => path.join(root, name));
      const one = new FolderStamps();
      const expected = folders.map((folder) => one.of(folder));
      const many = new FolderStamps();
      await onSlowDisk(() => many.ahead(folders));
      // What was taken ahead is not asked for again.
      fs.rmSync(root, { recursive: true });
      assert.deepEqual(
        folders.map((folder) => many.of(folder)),
        expected,
      );
    } finally {
      stop();
    }
  });
});
