import {
  hunksOf,
  newReview,
  reviewAfter,
  reviewAfterKeeping,
  type Author,
  type FileReview,
  type ReviewedHunk,
} from './fileReview';
import type { JournalEntry } from './journalEntry';
import { changedBlocks } from './lineChanges';
import {
  isSameState,
  type FileDelta,
  type FileState,
  isCopied,
  isSameSnapshot,
  linesIn,
  uncopiedWords,
  type Snapshot,
} from './snapshot';
import { compareNumbered } from '../text/order';
import { Slices } from '../text/slices';

/**
 * Changes of a run or of some of its steps: one net change per file, computed from the checkpoint journal and the
 * current files.
 */

export interface FileChanges {
  readonly path: string;
  /** Previous path of a renamed file. */
  readonly from?: string;
  readonly kind: 'created' | 'modified' | 'deleted' | 'renamed' | 'mode';
  /** Number of lines. 0 if it is not text. */
  readonly added: number;
  readonly removed: number;
  /** Hunks that wait for review. Those of a renamed file are of both paths. */
  readonly hunks: readonly ReviewedHunk[];
  /** Ids of the actions that changed it. */
  readonly actions: readonly string[];
  /** True if part of it changed between two actions, by a process of the run or by another program. */
  readonly isBetween: boolean;
  /** True if lines can be shown. */
  readonly isText: boolean;
  readonly isFolder: boolean;
  /** True for a folder created or deleted together with its contents, which are listed separately. */
  readonly isImplied: boolean;
  /** Set if no file is changed yet, because a person has to apply or discard it first. */
  readonly isHeld?: true;
  /** Why it cannot be undone, worded for people: no copy was saved, or it was cleaned up. */
  readonly missing?: string;
  readonly reviews: readonly FileReview[];
}

/** Which changes of a run to compute. */
export interface ChangeScope {
  /** True if changes of the action are requested. Those of other actions count as changes by a person. */
  includes(action: string): boolean;
  /** True if kept changes count as the person's. False to restore the state before a step. */
  readonly respectsKept: boolean;
  /** True if changes on disk since the last entry count. */
  readonly untilNow: boolean;
  /**
   * True if changes found between two actions at this time are requested. By default they are treated like the action
   * after them.
   */
  includesBetween?(foundAt: number): boolean;
}

/** Where the changes of a run are read from. */
export interface ChangeSource {
  readonly entries: readonly JournalEntry[];
  /** Returns the file with the content it had in that state. */
  load(state: FileState): Promise<Snapshot>;
  /** Returns the current file, which may be unsaved in an editor. `known`: its state at the last scan. */
  now(path: string, known: FileState): Promise<Snapshot>;
}

export const wholeRun: ChangeScope = { includes: () => true, respectsKept: true, untilNow: true };

/** Returns the reviews of all files in the scope, by path. */
export function reviewsOf(source: ChangeSource, scope: ChangeScope = wholeRun): Promise<Map<string, FileReview>> {
  return new FoldedReviews(scope).reviewsOf(source);
}

/**
 * Incremental reviews of a running session. A journal only grows, so entries are processed once and each call adds only
 * the new ones.
 */
export class FoldedReviews {
  /** Reviews according to the entries, without later changes of the files. */
  private readonly reviews = new Map<string, FileReview>();
  private readonly hunks = new WeakMap<FileReview, readonly ReviewedHunk[]>();
  private entriesKnown = 0;
  /** Serializes calls, so that each entry is added once. */
  private adding: Promise<void> = Promise.resolve();

  constructor(private readonly scope: ChangeScope = wholeRun) {}

  /**
   * Returns the reviews of all files, by path. The journal of `source` must start with the entries already processed.
   */
  async reviewsOf(source: ChangeSource): Promise<Map<string, FileReview>> {
    const added = this.adding.then(() => this.addEntries(source));
    this.adding = added.catch(() => undefined);
    await added;
    const reviews = new Map(this.reviews);
    if (!this.scope.untilNow) return reviews;
    const slices = new Slices();
    for (const [path, review] of [...reviews]) {
      await slices.rest();
      const now = await source.now(path, review.current.state);
      if (!isSameSnapshot(review.current, now))
        reviews.set(path, await reviewAfter(review, 'person', review.current, now));
    }
    return reviews;
  }

  /** Returns the net changes that wait for review. */
  async changesOf(source: ChangeSource): Promise<FileChanges[]> {
    const reviews = await this.reviewsOf(source);
    return changesIn([...reviews.values()], (review) => this.hunksOf(review));
  }

  private async hunksOf(review: FileReview): Promise<readonly ReviewedHunk[]> {
    const known = this.hunks.get(review);
    if (known) return known;
    const hunks = await hunksOf(review);
    this.hunks.set(review, hunks);
    return hunks;
  }

  private async addEntries(source: ChangeSource): Promise<void> {
    const slices = new Slices();
    while (this.entriesKnown < source.entries.length) {
      await slices.rest();
      await addEntry(this.reviews, source.entries[this.entriesKnown]!, source, this.scope);
      this.entriesKnown++;
    }
  }
}

async function addEntry(
  reviews: Map<string, FileReview>,
  entry: JournalEntry,
  source: ChangeSource,
  scope: ChangeScope,
): Promise<void> {
  if (!('files' in entry)) return;
  if (entry.type === 'kept') {
    if (scope.respectsKept) await addKept(reviews, entry.files, source);
    return;
  }
  const author = authorOf(entry, scope);
  const slices = new Slices();
  for (const { path, before, after } of entry.files) {
    await slices.rest();
    const known = reviews.get(path);
    // A file matters only from the first requested action that touched it.
    if (!known && !isOfRun(author)) continue;
    const was = known && hasContentOf(known.current, before) ? known.current : await source.load(before);
    const is = await source.load(after);
    reviews.set(path, await reviewAfter(known ?? newReview(path, was), author, was, is));
  }
}

/** True if a snapshot has the content of a state, so that no copy has to be read. */
const hasContentOf = ({ state, missing }: Snapshot, named: FileState): boolean =>
  missing === undefined && state?.kind === 'file' && state.hash !== undefined && isSameState(state, named);

/** True if the change may belong to the run: made by a requested action or by a process it left running. */
const isOfRun = (author: Author): boolean => typeof author === 'object' || author === 'between';

function authorOf(entry: JournalEntry, scope: ChangeScope): Author {
  if (entry.type === 'changed') return scope.includes(entry.action) ? { action: entry.action } : 'person';
  if (entry.type === 'between') {
    const isOfNext = entry.next === undefined ? scope.untilNow : scope.includes(entry.next);
    return (scope.includesBetween?.(entry.at) ?? isOfNext) ? 'between' : 'person';
  }
  if (entry.type === 'undone') return 'undo';
  return entry.type === 'redone' ? 'redo' : 'person';
}

async function addKept(
  reviews: Map<string, FileReview>,
  files: readonly FileDelta[],
  source: ChangeSource,
): Promise<void> {
  for (const { path, before, after } of files) {
    const known = reviews.get(path);
    if (!known) continue;
    const [was, is] = [await source.load(before), await source.load(after)];
    reviews.set(path, await reviewAfterKeeping(known, was, is));
  }
}

/**
 * Returns the net changes that wait for review, by path. Leaves out files whose content is the same as without the
 * agent.
 */
export async function changesOf(source: ChangeSource, scope: ChangeScope = wholeRun): Promise<FileChanges[]> {
  return changesIn([...(await reviewsOf(source, scope)).values()]);
}

/** Returns the net changes of some reviews. `hunksIn` can return cached hunks. */
export async function changesIn(
  reviews: readonly FileReview[],
  hunksIn: (review: FileReview) => Promise<readonly ReviewedHunk[]> = hunksOf,
): Promise<FileChanges[]> {
  const changed: FileChanges[] = [];
  const slices = new Slices();
  for (const review of reviews) {
    await slices.rest();
    const hunks = await hunksIn(review);
    if (hunks.length > 0) changed.push(changesOfFile(review, hunks));
  }
  return (await withRenames(withImpliedFolders(changed))).sort((a, b) => compareNumbered(a.path, b.path));
}

function changesOfFile(review: FileReview, hunks: readonly ReviewedHunk[]): FileChanges {
  const { base, current, path, marks } = review;
  const isText = (base.text ?? current.text) !== undefined;
  const missing = missingOf(review);
  const lines = hunks.filter(({ kind }) => kind !== 'mode');
  return {
    path,
    kind: changeKind(review, hunks),
    added: sum(lines.map(({ added }) => added.length)),
    removed: sum(lines.map(({ removed }) => removed.length)),
    hunks,
    actions: [...new Set(marks.flatMap(({ by }) => (typeof by === 'string' ? by : [])))],
    isBetween: hunks.some(({ isBetween }) => isBetween),
    isText,
    isFolder: (current.state ?? base.state)?.kind === 'folder',
    isImplied: false,
    ...(missing !== undefined && { missing }),
    reviews: [review],
  };
}

/** Returns why a change cannot be undone, as a message for people. */
function missingOf({ path, base, current }: FileReview): string | undefined {
  if (base.missing !== undefined) return base.missing;
  const isCache = current.state?.kind === 'folder' && !isCopied(current);
  return isCopied(base) && !isCache ? undefined : uncopiedWords(path, base, current);
}

function changeKind({ base, current }: FileReview, hunks: readonly ReviewedHunk[]): FileChanges['kind'] {
  if (base.state === null) return 'created';
  if (current.state === null) return 'deleted';
  return hunks.every(({ kind }) => kind === 'mode') ? 'mode' : 'modified';
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

function withImpliedFolders(changes: readonly FileChanges[]): FileChanges[] {
  const full = new Set<string>();
  for (const { path } of changes)
    for (let ancestor = parentOf(path); ancestor !== '' && !full.has(ancestor); ancestor = parentOf(ancestor))
      full.add(ancestor);
  return changes.map((change) => (change.isFolder && full.has(change.path) ? { ...change, isImplied: true } : change));
}

/** Label for changes that belong to no action. */
export const betweenWords = 'Changed between steps, by a hook, a background process of the agent or another program';

/** Changes to show to a person, without implied folders. */
export const shownChanges = (changes: readonly FileChanges[]): FileChanges[] =>
  changes.filter(({ isImplied, kind }) => !isImplied || kind === 'mode');

/** Returns the folder of a path with either separator, or an empty string above the first. */
export const parentOf = (path: string): string =>
  path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'), 0));

/**
 * Maximum numbers of pairs compared line by line: of files with the same name, which a moved file usually keeps, and of
 * others. The other files of a large move are matched only by equal content.
 */
const maxComparedNamesakes = 2000;
const maxComparedOthers = 200;

/** Returns the last name of a path with either separator. */
export const nameIn = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

/** Combines a deleted and a created file with the same, or mostly the same, lines into one renamed file. */
async function withRenames(changes: readonly FileChanges[]): Promise<FileChanges[]> {
  const gone = new Map(
    changes.filter(({ kind, isFolder }) => kind === 'deleted' && !isFolder).map((each) => [each.path, each]),
  );
  const createdFiles = changes.filter(({ kind, isFolder }) => kind === 'created' && !isFolder);
  const renames = new Map<string, FileChanges>();
  const pair = (old: FileChanges, now: FileChanges): void => {
    gone.delete(old.path);
    renames.set(now.path, old);
  };
  const goneByContent = new Map<string, FileChanges[]>();
  for (const old of gone.values()) {
    const content = contentKey(old.reviews[0]!.base);
    if (content === undefined) continue;
    const alike = goneByContent.get(content) ?? [];
    alike.push(old);
    goneByContent.set(content, alike);
  }
  for (const now of createdFiles) {
    const content = contentKey(now.reviews[0]!.current);
    const same = content === undefined ? undefined : goneByContent.get(content)?.shift();
    if (same) pair(same, now);
  }
  const pairAlike = async (candidatesFor: (now: FileChanges) => readonly FileChanges[], max: number): Promise<void> => {
    let compared = 0;
    for (const now of createdFiles.filter(({ path }) => !renames.has(path)))
      for (const old of candidatesFor(now)) {
        if (!gone.has(old.path)) continue;
        if (++compared > max) return;
        if (!(await isMostlySame(old.reviews[0]!.base, now.reviews[0]!.current))) continue;
        pair(old, now);
        break;
      }
  };
  const goneByName = new Map<string, FileChanges[]>();
  for (const old of gone.values()) {
    const alike = goneByName.get(nameIn(old.path)) ?? [];
    alike.push(old);
    goneByName.set(nameIn(old.path), alike);
  }
  await pairAlike(({ path }) => goneByName.get(nameIn(path)) ?? [], maxComparedNamesakes);
  await pairAlike(() => [...gone.values()], maxComparedOthers);
  const paired = new Set([...renames.values()].map(({ path }) => path));
  return Promise.all(
    changes
      .filter(({ path }) => !paired.has(path))
      .map((change) => {
        const old = renames.get(change.path);
        return old ? renamed(old, change) : change;
      }),
  );
}

async function renamed(old: FileChanges, now: FileChanges): Promise<FileChanges> {
  const [before, after] = [linesIn(old.reviews[0]!.base), linesIn(now.reviews[0]!.current)];
  const blocks = await changedBlocks(before, after);
  return {
    ...now,
    kind: 'renamed',
    from: old.path,
    added: sum(blocks.map(({ newFrom, newTo }) => newTo - newFrom)),
    removed: sum(blocks.map(({ oldFrom, oldTo }) => oldTo - oldFrom)),
    hunks: [...old.hunks, ...now.hunks],
    actions: [...new Set([...old.actions, ...now.actions])],
    isBetween: old.isBetween || now.isBetween,
    ...(old.missing !== undefined && { missing: old.missing }),
    reviews: [...old.reviews, ...now.reviews],
  };
}

/** Equal for files with the same content. Undefined for empty files, and for files without a copy. */
export function contentKey({ state, text }: Snapshot): string | undefined {
  if (text !== undefined) return text === '' ? undefined : `text ${text}`;
  if (state?.kind !== 'file' || state.hash === undefined) return undefined;
  return `hash ${state.hash}`;
}

/** True if at least half of the longer file's lines are the same, like Git's rename detection. */
async function isMostlySame(a: Snapshot, b: Snapshot): Promise<boolean> {
  if (!a.text || !b.text || Math.min(a.text.length, b.text.length) * 2 < Math.max(a.text.length, b.text.length))
    return false;
  const [old, now] = [linesIn(a), linesIn(b)];
  const blocks = await changedBlocks(old, now);
  const unchanged = old.length - sum(blocks.map(({ oldFrom, oldTo }) => oldTo - oldFrom));
  return unchanged * 2 >= Math.max(old.length, now.length);
}
