import type { FileChanges } from './changesOf';
import type { ReviewedHunk } from './fileReview';
import type { ActionPlace } from './stepsOfActions';

/** Changes of one turn that wait for review. */
export interface TurnChanges {
  /** Undefined for changes that belong to no step. */
  readonly turn: number | undefined;
  /** Files with only the hunks of this turn. */
  readonly files: readonly FileChanges[];
}

/**
 * Groups changes by the turn in which each hunk was last changed, newest turn first. Changes that belong to no step
 * come last.
 */
export function changesByTurn(files: readonly FileChanges[], steps: ReadonlyMap<string, ActionPlace>): TurnChanges[] {
  const turns = new Map<number | undefined, FileChanges[]>();
  for (const file of files) {
    const hunks = new Map<number | undefined, ReviewedHunk[]>();
    for (const hunk of file.hunks) {
      const turn = turnOf(hunk, steps);
      hunks.set(turn, [...(hunks.get(turn) ?? []), hunk]);
    }
    for (const [turn, own] of hunks) turns.set(turn, [...(turns.get(turn) ?? []), withHunks(file, own)]);
  }
  return Array.from(turns, ([turn, changed]) => ({ turn, files: changed })).sort(
    (a, b) => (b.turn ?? 0) - (a.turn ?? 0),
  );
}

function turnOf({ actions }: ReviewedHunk, steps: ReadonlyMap<string, ActionPlace>): number | undefined {
  const turns = actions.flatMap((action) => steps.get(action)?.turn ?? []);
  return turns.length === 0 ? undefined : Math.max(...turns);
}

/**
 * Returns a file with some of its hunks. Lines of a renamed file are counted as a whole, because its hunks belong
 * together.
 */
function withHunks(file: FileChanges, hunks: readonly ReviewedHunk[]): FileChanges {
  if (hunks.length === file.hunks.length) return file;
  const lines = hunks.filter(({ kind }) => kind !== 'mode');
  return {
    ...file,
    hunks,
    added: lines.reduce((sum, { added }) => sum + added.length, 0),
    removed: lines.reduce((sum, { removed }) => sum + removed.length, 0),
    isBetween: hunks.some(({ isBetween }) => isBetween),
  };
}
