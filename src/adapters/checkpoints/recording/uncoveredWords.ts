import path from 'node:path';
import type { OthersWork } from '../../../core/changes/othersChanges';
import type { Doubt } from '../../../core/changes/journalEntry';
import type { FileDelta } from '../../../core/changes/snapshot';
import { errorMessage } from '../../../core/text/errorMessage';
import { shownName } from '../../../core/text/shownName';

// Messages for people about changes that cannot be undone.

/** Maximum number of files to name in a message. */
const maxNamed = 5;

/** Message for a step that changed more than one scan copies. */
export const tooMuchWords = (count: number, maxBytes: number): string =>
  `More than ${Math.round(maxBytes / 1024 / 1024)} MB changed at once, so ${count} of the files were not copied and cannot be undone.`;

/** Message for a step after which files were found that existed before it. */
export const movedInWords = (files: readonly string[]): string =>
  `Waymark had no copies of these files or folders, which existed before (moved or linked here, or not readable). Undo keeps them: ${listed(files)}.`;

/** Message for a step that may have put files here that existed before. */
export const mayBeMovedInWords = (files: readonly string[]): string =>
  `These files may have been moved or unpacked here from a place without copies. Undo deletes or replaces them, and redo brings them back: ${listed(files)}.`;

/** Message for a step that put files that existed before in place of others. */
export const replacedWords = (files: readonly string[]): string =>
  `In place of these are files now that existed before and of which Waymark had no copies. Undo deletes those, and redo brings them back: ${listed(files)}.`;

/** Message for a step that closed folders, or after which they could not be read for another reason. */
export const closedWords = (folders: readonly string[]): string =>
  `These folders could not be read after this step, so its changes in them are unknown: ${listed(folders)}.`;

/** Message for a step that wrote files which Git tracks since then, in folders that are not scanned. */
export const unknownWords = (files: readonly string[]): string =>
  `This step wrote files that Git tracks now, in folders that Waymark does not copy. Undo leaves them: ${listed(files)}.`;

/** Message for an action that was interrupted, after which other runs may have scanned the folder first. */
export const cutOffWords =
  'The program ended during this action. Other runs worked in this folder since then, or its earlier state is unknown, so not all changes of this action are known.';

/** What to say of a command during which another run worked in the same folder; empty if that does not matter. */
export function otherRunsDoubts(files: readonly FileDelta[], others: readonly OthersWork[]): Doubt[] {
  const theirs = new Set(others.flatMap(({ whileCommands }) => whileCommands.map(({ path }) => path)));
  const isActing = others.some((other) => other.isActing);
  const shared = files.filter(({ path }) => isActing || theirs.has(path)).map(({ path }) => path);
  if (shared.length === 0) return [];
  const words = `Another run worked in this folder at the same time and may have made these changes. Undo reverts them, too: ${listed(shared)}.`;
  return [{ words, files: shared }];
}

/** The same if a hook or background process was interrupted after the action. */
export const gapCutOffWords =
  'The program ended while a hook or background process could change files after this action. Other runs worked in this folder since then, or its earlier state is unknown, so not all of these changes are known.';

/** Message for a failure of the checkpoints themselves. */
export const failureWords = (error: unknown): string =>
  `It may not be possible to undo file changes of this run. ${errorMessage(error)}`;

/** Names of some files for people. */
function listed(files: readonly string[]): string {
  const named = files.slice(0, maxNamed).map((file) => shownName(path.basename(file)));
  const more = files.length - named.length;
  return (more > 0 ? [...named, `${more} more`] : named).join(', ');
}
