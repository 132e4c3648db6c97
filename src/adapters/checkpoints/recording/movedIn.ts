import { parentOf } from '../../../core/changes/changesOf';
import type { Doubt, Move } from '../../../core/changes/journalEntry';
import type { RemovedContents } from '../../../core/changes/removedContents';
import { isCopied, type FileDelta, type FileState } from '../../../core/changes/snapshot';
import type { FolderIndex } from '../folderIndex/folderIndex';
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
  const movedIn: FileDelta[] = [];
  const moved = movesIn(found, indexes);
  const movedFiles = new Set(moved.map(({ to }) => to));
  const replaced: FileDelta[] = [];
  const uncertain: FileDelta[] = [];
  // Folders from elsewhere, and folders that may be.
  const folders = new Set<string>();
  const uncertainFolders = new Set<string>();
  let own: RemovedContents | undefined;
  // Parents come before what they contain.
  for (const file of found) {
    const { path, before, after } = file;
    if (after === null || (after.kind !== 'folder' && movedFiles.has(path))) continue;
    const known = indexes.find((index) => index.holds(path))?.originOf(file);
    const origin = onlyCopies && known === 'maybe elsewhere' ? undefined : known;
    const isInside = folders.has(parentOf(path)) || uncertainFolders.has(parentOf(path));
    const isDoubtful = origin !== undefined || isInside || mayBeTaken(file);
    if (!isDoubtful || (origin === 'returned' && (own ??= removed()).has(file))) continue;
    const isElsewhere = origin === 'elsewhere' || origin === 'returned';
    const deleted = isElsewhere && before === null ? (own ??= removed()).from(path) : null;
    const isKept = isElsewhere && before === null && !(deleted !== null && canGiveWay(file, deleted, found));
    if (after.kind === 'folder') (isKept ? folders : uncertainFolders).add(path);
    if (isKept) movedIn.push(file);
    // An undo does not delete or overwrite what it cannot copy.
    else if (isCopied({ state: after })) (isElsewhere ? replaced : uncertain).push(file);
  }
  const apart = new Set(movedIn);
  return {
    files: found.filter((file) => !apart.has(file)),
    movedIn,
    moved: oneByOne(moved),
    doubts: [
      ...doubtsAbout(movedIn, folders, movedInWords),
      ...doubtsAbout(uncertain, uncertainFolders, mayBeMovedInWords),
      ...doubtsAbout(replaced, new Set(), replacedWords),
    ],
  };
}

function movesIn(found: readonly FileDelta[], indexes: readonly FolderIndex[]): Move[] {
  const gone = new Map(found.flatMap(({ path, before, after }) => (after === null ? [[path, before] as const] : [])));
  return found.flatMap(({ path: to, before, after }) => {
    if (before !== null || after === null || (after.kind !== 'folder' && isCopied({ state: after }))) return [];
    const from = indexes.find((index) => index.holds(to))?.placeBefore(to);
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

/** Returns whether an undo can restore what an earlier step deleted, as if the file had replaced it at once. */
const canGiveWay = ({ path, after }: FileDelta, deleted: FileState, found: readonly FileDelta[]): boolean =>
  after?.kind !== 'folder' || (deleted?.kind !== 'folder' && !found.some((other) => parentOf(other.path) === path));

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
