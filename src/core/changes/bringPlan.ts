import type { FileChanges } from './changesOf';
import { baseWithHunks, type FileReview, type ReviewedHunk } from './fileReview';
import { transferChanges, splitKeepingEndings } from './lineChanges';
import { isCopied, isSameSnapshot, permissionsOf, noCopyWords, noFile, textSnapshot, type Snapshot } from './snapshot';
import { chosenHunks, unknownIn, type FileRestore, type UndoChoice, type UndoPlan, type UndoProblem } from './undoPlan';

/** The folder to apply changes to. */
interface BringTarget {
  /** Returns the path there of a file of the worktree, or undefined if the file is never copied back. */
  placeOf(path: string): string | undefined;
  /** Returns the current snapshot of a path there. */
  now(path: string): Promise<Snapshot>;
}

/** Input of a merge if the same lines were changed in both folders. One character per byte. */
export interface BringConflict {
  readonly path: string;
  /** Path in the target folder. */
  readonly place: string;
  readonly base: string;
  readonly agent: string;
  readonly now: string;
}

/** What bringing changes from a worktree to the folder would do. */
export interface BringPlan extends UndoPlan {
  readonly conflicts: readonly BringConflict[];
}

type Outcome =
  | { readonly after: Snapshot }
  | { readonly problem: Omit<UndoProblem, 'path'>; readonly conflict?: Omit<BringConflict, 'path' | 'place'> };

/**
 * Plans what to write to another folder to apply the chosen changes of a worktree. Uses a three-way merge if that
 * folder changed meanwhile. Writes nothing itself.
 */
export async function bringPlan(
  changes: readonly FileChanges[],
  choice: UndoChoice,
  target: BringTarget,
): Promise<BringPlan> {
  const restores: FileRestore[] = [];
  const problems: UndoProblem[] = [];
  const conflicts: BringConflict[] = [];
  const hunks: ReviewedHunk[] = [];
  for (const change of changes) {
    const chosen = chosenHunks(change, choice);
    if (chosen.length === 0) continue;
    if (!change.isImplied) hunks.push(...chosen);
    for (const review of change.reviews) {
      const own = chosen.filter(({ path }) => path === review.path);
      if (own.length === 0) continue;
      const place = target.placeOf(review.path);
      if (place === undefined) {
        problems.push({ path: review.path, kind: 'no_copy', words: 'Files that belong to Git are not brought back.' });
        continue;
      }
      const now = await target.now(place);
      const outcome = await contentToBring(review, own, now);
      if ('after' in outcome) {
        if (!isSameSnapshot(now, outcome.after)) restores.push({ path: place, before: now, after: outcome.after });
        continue;
      }
      // A folder that only contains other changes is created and deleted with them.
      if (change.isImplied) continue;
      problems.push({ path: review.path, ...outcome.problem });
      if (outcome.conflict) conflicts.push({ path: review.path, place, ...outcome.conflict });
    }
  }
  return { restores, hunks, problems, moves: [], conflicts, unknown: unknownIn(changes, choice) };
}

/** Returns the new content of a file of the other folder. */
async function contentToBring(review: FileReview, hunks: readonly ReviewedHunk[], now: Snapshot): Promise<Outcome> {
  return mergedInto(now, review.base, baseWithHunks(review, hunks));
}

/** Returns `now` with the change from `base` to `theirs` applied. */
export async function mergedInto(now: Snapshot, base: Snapshot, theirs: Snapshot): Promise<Outcome> {
  const missing = base.missing ?? theirs.missing;
  if (missing !== undefined) return { problem: { kind: 'damage', words: missing } };
  if (!isCopied(base) || !isCopied(theirs)) return { problem: { kind: 'no_copy', words: noCopyWords } };
  if (isSameSnapshot(now, theirs)) return { after: now };
  if (isSameSnapshot(now, base)) return { after: theirs };
  if (base.text !== undefined && theirs.text !== undefined && now.text !== undefined) {
    const { lines, untransferred } = await transferChanges(
      splitKeepingEndings(now.text),
      splitKeepingEndings(base.text),
      splitKeepingEndings(theirs.text),
    );
    const isModeChanged = permissionsOf(base) !== permissionsOf(theirs);
    const mode = permissionsOf(isModeChanged ? theirs : now) ?? 0o644;
    if (untransferred.length === 0) return { after: textSnapshot(lines.join(''), mode) };
    const conflict = { base: base.text, agent: theirs.text, now: now.text };
    return { problem: { kind: 'conflict', words: sameLines }, conflict };
  }
  // Folders count as equal, whatever their permissions.
  const isFolder = now.state?.kind === 'folder';
  if (isFolder && theirs.state?.kind === 'folder') return { after: now };
  if (isFolder && base.state?.kind === 'folder' && theirs.state === null) return { after: noFile };
  return { problem: { kind: 'conflict', words: otherFile } };
}

const sameLines = 'These lines were also changed in the workspace.';
const otherFile = 'The file was also changed in the workspace and cannot be merged line by line.';
