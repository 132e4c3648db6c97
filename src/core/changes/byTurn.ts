import type { FileChanges } from './changesOf';
import type { ReviewedHunk } from './fileReview';
import type { ActionPlace } from './stepsOfActions';

/** What waits for review of one turn. */
export interface TurnChanges {
  /** Undefined for what belongs to no step. */
  readonly turn: number | undefined;
  /** With the hunks of this turn alone. */
  readonly files: readonly FileChanges[];
}

/**
 * The changes by the turn in which each hunk was changed last: the newest turn first, and at the end what belongs to no
 * step.
 */
export function byTurn(files: readonly FileChanges[], steps: ReadonlyMap<string, ActionPlace>): TurnChanges[] {
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

/** A file with some of its hunks. The lines of a renamed file are counted as a whole, since its hunks go together. */
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
