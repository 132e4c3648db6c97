import { parentOf } from '../../core/changes/changesOf';
import type { RemovedContents } from '../../core/changes/removedContents';
import { isCopied, type FileDelta } from '../../core/changes/snapshot';
import type { FolderIndex } from './folderIndex';
import { mayBeMovedInWords, movedInWords, replacedWords } from './uncoveredWords';

/** What is known about the origin of files besides the folders. */
export interface KnownOrigins {
  /** What the run removed before. An undo restores it from its copies. */
  removed(): RemovedContents;
  /** Returns whether a changed file may be one that the command took from elsewhere and wrote anew. */
  mayBeTaken?(file: FileDelta): boolean;
}

/** Changes that were found together, with what came from places without copies apart. */
interface SeparatedChanges {
  readonly files: FileDelta[];
  /** An undo cannot move these back, and must not delete them. */
  readonly movedIn: FileDelta[];
  /** Message for people about these, and about what an undo asks before it deletes; empty if there is none. */
  readonly words: string;
}

export function separateMovedIn(
  found: FileDelta[],
  indexes: readonly FolderIndex[],
  { removed, mayBeTaken = () => false }: KnownOrigins,
): SeparatedChanges {
  const movedIn: FileDelta[] = [];
  const replaced: FileDelta[] = [];
  const uncertain: FileDelta[] = [];
  // Folders from elsewhere, and folders that may be.
  const folders = new Set<string>();
  const uncertainFolders = new Set<string>();
  let own: RemovedContents | undefined;
  // Parents come before what they contain.
  for (const file of found) {
    const { path, before, after } = file;
    if (after === null) continue;
    const origin = indexes.find((index) => index.holds(path))?.originOf(file);
    const isInside = folders.has(parentOf(path)) || uncertainFolders.has(parentOf(path));
    const isDoubtful = origin !== undefined || isInside || mayBeTaken(file);
    if (!isDoubtful || (own ??= removed()).has(file)) continue;
    const isKept = origin === 'elsewhere' && before === null;
    if (after.kind === 'folder') (isKept ? folders : uncertainFolders).add(path);
    if (isKept) movedIn.push(file);
    // An undo does not delete or overwrite what it cannot copy.
    else if (isCopied({ state: after })) (origin === 'elsewhere' ? replaced : uncertain).push(file);
  }
  const words = [
    wordsOf(outermost(movedIn, folders), movedInWords),
    wordsOf(outermost(uncertain, uncertainFolders), mayBeMovedInWords),
    wordsOf(replaced, replacedWords),
  ];
  const apart = new Set(movedIn);
  return {
    files: found.filter((file) => !apart.has(file)),
    movedIn,
    words: words.filter((each) => each !== '').join(' '),
  };
}

const outermost = (files: readonly FileDelta[], folders: ReadonlySet<string>): FileDelta[] =>
  files.filter(({ path }) => !folders.has(parentOf(path)));

const wordsOf = (files: readonly FileDelta[], words: (paths: readonly string[]) => string): string =>
  files.length > 0 ? words(files.map(({ path }) => path)) : '';
