import fs from 'node:fs';
import type { FileDelta } from '../../../core/changes/snapshot';
import { RestoreConflict } from '../restoreConflict';
import type { RunFolders } from '../runFolders';

/** A folder that was opened for a restore, with the mode that it had. */
export interface OpenedFolder {
  readonly path: string;
  readonly mode: number;
}

const { R_OK, W_OK, X_OK, O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = fs.constants;
const allOfOwner = 0o700;

/** Linux: opens a folder that may not be read. Node.js has no name for it. */
const O_PATH = 0x200000;
const openFlags = (process.platform === 'linux' ? O_PATH : O_RDONLY) | O_DIRECTORY | O_NOFOLLOW;

/**
 * Makes folders writable that a restore itself changes, such as one that the agent made read-only. Other folders stay
 * as the user left them. Calls `note` with each folder before its mode changes. Throws `RestoreConflict` if the folder
 * belongs to another user.
 */
export function openFolders(
  files: readonly FileDelta[],
  folders: RunFolders,
  note: (folder: OpenedFolder) => void,
): void {
  const changed = files.filter(({ before, after }) => before?.kind === 'folder' || after?.kind === 'folder');
  // The outermost first: the others are inside them.
  for (const { path: folder } of changed.sort((a, b) => a.path.length - b.path.length))
    if (isLocked(folder)) open(folder, folders, note);
}

function isLocked(folder: string): boolean {
  try {
    fs.accessSync(folder, R_OK | W_OK | X_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

function open(folder: string, folders: RunFolders, note: (folder: OpenedFolder) => void): void {
  changing(folder, folders, (place) => {
    const stat = fs.lstatSync(place, { throwIfNoEntry: false });
    if (!stat?.isDirectory()) return;
    const mode = stat.mode & 0o7777;
    note({ path: folder, mode });
    changeMode(place, mode | allOfOwner);
  });
}

/** Gives folders their earlier modes again, the innermost first. Those that were deleted are skipped. */
export function closeFolders(opened: readonly OpenedFolder[], folders: RunFolders): void {
  for (const { path: folder, mode } of [...opened].sort((a, b) => b.path.length - a.path.length)) {
    try {
      folders.withPath(folder, (place) => changeMode(place, mode));
    } catch {
      // It was deleted, or something else is in its place.
    }
  }
}

/** Changes the mode of a folder without following a link in its place. Folders have no modes on Windows. */
export function changeMode(place: string, mode: number): void {
  // Windows refuses the attempt, and the person would read that they may not change the folder.
  if (process.platform === 'win32') return;
  const descriptor = fs.openSync(place, openFlags);
  try {
    if (process.platform === 'linux') fs.chmodSync(`/proc/self/fd/${descriptor}`, mode);
    else fs.fchmodSync(descriptor, mode);
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * Like `withPath`, for work that changes something. Throws `RestoreConflict` if that is not permitted. `named`: the path
 * to name then, if it is another one.
 */
export function changing<Answer>(
  file: string,
  folders: RunFolders,
  work: (place: string) => Answer,
  { created, named = file }: { readonly created?: string[]; readonly named?: string } = {},
): Answer {
  try {
    return folders.withPath(file, work, created);
  } catch (error) {
    // The user does not know the names of temporary files.
    if (error instanceof RestoreConflict)
      throw new RestoreConflict(
        error.message.replace(file, () => named),
        named,
      );
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error;
    throw new RestoreConflict(`You do not have permission to change ${named}. Nothing was restored.`, named);
  }
}
