import { moveInList, type Move } from '../base/moveInList';
import { approvals, focusedKey } from './store';

interface FeedMoves {
  keys(): readonly string[];
  go(key: string, index: number): void;
}

let current: FeedMoves | undefined;

/** Registers how the feed reaches its cards. Returns a function that unregisters it. */
export function listenToMoves(moves: FeedMoves): () => void {
  current = moves;
  return () => {
    if (current === moves) current = undefined;
  };
}

export function moveTo(move: Move): void {
  const keys = current?.keys() ?? [];
  const at = focusedKey.value === undefined ? keys.length : keys.indexOf(focusedKey.value);
  const index = moveInList(move, at, keys.length);
  if (keys[index] !== undefined) current?.go(keys[index], index);
}

/** Focuses the card of a row. Does nothing if the row is folded into another or not loaded. */
export function moveToKey(key: string): void {
  const index = (current?.keys() ?? []).indexOf(key);
  if (index >= 0) current?.go(key, index);
}

/** Scrolls to a waiting approval and focuses its card, never its button. */
export function moveToApproval(actionId?: string): void {
  const row = approvals.value.find((waiting) => waiting.step.action.id === actionId) ?? approvals.value[0];
  const index = row ? (current?.keys() ?? []).indexOf(row.key) : -1;
  if (row && index >= 0) current?.go(row.key, index);
}
