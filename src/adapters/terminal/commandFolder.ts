import fs from 'node:fs';
import type { CommandResult } from '../../core/ports/terminal';
import { shownName } from '../../core/text/shownName';

/** Compares two absolute folders. They are also the same if a symbolic link leads from one to the other. */
export function isSameFolder(a: string, b: string): boolean {
  if (a === b) return true;
  try {
    return fs.realpathSync.native(a) === fs.realpathSync.native(b);
  } catch {
    return false;
  }
}

/** Says why a command does not run in `actual`, although it was judged for `wanted`. */
export const wrongFolderWords = (wanted: string, actual: string): string =>
  `The command was not run: it was checked for the folder ${shownName(wanted)}, but the shell cannot change to it and is in ${shownName(actual)}.`;

/** The result of a command that did not begin. `folder`: where the shell is. */
export const notRun = (folder: string, notes: readonly string[]): CommandResult => ({
  end: 'not_run',
  exitCode: null,
  output: '',
  outputBytes: 0,
  durationMs: 0,
  cwd: folder,
  note: notes.join(' '),
});
