import assert from 'node:assert/strict';
import { sessionTree } from '../../../src/extension/sessions/sessionTree';
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

  it('shows a session at the top level if its original was deleted', () => {
    const tree = sessionTree([
      session('b', 3, { fork: { session: 'gone', seq: 2 } }),
      session('c', 4, { parent: 'gone' }),
      session('d', 1, { fork: { session: 'd', seq: 1 } }),
    ]);
    assert.deepEqual(names(tree.roots), ['c', 'b', 'd']);
  });
});
