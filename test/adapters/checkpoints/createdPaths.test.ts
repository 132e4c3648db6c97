import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { diskScripts } from '../../../src/adapters/scripts/diskScripts';
import { recordedFolder, type RecordedFolder } from './recordedFolder';

describe('a file that a command deletes', () => {
  let folder: RecordedFolder;
  const at = (name: string): string => folder.place.at('work', name);

  beforeEach(() => {
    folder = recordedFolder({ 'mine.txt': 'mine\n', 'src/a.txt': 'one\n', '.gitignore': 'ignored.*\n' });
    spawnSync('sh', ['-c', 'git init -q && git add src .gitignore'], { cwd: at('') });
  });
  afterEach(() => folder.end());

  async function shell(text: string): Promise<void> {
    const checkpoint = await folder.run.before(text, undefined, text);
    const { status, stderr } = spawnSync('sh', ['-c', text], { cwd: at(''), encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    await checkpoint.after();
  }

  const losses = (...names: readonly string[]) =>
    diskScripts(at(''), { isCreatedHere: (place) => folder.run.isCreatedHere(place) }).inGit(
      names.map((path) => ({ path, pattern: false })),
      new Map(),
    );

  it('is no loss if a command of the session created it', async () => {
    await shell(
      'echo x > made.txt; echo x > ignored.txt; mkdir -p made/deep && echo y > made/deep/y && ln -s y made/l',
    );
    await shell('echo more >> made.txt; echo more >> mine.txt; echo more >> src/a.txt');
    const names = ['made.txt', 'ignored.txt', 'made', 'made/deep/y', 'mine.txt', 'src/a.txt', 'src'];
    assert.deepEqual(await losses(...names), ['made', 'made', 'made', 'made', 'untracked', 'changed', 'changed']);
  });

  it('is one if anybody changed it since, or added to the folder', async () => {
    await shell('echo x > made.txt; mkdir -p made/deep other && echo y > made/deep/y && echo z > other/z');
    fs.appendFileSync(at('made.txt'), 'mine\n');
    fs.writeFileSync(at('made/deep/mine.txt'), 'mine\n');
    assert.deepEqual(await losses('made.txt', 'made', 'other'), ['untracked', 'untracked', 'made']);
    await shell('true');
    assert.deepEqual(await losses('made.txt', 'made', 'other'), ['untracked', 'untracked', 'made']);
  });

  it('is one if the command moved it from another name, unless the session created it there', async () => {
    await shell('echo x > made.txt; mkdir box; echo y > box/y');
    await shell('mv mine.txt moved.txt; mv made.txt mine.txt; mv src lib; mv box other; cp -r lib copy');
    assert.deepEqual(await losses('moved.txt', 'lib'), ['untracked', 'untracked']);
    assert.deepEqual(await losses('other'), ['made']);
  });

  it('is one if it has no copy or contains packages', async () => {
    await shell('echo TOKEN=hushhush1 > .env; mkdir -p app/node_modules/x; echo 1 > app/1');
    assert.deepEqual(await losses('.env', 'app'), ['untracked', 'untracked']);
  });
});
