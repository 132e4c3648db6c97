import { focused, isOpen, setOpen, shownRows } from './store';

interface ListMoves {
  /** Brings a row into view and gives it the focus; `start`: at the top of the view. */
  go(index: number, start: boolean): void;
  scroll(pixels: number): void;
}

let current: ListMoves | undefined;

/** The list says how a row is reached; the returned function takes it back. */
export function listenToMoves(moves: ListMoves): () => void {
  current = moves;
  return () => { if (current === moves) current = undefined; };
}

export type Move = 'next' | 'previous' | 'first' | 'last';

/** To another row. Where the one that is left is open, the one that is reached opens in its place, as one turns a page. */
export function moveTo(move: Move): void {
  const rows = shownRows.value;
  const at = rows.findIndex(({ seq }) => seq === focused.value);
  const index = move === 'first' ? 0 : move === 'last' ? rows.length - 1 : Math.min(rows.length - 1, Math.max(0, at + (move === 'next' ? 1 : -1)));
  const [from, to] = [rows[at], rows[index]];
  if (!to) return;
  const turning = from !== undefined && from !== to && isOpen(0, from.seq);
  if (turning) { setOpen(0, from.seq, false); setOpen(0, to.seq, true); }
  goTo(index, turning);
}

export function moveToSeq(seq: number, start = true): boolean {
  const index = shownRows.value.findIndex(row => row.seq === seq);
  if (index < 0) return false;
  goTo(index, start);
  return true;
}

function goTo(index: number, start: boolean): void {
  focused.value = shownRows.value[index]!.seq;
  current?.go(index, start);
}

export const scroll = (pixels: number): void => current?.scroll(pixels);

/** Back to the row that has the focus among rows, from wherever the person is. */
export function refocus(): void {
  const index = shownRows.value.findIndex(({ seq }) => seq === focused.value);
  if (index >= 0) current?.go(index, false);
}
