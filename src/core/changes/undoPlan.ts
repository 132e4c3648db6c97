import type { Move } from './journalEntry';
import { shownName } from '../text/shownName';
import { contentKey, nameIn, parentOf, type FileChanges } from './changesOf';
import { withoutHunks, type FileReview, type ReviewedHunk } from './fileReview';
import { isCacheFolder, isSpecial, isCopied, isSameSnapshot, uncopiedWords, type Snapshot } from './snapshot';

/** Changes to undo. All if neither files nor hunks are given. */
export interface UndoChoice {
  readonly files?: readonly string[];
  readonly hunks?: readonly string[];
}

/** A file with its content before and after the restore. */
export interface FileRestore {
  readonly path: string;
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/** Why something cannot be undone, worded for people. */
export interface UndoProblem {
  readonly path: string;
  readonly hunk?: string;
  /** `cache`: a folder that its program can create again. It stays as it is, and nobody is asked. */
  readonly kind: 'conflict' | 'damage' | 'no_copy' | 'cache';
  readonly words: string;
}

/** Returns whether an undo leaves the path of a problem as it is. */
export const isLeft = ({ kind }: UndoProblem): boolean => kind === 'no_copy' || kind === 'cache';

/** What an undo would do, and what it cannot do. Nothing is written yet. */
export interface UndoPlan {
  /** Files to restore. Files with a problem of `isLeft` are left out and stay unchanged. */
  readonly restores: readonly FileRestore[];
  readonly hunks: readonly ReviewedHunk[];
  readonly problems: readonly UndoProblem[];
  /** What is moved back after the restores, because there is no copy of it. */
  readonly moves: readonly Move[];
  /** Requested files and hunks that do not wait for review. */
  readonly unknown: readonly string[];
}

/** Plans how to undo changes. Writes nothing itself. */
export function undoPlan(changes: readonly FileChanges[], choice: UndoChoice = {}): UndoPlan {
  const isWhole = isEverything(choice);
  const restores: FileRestore[] = [];
  const chosen: ReviewedHunk[] = [];
  const whole = new Set<string>();
  const problems: UndoProblem[] = [];
  for (const change of changes) {
    const hunks = chosenHunks(change, choice);
    if (hunks.length === 0 || change.isImplied) continue;
    if (hunks.length === change.hunks.length) whole.add(change.path);
    chosen.push(...hunks);
    problems.push(...problemsOf(change, hunks));
    for (const review of change.reviews) restores.push(...restoreOf(review, hunks));
  }
  const folders = foldersOfPlan(changes, whole, restores);
  for (const change of changes.filter(({ isImplied }) => isImplied))
    if (isWhole || isRestoredWithFiles(change, folders)) restores.push(...restoreOf(change.reviews[0]!, change.hunks));
  problems.push(...onlyPlaces(changes, restores, problems));
  const unkept = new Set(problems.filter(isLeft).map(({ path }) => path));
  return {
    restores: restores.filter(({ path }) => !unkept.has(path)),
    hunks: chosen,
    problems,
    moves: [],
    unknown: unknownIn(changes, choice),
  };
}

const isEverything = ({ files, hunks }: UndoChoice): boolean => files === undefined && hunks === undefined;

/** Returns the hunks of a change that a choice includes. */
export function chosenHunks(change: FileChanges, choice: UndoChoice): ReviewedHunk[] {
  const files = new Set(choice.files ?? []);
  const ids = new Set(choice.hunks ?? []);
  const isFileChosen = files.has(change.path) || (change.from !== undefined && files.has(change.from));
  // Both paths of a renamed file belong together.
  const isRenameChosen = change.from !== undefined && change.hunks.some(({ id }) => ids.has(id));
  const isWholeChosen = isEverything(choice) || isFileChosen || isRenameChosen;
  return change.hunks.filter(({ id }) => isWholeChosen || ids.has(id));
}

/** Returns the files and hunks of a choice that are not among the changes. */
export function unknownIn(changes: readonly FileChanges[], { files = [], hunks = [] }: UndoChoice): string[] {
  const known = new Set(changes.flatMap(({ path, from, hunks: own }) => [path, from, ...own.map(({ id }) => id)]));
  return [...files, ...hunks].filter((each) => !known.has(each));
}

/** Returns a choice without the hunks that have a problem, or undefined if nothing remains. */
export function withoutProblems(
  changes: readonly FileChanges[],
  choice: UndoChoice,
  problems: readonly UndoProblem[],
): UndoChoice | undefined {
  const refused = new Set(problems.map(({ hunk, path }) => hunk ?? path));
  const hunks = changes.flatMap((change) => {
    const chosen = chosenHunks(change, choice);
    const good = chosen.filter(({ id, path }) => !refused.has(id) && !refused.has(path));
    // Both paths of a renamed file belong together.
    return change.from !== undefined && good.length < chosen.length ? [] : good;
  });
  return hunks.length > 0 ? { hunks: hunks.map(({ id }) => id) } : undefined;
}

interface FoldersOfPlan {
  /** Folders that contain a restored path. */
  readonly restored: ReadonlySet<string>;
  /** Folders that contain a path that stays as the agent made it. */
  readonly kept: ReadonlySet<string>;
}

function foldersOfPlan(
  changes: readonly FileChanges[],
  whole: ReadonlySet<string>,
  restores: readonly FileRestore[],
): FoldersOfPlan {
  const staying = changes.filter(({ path, isImplied }) => !isImplied && !whole.has(path));
  return { restored: foldersAbove(restores), kept: foldersAbove(staying) };
}

/** Returns all folders above some paths, with either separator. */
function foldersAbove(paths: readonly { readonly path: string }[]): Set<string> {
  const folders = new Set<string>();
  for (const { path } of paths)
    for (let ancestor = parentOf(path); ancestor !== '' && !folders.has(ancestor); ancestor = parentOf(ancestor))
      folders.add(ancestor);
  return folders;
}

/** A deleted folder is restored with the first of its files. A created one is deleted with the last. */
function isRestoredWithFiles({ path, kind }: FileChanges, { restored, kept }: FoldersOfPlan): boolean {
  if (kind === 'deleted') return restored.has(path);
  return kind === 'created' && !kept.has(path);
}

/**
 * Files that an undo would delete although they contain what a file contained that cannot be restored, such as the
 * backup that an agent made before it wrote a secret to the file.
 */
function onlyPlaces(
  changes: readonly FileChanges[],
  restores: readonly FileRestore[],
  problems: readonly UndoProblem[],
): UndoProblem[] {
  const unkept = new Set(problems.filter(isLeft).map(({ path }) => path));
  if (unkept.size === 0) return [];
  const former = new Map<string, string>();
  for (const { path, base } of changes.flatMap(({ reviews }) => reviews)) {
    const content = unkept.has(path) ? contentKey(base) : undefined;
    if (content !== undefined) former.set(content, path);
  }
  return restores.flatMap(({ path, before, after }): UndoProblem[] => {
    const content = after.state === null ? contentKey(before) : undefined;
    const of = content === undefined ? undefined : former.get(content);
    if (of === undefined) return [];
    return [{ path, kind: 'no_copy', words: `It contains what ${shownName(nameIn(of))} contained, so it stays.` }];
  });
}

function restoreOf(review: FileReview, hunks: readonly ReviewedHunk[]): FileRestore[] {
  const own = hunks.filter(({ path }) => path === review.path);
  const after = withoutHunks(review, own);
  return isSameSnapshot(review.current, after) ? [] : [{ path: review.path, before: review.current, after }];
}

function problemsOf({ path, reviews }: FileChanges, hunks: readonly ReviewedHunk[]): UndoProblem[] {
  const contested = hunks
    .filter(({ isContested }) => isContested)
    .map((hunk): UndoProblem => ({
      path: hunk.path,
      hunk: hunk.id,
      kind: 'conflict',
      words: 'These lines were changed again after the agent changed them, so undoing them would lose that change.',
    }));
  const lost = reviews.flatMap(({ base, current }): UndoProblem[] => {
    if (base.missing !== undefined) return [{ path, kind: 'damage', words: base.missing }];
    // The current content is overwritten or deleted only if it can be restored. A named pipe has none.
    if (isCopied(base) && (isCopied(current) || isSpecial(current.state))) return [];
    const isCache = [base, current].every(({ state }) => state === null || isCacheFolder(state));
    return [{ path, kind: isCache ? 'cache' : 'no_copy', words: uncopiedWords(path, base, current) }];
  });
  // Without a copy it is unknown which lines changed since, so the file stays unchanged.
  return lost.some(isLeft) ? lost : [...contested, ...lost];
}

/** Message to the model about changes that a person undid. `shown` formats a path for it. */
export function undoneMessage(hunks: readonly ReviewedHunk[], shown: (path: string) => string): string {
  const places = hunks.slice(0, maxHunksNamed).map((hunk) => hunkInWords(hunk, shownName(shown(hunk.path))));
  const more = hunks.length - places.length;
  const [changes, them] = hunks.length === 1 ? ['this change', 'it'] : [`these ${hunks.length} changes`, 'them'];
  return [
    `The user undid ${changes} of yours. Do not make ${them} again unless asked to.`,
    ...places,
    ...(more > 0 ? [`… and ${more} more.`] : []),
  ].join('\n');
}

const maxHunksNamed = 12;

/**
 * Contains only positions, because lines of a file may be untrusted text and must not reach the model as words of the
 * person.
 */
function hunkInWords({ kind, removed, added, block }: ReviewedHunk, path: string): string {
  if (kind === 'created') return `${path}: the file was deleted again.`;
  if (kind === 'deleted') return `${path}: the file was restored.`;
  if (kind === 'mode') return `${path}: the file mode is ${removed[0]} again.`;
  if (kind === 'replaced') return `${path}: the file is as it was before.`;
  const parts = [
    ...(added.length > 0 ? [`${countedLines(added.length)} of yours removed`] : []),
    ...(removed.length > 0 ? [`${countedLines(removed.length)} restored`] : []),
  ];
  return `${path}, at line ${block.newFrom + 1}: ${parts.join(', ')}.`;
}

const countedLines = (count: number): string => (count === 1 ? '1 line' : `${count} lines`);
