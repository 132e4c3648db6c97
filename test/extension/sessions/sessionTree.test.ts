import assert from 'node:assert/strict';
import { sessionTree, shortTitle } from '../../../src/extension/sessions/sessionTree';
import type { SessionSummary } from '../../../src/adapters/sessions/sessions';

const session = (id: string, updatedAt: number, more: Partial<SessionSummary> = {}): SessionSummary => ({
  id,
  title: id,
  status: 'finished',
  steps: 1,
  cost: 0,
  updatedAt,
  ...more,
});
const names = (sessions: readonly SessionSummary[]): string[] => sessions.map(({ id }) => id);

describe('the tree of sessions', () => {
  it('shows forks and subtasks below their original session', () => {
    const tree = sessionTree([
      session('d', 9, { fork: { session: 'b', seq: 4 } }),
      session('b', 3, { fork: { session: 'a', seq: 2 } }),
      session('c', 2, { parent: 'a' }),
      session('a', 1),
      session('e', 5),
    ]);
    assert.deepEqual(
      [names(tree.roots), names(tree.childrenOf('a')), names(tree.childrenOf('b')), names(tree.childrenOf('d'))],
      [['a', 'e'], ['b', 'c'], ['d'], []],
    );
  });

  it('shows pinned sessions apart, in the order in which they were pinned, with their forks below them', () => {
    const tree = sessionTree(
      [
        session('d', 9, { fork: { session: 'b', seq: 4 } }),
        session('b', 3, { fork: { session: 'a', seq: 2 } }),
        session('a', 1),
        session('e', 5),
      ],
      ['e', 'deleted', 'b'],
    );
    assert.deepEqual(
      [names(tree.pinned), names(tree.roots), names(tree.childrenOf('a')), names(tree.childrenOf('b'))],
      [['e', 'b'], ['a'], [], ['d']],
    );
  });

  it('shows a session at the top level if its original was deleted', () => {
    const tree = sessionTree([
      session('b', 3, { fork: { session: 'gone', seq: 2 } }),
      session('c', 4, { parent: 'gone' }),
      session('d', 1, { fork: { session: 'd', seq: 1 } }),
    ]);
    assert.deepEqual(names(tree.roots), ['c', 'b', 'd']);
  });

  it('encloses a title from right to left, so that the time after it stays in its place', () => {
    assert.equal(shortTitle('אנא תקן'), '\u2068אנא תקן\u2069');
    assert.match(shortTitle('من فضلك أصلح الاختبار الفاشل في src/add.ts ثم حدّث README.md'), /^\u2068.*…\u2069$/);
    assert.equal(shortTitle('修复 🚀 errors'), '修复 🚀 errors');
  });
});
