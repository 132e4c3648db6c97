/** What keys move through: the list that is shown, as it says itself. */
export interface Moves {
  count(): number;
  /** The place of the row that has the focus; -1 for none. */
  at(): number;
  /** What the row represents, for commands about one step. */
  seqAt(index: number): number | undefined;
  isOpen(index: number): boolean;
  setOpen(index: number, open: boolean): void;
  /** Brings a row into view and gives it the focus; `start`: at the top of the view. */
  go(index: number, start: boolean): void;
  scroll(pixels: number): void;
}

let current: Moves | undefined;

/** The list that is shown says how its rows are reached; the returned function takes it back. */
export function listenToMoves(moves: Moves): () => void {
  current = moves;
  return () => {
    if (current === moves) current = undefined;
  };
}

export type Move = 'next' | 'previous' | 'first' | 'last';

/**
 * To another row. Where the one that is left is open, the one that is reached opens in its place, as one turns a page.
 */
export function moveTo(move: Move): void {
  if (!current) return;
  const at = current.at();
  const last = current.count() - 1;
  const to =
    move === 'first' ? 0 : move === 'last' ? last : Math.min(last, Math.max(0, at + (move === 'next' ? 1 : -1)));
  if (to < 0) return;
  const turning = at >= 0 && at !== to && current.isOpen(at);
  if (turning) {
    current.setOpen(at, false);
    current.setOpen(to, true);
  }
  current.go(to, turning);
}

export function toggle(open?: boolean): void {
  const at = current?.at() ?? -1;
  if (current && at >= 0) current.setOpen(at, open ?? !current.isOpen(at));
}

/** Whether there was something to close. */
export function close(): boolean {
  const at = current?.at() ?? -1;
  if (!current || at < 0 || !current.isOpen(at)) return false;
  current.setOpen(at, false);
  return true;
}

export const moveToPlace = (index: number): void => current?.go(index, false);

/** To the row of a step; false where it is not in the list. */
export function moveToSeq(seq: number): boolean {
  for (let index = 0; current && index < current.count(); index++)
    if (current.seqAt(index) === seq) {
      current.go(index, true);
      return true;
    }
  return false;
}

export const focusedSeq = (): number | undefined => current?.seqAt(current.at());
export const scroll = (pixels: number): void => current?.scroll(pixels);

/** Back to the row that has the focus among rows, from wherever the person is. */
export function refocus(): void {
  if (current && current.count() > 0) current.go(Math.max(0, current.at()), false);
}

/**
 * Gives an element the focus as soon as it is there: a row far away is drawn, then measured, and only then can it have
 * it. `still`: whether it is still wanted.
 */
export function focusWhenThere(selector: string, still: () => boolean, frames = 60): void {
  if (!still()) return;
  const element = document.querySelector<HTMLElement>(selector);
  element?.focus({ preventScroll: true });
  if (frames > 0 && (!element || document.activeElement !== element))
    requestAnimationFrame(() => focusWhenThere(selector, still, frames - 1));
}
