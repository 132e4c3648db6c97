/** Where a key moves the selection of a list. */
export type ListMove = 'next' | 'previous' | 'first' | 'last';

/** Returns the index after a move from `at` in a list of `count` entries, which stays within it; -1 in an empty list. */
export function moveInList(move: ListMove, at: number, count: number): number {
  const last = count - 1;
  const places = { first: 0, last, next: at + 1, previous: at - 1 };
  return Math.min(last, Math.max(0, places[move]));
}
