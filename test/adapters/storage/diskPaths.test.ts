import assert from 'node:assert/strict';
import fs from 'node:fs';
import { folderOnDisk, inRealFolder, realPath } from '../../../src/adapters/storage/diskPaths';
import { createWorkspacePaths } from '../../../src/adapters/files/workspacePaths';
import { RunFolders } from '../../../src/adapters/checkpoints/runFolders';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

describe('the real path of a file', () => {
  let folder: TemporaryWorkspace;
  beforeEach(() => {
    folder = temporaryWorkspace();
    folder.place('Sub/a.txt', 'text');
  });
  afterEach(() => folder.stop());

  it('is the path itself if nothing is there', () => {
    assert.equal(realPath(folder.at('gone')), folder.at('gone'));
    assert.throws(() => folderOnDisk(folder.at('gone')), /ENOENT/);
  });

  it('is spelled as on the disk, if the disk ignores case', function () {
    const root = fs.realpathSync.native(folder.root);
    const other = root.toLowerCase();
    if (!fs.existsSync(`${other}/sub/A.TXT`)) return this.skip();
    assert.equal(realPath(`${other}/sub/A.TXT`), realPath(folder.at('Sub/a.txt')));
    assert.equal(folderOnDisk(other), root);
    assert.equal(inRealFolder(`${other}/sub/x`), inRealFolder(folder.at('Sub/x')));
    // An undo finds what the tools changed in a folder that VS Code spells with a small drive letter.
    const { absolute } = createWorkspacePaths([other]).resolve('sub/A.TXT', 'write');
    assert.equal(new RunFolders({ folders: [other] }).relative(absolute).replaceAll('\\', '/'), 'Sub/a.txt');
  });
});
