import { moveInList, type ListMove } from '../../base/moveInList';
import { post } from '../../base/host';
import { searchFor, setOpen, tags, view, stepToReveal } from './store';

/** The list that keys move through; registered by the displayed list itself. */
interface Moves {
  count(): number;
  /** Index of the focused row; -1 if there is none. */
  focusedIndex(): number;
  /** The event of the row, for commands about one step. */
  seqAt(index: number): number | undefined;
  isOpen(index: number): boolean;
  setOpen(index: number, open: boolean): void;
  /** Scrolls to a row and focuses it; `start` aligns it with the top of the view. */
  go(index: number, start: boolean): void;
  scroll(pixels: number): void;
}

let current: Moves | undefined;

/** Registers the displayed list. Returns a function that unregisters it. */
export function listenToMoves(moves: Moves): () => void {
  current = moves;
  return () => {
    if (current === moves) current = undefined;
  };
}

/**
 * Moves to another row. If the current row is expanded, it is collapsed and the new one expanded, like turning a page.
 */
export function moveTo(move: ListMove): void {
  if (!current) return;
  const at = current.focusedIndex();
  const to = moveInList(move, at, current.count());
  if (to < 0) return;
  const turning = at >= 0 && at !== to && current.isOpen(at);
  if (turning) {
    current.setOpen(at, false);
    current.setOpen(to, true);
  }
  current.go(to, turning);
}

export function toggleFocused(open?: boolean): void {
  const at = current?.focusedIndex() ?? -1;
  if (current && at >= 0) current.setOpen(at, open ?? !current.isOpen(at));
}

/** Collapses the focused row. Returns false if it was not expanded. */
export function closeFocused(): boolean {
  const at = current?.focusedIndex() ?? -1;
  if (!current || at < 0 || !current.isOpen(at)) return false;
  current.setOpen(at, false);
  return true;
}

export const moveToPlace = (index: number): void => current?.go(index, false);

/** Moves to the row of a step. Returns false if it is not in the list. */
export function moveToSeq(seq: number): boolean {
  for (let index = 0; current && index < current.count(); index++)
    if (current.seqAt(index) === seq) {
      current.go(index, true);
      return true;
    }
  return false;
}

export const focusedSeq = (): number | undefined => current?.seqAt(current.focusedIndex());
export const scroll = (pixels: number): void => current?.scroll(pixels);

/** Returns the focus to the current row from anywhere. */
export function refocus(): void {
  if (current && current.count() > 0) current.go(Math.max(0, current.focusedIndex()), false);
}

/**
 * Focuses an element as soon as it can take the focus: a distant row has to be rendered and measured first. `still`
 * returns whether this is still wanted.
 */
export function focusWhenThere(selector: string, still: () => boolean, frames = 60): void {
  if (!still()) return;
  const element = document.querySelector<HTMLElement>(selector);
  element?.focus({ preventScroll: true });
  if (frames > 0 && (!element || document.activeElement !== element))
    requestAnimationFrame(() => focusWhenThere(selector, still, frames - 1));
}

/** Moves from a chart or graph to the step and expands it. */
export function goToStep(seq: number): void {
  searchFor('');
  tags.value = new Set();
  view.value = 'steps';
  setOpen(0, seq, true);
  stepToReveal.value = { run: 0, seq };
}

export const askToOpenSession = (id: string): void => post({ type: 'open_session', id });
