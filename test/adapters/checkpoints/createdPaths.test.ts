import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { defaultLimits } from '../../../src/adapters/checkpoints/coverage';
import { CreatedPaths } from '../../../src/adapters/checkpoints/recording/createdPaths';
import { journalOf, readJournal } from '../../../src/adapters/checkpoints/journal';
import { RunFolders } from '../../../src/adapters/checkpoints/runFolders';
import { diskScripts } from '../../../src/adapters/scripts/diskScripts';
import type { JournalEntry } from '../../../src/core/changes/journalEntry';
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

  it('is no loss if a command of the session created it, unless it is a folder', async () => {
    await shell(
      'echo x > made.txt; echo x > ignored.txt; mkdir -p made/deep && echo y > made/deep/y && ln -s y made/l',
    );
    await shell('echo more >> made.txt; echo more >> mine.txt; echo more >> src/a.txt');
    const names = ['made.txt', 'ignored.txt', 'made', 'made/deep/y', 'mine.txt', 'src/a.txt', 'src'];
    assert.deepEqual(await losses(...names), ['made', 'made', 'untracked', 'made', 'untracked', 'changed', 'changed']);
  });

  it('is one if anybody changed it since', async () => {
    await shell('echo x > made.txt; echo z > other.txt');
    fs.appendFileSync(at('made.txt'), 'mine\n');
    assert.deepEqual(await losses('made.txt', 'other.txt'), ['untracked', 'made']);
    await shell('true');
    assert.deepEqual(await losses('made.txt', 'other.txt'), ['untracked', 'made']);
  });

  it('is one if the command moved it from another name, unless the session created it there', async () => {
    await shell('echo x > made.txt; mkdir box; echo y > box/y');
    await shell('mv mine.txt moved.txt; mv made.txt mine.txt; mv src lib; mv box other; cp -r lib copy');
    assert.deepEqual(await losses('moved.txt', 'lib'), ['untracked', 'untracked']);
    assert.deepEqual(await losses('other/y'), ['made']);
  });

  it('is one if it appeared during a long command: somebody may have saved it meanwhile', async () => {
    await shell('echo x > made.txt; mkdir made && echo y > made/y');
    const names = ['made.txt', 'made/y'];
    const entries = readJournal(journalOf(folder.log)).entries;
    const areThere = (durationMs: number, more: readonly JournalEntry[] = []): boolean[] => {
      const asIf = entries.map((entry) => (entry.type === 'changed' ? { ...entry, at: entry.at + durationMs } : entry));
      const created = new CreatedPaths([...asIf, ...more]);
      const folders = new RunFolders({ folders: [at('')] });
      return names.map((name) => created.isThere(at(name), folders, defaultLimits));
    };
    assert.deepEqual(areThere(0), [true, true]);
    assert.deepEqual(areThere(60_000), [false, false]);
    // Also after an undo and a redo.
    const made = entries.flatMap((entry) => (entry.type === 'changed' ? entry.files : []));
    const undone = made.map(({ path, before, after }) => ({ path, before: after, after: before }));
    const undo: readonly JournalEntry[] = [
      { type: 'undone', at: 1, id: 'u', files: undone, words: '' },
      { type: 'redone', at: 2, id: 'r', of: 'u', files: made },
    ];
    assert.deepEqual(areThere(0, undo), [true, true]);
    assert.deepEqual(areThere(60_000, undo), [false, false]);
  });

  it('is one if it has no copy', async () => {
    await shell('echo TOKEN=hushhush1 > .env');
    assert.deepEqual(await losses('.env'), ['untracked']);
  });
});
