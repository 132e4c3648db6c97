import type { FileChanges } from './changesOf';
import { baseWithHunks, type FileReview, type ReviewedHunk } from './fileReview';
import { carriedOver, linesOf } from './lineChanges';
import { isCopied, isSameSnapshot, modeOf, noCopyWords, nothing, textSnapshot, type Snapshot } from './snapshot';
import { chosenHunks, unknownIn, type FileRestore, type UndoChoice, type UndoPlan, type UndoProblem } from './undoPlan';

/** The folder that changes are brought to. */
export interface BringTarget {
  /** The path there of a file of the worktree; undefined for one that is never brought back. */
  placeOf(path: string): string | undefined;
  /** What is at a path there now. */
  now(path: string): Promise<Snapshot>;
}

/** What a merge begins with where the same lines were changed in both folders. One character for each byte. */
export interface BringConflict {
  readonly path: string;
  /** Where it would be brought to. */
  readonly place: string;
  readonly base: string;
  readonly agent: string;
  readonly now: string;
}

export interface BringPlan extends UndoPlan {
  readonly conflicts: readonly BringConflict[];
}

type Outcome =
  | { readonly after: Snapshot }
  | { readonly problem: Omit<UndoProblem, 'path'>; readonly conflict?: Omit<BringConflict, 'path' | 'place'> };

/**
 * What has to be written to another folder so that it has the chosen changes of a worktree, too. Where that folder
 * changed meanwhile, a three-way merge decides. Nothing of it is done yet.
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
        problems.push({ path: review.path, kind: 'no_copy', words: 'Files of Git itself are not brought back.' });
        continue;
      }
      const now = await target.now(place);
      const outcome = await broughtOver(review, own, now);
      if ('after' in outcome) {
        if (!isSameSnapshot(now, outcome.after)) restores.push({ path: place, before: now, after: outcome.after });
        continue;
      }
      // A folder that only holds other changes comes and goes with them.
      if (change.isImplied) continue;
      problems.push({ path: review.path, ...outcome.problem });
      if (outcome.conflict) conflicts.push({ path: review.path, place, ...outcome.conflict });
    }
  }
  return { restores, hunks, problems, conflicts, unknown: unknownIn(changes, choice) };
}

/** What a file of the other folder is to become. */
async function broughtOver(review: FileReview, hunks: readonly ReviewedHunk[], now: Snapshot): Promise<Outcome> {
  return mergedInto(now, review.base, baseWithHunks(review, hunks));
}

/** What `now` becomes where the change from `base` to `theirs` is made in it, too. */
export async function mergedInto(now: Snapshot, base: Snapshot, theirs: Snapshot): Promise<Outcome> {
  const missing = base.missing ?? theirs.missing;
  if (missing !== undefined) return { problem: { kind: 'damage', words: missing } };
  if (!isCopied(base) || !isCopied(theirs)) return { problem: { kind: 'no_copy', words: noCopyWords } };
  if (isSameSnapshot(now, theirs)) return { after: now };
  if (isSameSnapshot(now, base)) return { after: theirs };
  if (base.text !== undefined && theirs.text !== undefined && now.text !== undefined) {
    const { lines, left } = await carriedOver(linesOf(now.text), linesOf(base.text), linesOf(theirs.text));
    const isModeChanged = modeOf(base) !== modeOf(theirs);
    const mode = modeOf(isModeChanged ? theirs : now) ?? 0o644;
    if (left.length === 0) return { after: textSnapshot(lines.join(''), mode) };
    const conflict = { base: base.text, agent: theirs.text, now: now.text };
    return { problem: { kind: 'conflict', words: sameLines }, conflict };
  }
  // A folder is as good as another one, whatever its rights.
  const isFolder = now.state?.kind === 'folder';
  if (isFolder && theirs.state?.kind === 'folder') return { after: now };
  if (isFolder && base.state?.kind === 'folder' && theirs.state === null) return { after: nothing };
  return { problem: { kind: 'conflict', words: otherFile } };
}

const sameLines = 'These lines were changed in the workspace, too.';
const otherFile = 'The file was changed in the workspace, too, and cannot be merged by lines.';
