import { moveInList, type ListMove } from '../base/moveInList';
import { approvals, focusedKey } from './store';

/** How to reach the rows of the feed. */
interface FeedMoves {
  /** Keys of the rows that can be focused, in order. */
  keys(): readonly string[];
  /** Scrolls to a row and focuses it. */
  go(key: string, index: number): void;
}

let feed: FeedMoves | undefined;

const feedKeys = (): readonly string[] => feed?.keys() ?? [];

/** Registers how the feed reaches its cards. Returns a function that unregisters it. */
export function listenToMoves(moves: FeedMoves): () => void {
  feed = moves;
  return () => {
    if (feed === moves) feed = undefined;
  };
}

/** Moves the focus among the rows, starting from the end if none has it. */
export function moveTo(move: ListMove): void {
  const keys = feedKeys();
  const from = focusedKey.value === undefined ? keys.length : keys.indexOf(focusedKey.value);
  const index = moveInList(move, from, keys.length);
  if (keys[index] !== undefined) feed?.go(keys[index], index);
}

/** Focuses the card of a row. Does nothing if the row is folded into another or not loaded. */
export function moveToKey(key: string): void {
  const index = feedKeys().indexOf(key);
  if (index >= 0) feed?.go(key, index);
}

/** Scrolls to a waiting approval and focuses its card, never its button. */
export function moveToApproval(actionId?: string): void {
  const row = approvals.value.find((waiting) => waiting.step.action.id === actionId) ?? approvals.value[0];
  if (row) moveToKey(row.key);
}
