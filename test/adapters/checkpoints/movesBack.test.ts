import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { RunChanges } from '../../../src/adapters/checkpoints/restoring/runChanges';
import { recordedFolder, type RecordedFolder } from './recordedFolder';
import { wholeTree } from './wholeTree';

describe('an undo of moved folders and files', () => {
  let folder: RecordedFolder;
  let changes: RunChanges;
  const at = (name: string): string => folder.place.at('work', name);

  beforeEach(() => {
    folder = recordedFolder({
      'app/a.txt': 'one\n',
      'app/.env': 'SECRET_TOKEN=hushhush1\n',
      'app/sub/b.txt': 'two\n',
      'app/sub/node_modules/d/index.js': 'dependency\n',
      'app/node_modules/e/index.js': 'dependency\n',
      'big.bin': '',
    });
    fs.truncateSync(at('big.bin'), 26 * 1024 * 1024);
    fs.symlinkSync('e', at('app/node_modules/link'));
    changes = new RunChanges(folder.log, folder.store, (file) => path.basename(file));
  });
  afterEach(() => folder.end());

  /** Runs shell commands like steps, after one that changes nothing. */
  async function shell(...texts: readonly string[]): Promise<void> {
    // Timestamps of files are not exact: only what is clearly older was moved.
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const [nth, text] of ['true', ...texts].entries()) {
      const checkpoint = await folder.run.before(String(nth), undefined, text);
      const { status, stderr } = spawnSync('sh', ['-c', text], { cwd: at(''), encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      await checkpoint.after();
    }
    await changes.refresh();
  }
  const tree = () => wholeTree(at(''));

  async function assertUndone(before: ReturnType<typeof tree>): Promise<void> {
    assert.deepEqual(changes.record.uncovered, []);
    const after = tree();
    const undone = await changes.undo({});
    assert.equal(undone.status, 'done', JSON.stringify(undone.plan.problems));
    assert.deepEqual(tree(), before);
    await changes.refresh();
    assert.deepEqual(await changes.changes(), []);
    assert.equal(await changes.redo(), true);
    assert.deepEqual(tree(), after);
    await changes.refresh();
    assert.equal((await changes.undo({})).status, 'done');
    assert.deepEqual(tree(), before);
  }

  it('moves back what has no copy: packages, files with secrets, large files', async () => {
    const before = tree();
    await shell('mv app application && mv big.bin bigger.bin && echo more >> application/a.txt');
    await assertUndone(before);
  });

  it('follows several moves, also of a folder in a moved one', async () => {
    const before = tree();
    await shell('mv app lib', 'mkdir packages; mv lib packages/lib', 'mv packages/lib/sub packages/sub; mv packages p');
    await assertUndone(before);
  });

  it('follows a folder that moves out of a folder which moves in the same step', async () => {
    const before = tree();
    await shell('mv app lib', 'mv lib/sub sub; mv lib other');
    await assertUndone(before);
  });

  it('is not misled by a newer folder that took the name of a moved one', async () => {
    await shell(
      'mv app lib',
      'mkdir packages && mv lib packages/lib',
      'mkdir -p lib/node_modules && echo new > lib/new',
    );
    fs.writeFileSync(at('lib/node_modules/new.js'), 'newer\n');
    assert.equal((await changes.undo({})).status, 'done');
    assert.deepEqual(
      ['app/node_modules/e/index.js', 'app/.env', 'lib/node_modules/new.js', 'lib/new'].map(folder.text),
      ['dependency\n', 'SECRET_TOKEN=hushhush1\n', 'newer\n', undefined],
    );
    assert.equal(fs.existsSync(at('packages')), false);
  });

  it('leaves a file that somebody put into the new folder, and what is in the way', async () => {
    await shell('mv app lib');
    fs.writeFileSync(at('lib/mine.txt'), 'mine\n');
    fs.mkdirSync(at('app'));
    fs.writeFileSync(at('app/node_modules'), 'in the way\n');
    assert.equal((await changes.undo({})).status, 'done');
    assert.deepEqual(
      ['lib/mine.txt', 'lib/node_modules/e/index.js', 'app/node_modules', 'app/a.txt'].map(folder.text),
      ['mine\n', 'dependency\n', 'in the way\n', 'one\n'],
    );
  });

  it('asks if a file without a copy was changed after the move', async () => {
    await shell('mv app lib', 'echo X=1 >> lib/.env');
    const undone = await changes.undo({});
    assert.deepEqual(
      [undone.status, undone.plan.problems.map(({ kind }) => kind)],
      ['refused', ['no_copy', 'no_copy']],
    );
  });
});
