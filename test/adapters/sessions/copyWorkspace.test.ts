import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { copyWorkspace } from '../../../src/adapters/sessions/copyWorkspace';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';

describe('a copy of a workspace', () => {
  it('has all files, redirects links into the copy and leaves the folder unchanged', async () => {
    const workspace = temporaryWorkspace('project');
    const outside = temporaryWorkspace();
    workspace.place('src/a.sh', 'a');
    fs.chmodSync(workspace.at('src/a.sh'), 0o755);
    outside.place('b', 'b');
    fs.symlinkSync(workspace.at('src'), workspace.at('inside'));
    fs.symlinkSync('src/a.sh', workspace.at('relative'));
    fs.symlinkSync(outside.at('b'), workspace.at('outside'));
    fs.symlinkSync('nowhere', workspace.at('broken'));
    const copy = await copyWorkspace(workspace.root);
    fs.writeFileSync(path.join(copy.root, 'inside/a.sh'), 'changed');
    assert.equal(workspace.bytes('src/a.sh')?.toString(), 'a');
    assert.deepEqual(
      [
        path.basename(copy.root),
        fs.readFileSync(path.join(copy.root, 'relative'), 'utf8'),
        fs.readFileSync(path.join(copy.root, 'outside'), 'utf8'),
      ],
      ['project', 'changed', 'b'],
    );
    assert.deepEqual(
      [
        fs.statSync(path.join(copy.root, 'src/a.sh')).mode & 0o777,
        fs.readlinkSync(path.join(copy.root, 'broken')),
        copy.notes,
      ],
      [0o755, 'nowhere', []],
    );
    await copy.remove();
    assert.equal(fs.existsSync(copy.parent), false);
    workspace.stop();
    outside.stop();
  });

  it('leaves out a .git that points to another folder’s history, and says so', async () => {
    const workspace = temporaryWorkspace('tree');
    workspace.place('.git', 'gitdir: /elsewhere/.git/worktrees/tree\n');
    workspace.place('a', 'a');
    const copy = await copyWorkspace(workspace.root);
    assert.deepEqual([fs.readdirSync(copy.root), copy.notes.length], [['a'], 1]);
    await copy.remove();
    workspace.stop();
  });

  it('is not made of a whole disk or home folder, or of a folder that would contain it', async () => {
    await assert.rejects(copyWorkspace('/'), /contains far more than one workspace/);
    await assert.rejects(
      copyWorkspace(fs.realpathSync(path.dirname(temporaryPlace()))),
      /contains the folder for temporary files|contains far more/,
    );
  });
});

function temporaryPlace(): string {
  const workspace = temporaryWorkspace();
  workspace.stop();
  return workspace.root;
}
