import { computed, signal } from '@preact/signals';
import type { AlignedPair, StepRow } from '../../../src/protocol/inspector/inspector';
import { matchingRows, pairs, runs, setOpen, tags, searchWords } from './store';
import { moveToPlace } from './moves';

/** In a comparison: index of the focused pair among all pairs. */
export const focusedPair = signal(0);
/** True to show only differences. */
export const onlyDifferent = signal(false);

/** Two aligned steps of the compared runs. `row`: its index in the list. */
export interface Pair extends AlignedPair {
  readonly row: number;
  readonly rows: readonly [StepRow | undefined, StepRow | undefined];
}

const all = computed((): readonly Pair[] =>
  pairs.value.map((pair, row) => ({ ...pair, row, rows: [rowAt(0, pair.left), rowAt(1, pair.right)] })),
);
const rowAt = (run: number, place: number | undefined): StepRow | undefined =>
  place === undefined ? undefined : runs.value[run]?.rows[place];

export const shownPairs = computed((): readonly Pair[] => {
  const narrowed = searchWords.value.trim() !== '' || tags.value.size > 0;
  const matchingSteps = narrowed ? [0, 1].map((run) => new Set(matchingRows(run).map(({ seq }) => seq))) : undefined;
  return all.value.filter(
    ({ same, rows }) =>
      (!onlyDifferent.value || !same) &&
      (!matchingSteps || rows.some((row, run) => row && matchingSteps[run]!.has(row.seq))),
  );
});

export const different = computed(() => pairs.value.filter(({ same }) => !same).length);

/** Expands or collapses both sides of a pair. */
export function openPair({ rows }: Pair, open: boolean): void {
  rows.forEach((row, run) => {
    if (row) setOpen(run, row.seq, open);
  });
}

/** Moves to the next pair that differs, wrapping around at the end. */
export function nextDifference(): void {
  const list = shownPairs.value;
  const at = list.findIndex(({ row }) => row === focusedPair.value);
  const next = [...list.slice(at + 1), ...list.slice(0, at + 1)].find(({ same }) => !same);
  if (next) moveToPlace(list.indexOf(next));
}
