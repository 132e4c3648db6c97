import { strict as assert } from 'node:assert';
import { actionChanges, type JournalEntry } from '../../../src/core/changes/journalEntry';

const file = { kind: 'file', mode: 0o644, size: 1, hash: 'h' } as const;
const changed = (action: string, ...files: Extract<JournalEntry, { type: 'changed' }>['files']): JournalEntry => ({
  type: 'changed',
  at: 1,
  action,
  files,
});

const briefly = (entries: readonly JournalEntry[]) =>
  actionChanges(entries).map(({ action, path, kind, isByCommand }) => [action, path, kind, isByCommand]);

describe('what actions changed', () => {
  it('is named by action, with what tools edited and without folders', () => {
    const folder = { kind: 'folder', mode: 0o755 } as const;
    assert.deepEqual(
      briefly([
        { type: 'began', at: 1, action: 'edit', edits: true },
        changed('edit', { path: '/w/a', before: null, after: file }),
        { type: 'began', at: 1, action: 'run' },
        changed(
          'run',
          { path: '/w/new', before: null, after: folder },
          { path: '/w/new/b', before: null, after: file },
          { path: '/w/c', before: file, after: null },
          { path: '/w/d', before: file, after: { ...file, hash: 'i' } },
        ),
      ]),
      [
        ['edit', '/w/a', 'created', false],
        ['run', '/w/new/b', 'created', true],
        ['run', '/w/c', 'deleted', true],
        ['run', '/w/d', 'modified', true],
      ],
    );
  });

  it('is limited to the latest files', () => {
    const many = Array.from({ length: 600 }, (_each, at) => ({ path: `/w/${at}`, before: null, after: file }));
    const named = actionChanges([changed('first', many[0]!), changed('run', ...many)]);
    assert.deepEqual([named.length, named[0]!.path, named.at(-1)!.path], [500, '/w/100', '/w/599']);
  });
});
