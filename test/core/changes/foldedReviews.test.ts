import { strict as assert } from 'node:assert';
import { changesOf, FoldedReviews, reviewsOf, wholeRun, type ChangeSource } from '../../../src/core/changes/changesOf';
import type { JournalEntry } from '../../../src/core/changes/journalEntry';
import { type FileState, noFile, textSnapshot, type Snapshot } from '../../../src/core/changes/snapshot';
import { undoPlan } from '../../../src/core/changes/undoPlan';
import { seededRandom } from '../../../src/core/model/sampling/seededRandom';

const seed = Number(process.env['HUNKS_SEED'] ?? 20261122);

/** A journal with the copies it refers to. Counts how often a copy is requested. */
class Journal implements ChangeSource {
  readonly entries: JournalEntry[] = [];
  readonly files = new Map<string, string>();
  private readonly copies = new Map<string, string>();
  loads = 0;

  load(state: FileState): Promise<Snapshot> {
    this.loads++;
    return Promise.resolve(state?.kind === 'file' ? textSnapshot(this.copies.get(state.hash!)!, state.mode) : noFile);
  }

  now(path: string): Promise<Snapshot> {
    return Promise.resolve(this.snapshot(path));
  }

  /** Writes files as an action or as somebody else; `null` deletes. */
  write(files: Readonly<Record<string, string | null>>, action?: string): void {
    const deltas = Object.entries(files).map(([path, text]) => {
      const before = this.stateAt(path);
      if (text === null) this.files.delete(path);
      else this.files.set(path, text);
      return { path, before, after: this.stateAt(path) };
    });
    const at = this.entries.length;
    this.entries.push(
      action === undefined ? { type: 'elsewhere', at, files: deltas } : { type: 'changed', at, action, files: deltas },
    );
  }

  private snapshot(path: string): Snapshot {
    const text = this.files.get(path);
    return text === undefined ? noFile : textSnapshot(text, 0o644);
  }

  private stateAt(path: string): FileState {
    const text = this.files.get(path);
    if (text === undefined) return null;
    const hash = `copy of ${text}`;
    this.copies.set(hash, text);
    return { kind: 'file', mode: 0o644, size: text.length, hash };
  }
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

describe('cached changes of a run', () => {
  it('equal changes that are computed from scratch', async () => {
    const random = seededRandom(seed);
    const journal = new Journal();
    const folded = new FoldedReviews();
    const paths = ['/w/a', '/w/b', '/w/c/d'];
    for (let at = 0; at < 120; at++) {
      const path = paths[Math.floor(random() * paths.length)]!;
      const old = (journal.files.get(path) ?? textOf(['one', 'two', 'three', 'four', 'five'])).trimEnd().split('\n');
      const line = Math.floor(random() * old.length);
      const now = old.flatMap((each, index) => (index === line ? [`${each}'`, `new ${at}`] : [each]));
      if (random() < 0.1) journal.write({ [path]: null }, `action-${at}`);
      else if (random() < 0.8) journal.write({ [path]: textOf(now) }, `action-${at}`);
      else journal.write({ [path]: textOf(now) });
      // The user's latest edits are not in any entry yet.
      if (random() < 0.3) journal.files.set(path, textOf([...now, 'typed']));
      if (random() < 0.5) continue;
      assert.deepEqual(await folded.changesOf(journal), await changesOf(journal), `seed ${seed}, after ${at}`);
      assert.deepEqual(await folded.reviewsOf(journal), await reviewsOf(journal), `seed ${seed}, after ${at}`);
    }
  });

  it('read each journal entry once', async () => {
    const journal = new Journal();
    const folded = new FoldedReviews();
    for (let at = 0; at < 20; at++) journal.write({ '/w/a': `${at}\n` }, `action-${at}`);
    await Promise.all([folded.changesOf(journal), folded.changesOf(journal)]);
    assert.equal(journal.loads, 40);
    await folded.changesOf(journal);
    assert.equal(journal.loads, 40);
    journal.write({ '/w/a': 'last\n' }, 'last');
    const [file] = await folded.changesOf(journal);
    assert.equal(journal.loads, 42);
    assert.deepEqual(file!.hunks[0]!.added, ['last']);
  });
});

describe('many files that were moved', () => {
  it('are each shown as a rename, and undoing one restores only its two paths', async () => {
    const journal = new Journal();
    const count = 1000;
    for (let at = 0; at < count; at++) journal.files.set(`/w/old/part${at % 50}/f${at}`, `file ${at}\n`);
    const moved: Record<string, string | null> = {};
    for (let at = 0; at < count; at++) {
      moved[`/w/old/part${at % 50}/f${at}`] = null;
      moved[`/w/new/part${at % 50}/f${at}`] = `file ${at}\n`;
    }
    journal.write(moved, 'move');
    const changes = await changesOf(journal);
    assert.equal(changes.length, count);
    for (const { kind, from, path } of changes)
      assert.deepEqual([kind, from], ['renamed', path.replace('/new/', '/old/')]);
    const one = undoPlan(changes, { files: ['/w/new/part3/f3'] });
    assert.deepEqual(one.restores.map(({ path }) => path).sort(), ['/w/new/part3/f3', '/w/old/part3/f3']);
  });

  it('and edited are each shown as one rename', async () => {
    const journal = new Journal();
    const text = (at: number, last: string): string => textOf([`file ${at}`, 'two', 'three', 'four', 'five', last]);
    const moved: Record<string, string | null> = {};
    for (let at = 0; at < 300; at++) {
      journal.files.set(`/w/old/f${at}`, text(at, 'six'));
      moved[`/w/old/f${at}`] = null;
      moved[`/w/new/f${at}`] = text(at, 'SIX');
    }
    journal.write(moved, 'move');
    const changes = await changesOf(journal);
    assert.equal(changes.length, 300);
    for (const { kind, from, path } of changes)
      assert.deepEqual([kind, from], ['renamed', path.replace('/new/', '/old/')]);
  });

  it('with equal content are each paired once', async () => {
    const journal = new Journal();
    for (const name of ['a', 'b', 'c']) journal.files.set(`/w/${name}`, 'same\n');
    journal.write({ '/w/a': null, '/w/b': null, '/w/c': null, '/w/x': 'same\n', '/w/y': 'same\n' }, 'move');
    const changes = await changesOf(journal);
    assert.deepEqual(
      changes.map(({ kind, from, path }) => [kind, from, path]),
      [
        ['deleted', undefined, '/w/c'],
        ['renamed', '/w/a', '/w/x'],
        ['renamed', '/w/b', '/w/y'],
      ],
    );
  });

  it('include changes between steps found after a given time', async () => {
    const journal = new Journal();
    for (const path of ['/seen', '/new']) {
      journal.write({ [path]: textOf(['a']) });
      const { at, type: _type, ...beside } = journal.entries.pop() as Extract<JournalEntry, { type: 'elsewhere' }>;
      journal.entries.push({ type: 'between', at: path === '/seen' ? at : at + 10, ...beside });
    }
    const since = async (moment: number) =>
      (await changesOf(journal, { ...wholeRun, includes: () => false, includesBetween: (at) => at > moment })).map(
        ({ path }) => path,
      );
    assert.deepEqual(await since(-1), ['/new', '/seen']);
    assert.deepEqual(await since(5), ['/new']);
    assert.deepEqual(await since(20), []);
  });
});
