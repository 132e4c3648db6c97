import fs from 'node:fs';
import path from 'node:path';
import { isSameState, type FileDelta, type FileState } from '../../../core/changes/snapshot';
import { Slices } from '../../../core/text/slices';
import { draftName } from '../../files/drafts';
import { syncFolder } from '../../storage/durableFile';
import { defaultLimits } from '../coverage';
import { RestoreConflict } from '../restoreConflict';
import type { RunFolders } from '../runFolders';
import { changeMode, changing, type OpenedFolder } from './openedFolders';

/** Returns whether a path is in the expected state, apart from the mode of a folder that the restore opened. */
export const isAsExpected = (
  file: string,
  expected: FileState,
  folders: RunFolders,
  opened: readonly OpenedFolder[] = [],
): boolean => isSameState(unopened(file, folders.snapshot(file, defaultLimits, expected).state, opened), expected);

/** Returns the state of a path with the mode that it had before the restore opened it. */
export function unopened(file: string, state: FileState, opened: readonly OpenedFolder[]): FileState {
  const folder = state?.kind === 'folder' ? opened.find((each) => each.path === file) : undefined;
  return state?.kind === 'folder' && folder ? { ...state, mode: folder.mode } : state;
}

/**
 * Applies changes in an order without conflicts: deletions, deepest first; folders; then files. Adds each path to
 * `touched` before it changes. Lets other work run in between.
 */
export async function applyDeltas(
  files: readonly FileDelta[],
  drafts: ReadonlyMap<string, string>,
  folders: RunFolders,
  touched: Set<string>,
): Promise<void> {
  const slices = new Slices();
  const deletedDeepestFirst = files
    .filter(({ before, after }) => before !== null && after?.kind !== before.kind)
    .sort((a, b) => depth(b.path) - depth(a.path));
  const touch = (file: string, expected: FileState): void => {
    if (!isAsExpected(file, expected, folders))
      throw new RestoreConflict(`${file} was changed during the restore. Nothing was restored.`, file);
    touched.add(file);
  };
  for (const { path: file, before } of deletedDeepestFirst) {
    if (before?.kind === 'folder') continue;
    await slices.rest();
    touch(file, before);
    changing(file, folders, (place) => fs.unlinkSync(place));
  }
  for (const { path: folder, before, after } of deletedDeepestFirst) {
    if (before?.kind !== 'folder') continue;
    await slices.rest();
    touched.add(folder);
    removeFolder(folder, folders, { mayStay: after === null });
  }
  const newFolders = files
    .filter(({ after }) => after?.kind === 'folder')
    .sort((a, b) => depth(a.path) - depth(b.path));
  for (const { path: folder } of newFolders) {
    await slices.rest();
    touched.add(folder);
    // Holding a path inside a folder creates the folder and its parents.
    changing(path.join(folder, draftName()), folders, () => undefined, { created: [], named: folder });
  }
  for (const { path: file, before, after } of files) {
    const draft = drafts.get(file);
    if (draft === undefined) continue;
    await slices.rest();
    const isInPlace = before !== null && before.kind === after?.kind;
    touch(file, isInPlace ? before : null);
    folders.withPath(draft, (from) => changing(file, folders, (to) => fs.renameSync(from, to), { created: [] }));
  }
  for (const { path: folder, after } of newFolders.reverse())
    if (after?.kind === 'folder') changing(folder, folders, (place) => changeMode(place, after.mode));
  for (const folder of new Set(files.map(({ path: file }) => path.dirname(file)))) {
    await slices.rest();
    if (fs.existsSync(folder)) syncFolder(folder);
  }
}

const depth = (place: string): number => place.split(path.sep).length;

/** Removes a folder. `mayStay`: if others added entries to it, it stays, and no error is thrown. */
function removeFolder(folder: string, folders: RunFolders, { mayStay }: { readonly mayStay: boolean }): void {
  try {
    changing(folder, folders, (place) => fs.rmdirSync(place));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || (mayStay && (code === 'ENOTEMPTY' || code === 'EEXIST'))) return;
    throw error;
  }
}
