import { parentOf } from '../../core/changes/changesOf';
import type { RemovedContents } from '../../core/changes/removedContents';
import { isCopied, type FileDelta } from '../../core/changes/snapshot';
import type { FolderIndex } from './folderIndex';
import { mayBeMovedInWords, movedInWords, replacedWords } from './uncoveredWords';

/** Changes that were found together, with what came from places without copies apart. */
interface SeparatedChanges {
  readonly files: FileDelta[];
  /** An undo cannot move these back, and must not delete them. */
  readonly movedIn: FileDelta[];
  /** Message for people about these, and about what an undo may delete only if the user agrees; empty if there is none. */
  readonly words: string;
}

/** `removed`: what the run removed before. Called only if it is needed. An undo restores it from its copies. */
export function separateMovedIn(
  found: FileDelta[],
  indexes: readonly FolderIndex[],
  removed: () => RemovedContents,
): SeparatedChanges {
  const isAny = (holds: (index: FolderIndex) => boolean): boolean => indexes.some(holds);
  const created = found.filter(({ before }) => before === null);
  const certain = created.filter(({ path }) => isAny((index) => index.isMovedIn(path)));
  // An undo does not delete what it cannot copy.
  const uncertain = created.filter(
    ({ path, after }) => isCopied({ state: after }) && isAny((index) => index.mayBeMovedIn(path)),
  );
  const replaced = found.filter(
    ({ path, before, after }) =>
      before !== null && isCopied({ state: after }) && isAny((index) => index.hasReplaced(path)),
  );
  if (certain.length + uncertain.length + replaced.length === 0) return { files: found, movedIn: [], words: '' };
  const own = removed();
  const isOthers = (file: FileDelta): boolean => !own.has(file);
  const movedIn = certain.filter(isOthers);
  const inside = new Set(movedIn.map(({ path }) => path));
  const words = [
    wordsOf(
      movedIn.filter(({ path }) => !isBelow(path, inside)),
      movedInWords,
    ),
    wordsOf(uncertain.filter(isOthers), mayBeMovedInWords),
    wordsOf(replaced.filter(isOthers), replacedWords),
  ];
  return {
    files: found.filter((file) => !inside.has(file.path)),
    movedIn,
    words: words.filter((each) => each !== '').join(' '),
  };
}

const wordsOf = (files: readonly FileDelta[], words: (paths: readonly string[]) => string): string =>
  files.length > 0 ? words(files.map(({ path }) => path)) : '';

/** Returns whether a path is in one of some folders. */
const isBelow = (file: string, folders: ReadonlySet<string>): boolean => folders.has(parentOf(file));
