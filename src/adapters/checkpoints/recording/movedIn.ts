import type { Stats } from 'node:fs';
import { parentOf } from '../../../core/changes/changesOf';
import type { Doubt, Move } from '../../../core/changes/journalEntry';
import type { RemovedContents } from '../../../core/changes/removedContents';
import { isCopied, type FileDelta, type FileState } from '../../../core/changes/snapshot';
import type { FolderIndex } from '../folderIndex/folderIndex';
import { reachedStat } from '../folderIndex/foundEntries';
import type { Recording } from './runJournal';
import type { TakenFiles } from './takenFiles';
import { mayBeMovedInWords, movedInWords, replacedWords } from './uncoveredWords';

/**
 * Records that some of the changes are files that existed elsewhere before. Returns the other changes. `doubts` and
 * `moved`: what the entry of the action says about that. `taken`: what the command may have taken away. `onlyCopies`:
 * true if it can have written only inside the folders.
 */
export function recordMovedIn(
  found: FileDelta[],
  { folders, journal }: Recording,
  { taken, onlyCopies = false }: { readonly taken?: TakenFiles | undefined; readonly onlyCopies?: boolean } = {},
): { readonly files: FileDelta[]; readonly doubts: readonly Doubt[]; readonly moved: readonly Move[] } {
  const { indexes } = folders;
  const { files, movedIn, doubts, moved } = separateMovedIn(found, indexes, {
    removed: () => journal.removed(),
    onlyCopies,
    ...(taken && { mayBeTaken: (file) => taken.mayBe(file, { onlyFrom: onlyCopies ? indexes : undefined }) }),
  });
  if (movedIn.length > 0) {
    journal.remember(movedIn);
    journal.append({ type: 'elsewhere', at: Date.now(), files: movedIn });
  }
  return { files, doubts, moved };
}

/** What is known about the origin of files besides the folders. */
interface KnownOrigins {
  /** What the run removed before. An undo restores it from its copies. */
  removed(): RemovedContents;
  /** Returns whether a changed file may be one that the command took from elsewhere and wrote anew. */
  mayBeTaken?(file: FileDelta): boolean;
  /** True if nothing can have been moved here from another file system. */
  readonly onlyCopies?: boolean;
}

/** Changes that were found together, with what came from places without copies apart. */
interface SeparatedChanges {
  readonly files: FileDelta[];
  /** An undo cannot move these back, and must not delete them. */
  readonly movedIn: FileDelta[];
  /** About these, and about what an undo asks before it deletes. */
  readonly doubts: readonly Doubt[];
  /** Folders that were moved inside the folders of the run, and files without copies. An undo moves back what has none. */
  readonly moved: readonly Move[];
}

function separateMovedIn(
  found: FileDelta[],
  indexes: readonly FolderIndex[],
  { removed, mayBeTaken = () => false, onlyCopies = false }: KnownOrigins,
): SeparatedChanges {
  const moves = movesIn(found, indexes);
  const moveTargets = new Set(moves.map(({ to }) => to));
  const movedIn: FileDelta[] = [];
  const replacing: FileDelta[] = [];
  const uncertain: FileDelta[] = [];
  const movedInFolders = new Set<string>();
  const uncertainFolders = new Set<string>();
  let contents: RemovedContents | undefined;
  const removedBefore = (): RemovedContents => (contents ??= removed());
  // Parents come before what they contain.
  for (const file of found) {
    const { path, before, after } = file;
    if (after === null || (after.kind !== 'folder' && moveTargets.has(path))) continue;
    const origin = originOf(file, indexes, { onlyCopies });
    const isInDoubtfulFolder = movedInFolders.has(parentOf(path)) || uncertainFolders.has(parentOf(path));
    if (origin === undefined && !isInDoubtfulFolder && !mayBeTaken(file)) continue;
    // The run itself removed it before, so an undo has its copy.
    if (origin === 'returned' && removedBefore().has(file)) continue;
    const isFromElsewhere = origin === 'elsewhere' || origin === 'returned';
    const isKept = isFromElsewhere && before === null && !canGiveWay(file, removedBefore().from(path), found);
    if (after.kind === 'folder') (isKept ? movedInFolders : uncertainFolders).add(path);
    if (isKept) movedIn.push(file);
    // An undo does not delete or overwrite what it cannot copy.
    else if (isCopied({ state: after })) (isFromElsewhere ? replacing : uncertain).push(file);
  }
  const apart = new Set(movedIn);
  return {
    files: found.filter((file) => !apart.has(file)),
    movedIn,
    moved: oneByOne(moves),
    doubts: [
      ...doubtsAbout(movedIn, movedInFolders, movedInWords),
      ...doubtsAbout(uncertain, uncertainFolders, mayBeMovedInWords),
      ...doubtsAbout(replacing, new Set(), replacedWords),
    ],
  };
}

function originOf(
  file: FileDelta,
  indexes: readonly FolderIndex[],
  { onlyCopies }: { readonly onlyCopies: boolean },
): ReturnType<FolderIndex['originOf']> {
  const own = indexes.find((index) => index.holds(file.path));
  const origin = own?.originOf(file);
  if (isCertain(origin) && otherHas(file.path, own, indexes, (other, stat) => other.hasLost(stat))) return undefined;
  return onlyCopies && origin === 'maybe elsewhere' ? undefined : origin;
}

const isCertain = (origin: ReturnType<FolderIndex['originOf']>): boolean =>
  origin === 'elsewhere' || origin === 'returned';

/** Asks the other folders of the run about what is at a path now. Returns the first answer that is not false. */
function otherHas<Answer>(
  place: string,
  own: FolderIndex | undefined,
  indexes: readonly FolderIndex[],
  ask: (other: FolderIndex, stat: Stats) => Answer,
): Answer | undefined {
  const stat = indexes.length > 1 ? reachedStat(place) : undefined;
  if (stat === undefined) return undefined;
  for (const other of indexes) {
    const answer = other === own ? undefined : ask(other, stat);
    if (answer) return answer;
  }
  return undefined;
}

/** Returns the moves inside the folders of the run of what has no copy, and of folders. */
function movesIn(found: readonly FileDelta[], indexes: readonly FolderIndex[]): Move[] {
  const gone = new Map(found.flatMap(({ path, before, after }) => (after === null ? [[path, before] as const] : [])));
  return found.flatMap(({ path: to, before, after }) => {
    if (before !== null || after === null || (after.kind !== 'folder' && isCopied({ state: after }))) return [];
    const own = indexes.find((index) => index.holds(to));
    const from = own?.placeBefore(to) ?? otherHas(to, own, indexes, (other, stat) => other.placeBeforeLeaving(stat));
    return from !== undefined && gone.get(from)?.kind === after.kind ? [{ from, to }] : [];
  });
}

/**
 * Returns moves as they could have happened one by one: what leaves a folder does so before the folder moves. What only
 * moved with its folder is left out.
 */
function oneByOne(moves: readonly Move[]): Move[] {
  const ordered = moves.toSorted((a, b) => b.from.length - a.from.length);
  const indexes = new Map(ordered.map(({ to }, index) => [to, index]));
  return ordered.flatMap(({ from, to }, index) => {
    let folder = parentOf(to);
    while (folder !== '' && !indexes.has(folder)) folder = parentOf(folder);
    const around = indexes.get(folder);
    if (around === undefined || around < index) return [{ from, to }];
    const toBefore = ordered[around]!.from + to.slice(folder.length);
    return toBefore === from ? [] : [{ from, to: toBefore }];
  });
}

/**
 * Returns whether an undo can restore what an earlier step deleted, as if the file had replaced it at once. `deleted`:
 * null if nothing was deleted there.
 */
function canGiveWay({ path, after }: FileDelta, deleted: FileState, found: readonly FileDelta[]): boolean {
  if (deleted === null) return false;
  if (after?.kind !== 'folder') return true;
  return deleted.kind !== 'folder' && !found.some((other) => parentOf(other.path) === path);
}

/** The words do not name what is in some of the folders. */
function doubtsAbout(
  files: readonly FileDelta[],
  folders: ReadonlySet<string>,
  words: (paths: readonly string[]) => string,
): Doubt[] {
  if (files.length === 0) return [];
  const paths = files.map(({ path }) => path);
  return [{ words: words(paths.filter((path) => !folders.has(parentOf(path)))), files: paths }];
}
