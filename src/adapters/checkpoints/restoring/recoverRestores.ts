import fs from 'node:fs';
import path from 'node:path';
import type { JournalEntry } from '../../../core/changes/journalEntry';
import { isSameState, type FileDelta } from '../../../core/changes/snapshot';
import { Slices } from '../../../core/text/slices';
import { isAlive } from '../../storage/fileLock';
import type { BlobStore } from '../blobStore';
import type { CheckpointStore } from '../checkpointStore';
import { defaultLimits } from '../coverage';
import { readJournal } from '../journal';
import { RunFolders } from '../runFolders';
import { applyDeltas, unopened } from './applyDeltas';
import { changeMode, closeFolders, openFolders, type OpenedFolder } from './openedFolders';
import { draftsFor, removeDrafts, writeDrafts } from './restoreDrafts';
import { intentFilesIn, readIntent, restoresFolder, type RestoreIntent } from './restoreIntent';

/** Returns whether a restore was interrupted or is in progress. */
export const hasRestores = (store: CheckpointStore): boolean => intentFilesIn(restoresFolder(store)).length > 0;

/** Messages for people. */
interface Recovery {
  readonly ended: readonly string[];
  /** What is not known to have ended, and is found again next time. */
  readonly open: readonly string[];
  /** Set if the disk failed, so that an unknown restore may have to be rolled back before the next one. */
  readonly unreadable?: string;
}

/** Rolls back restores of killed programs. Requires `whileRestoring`. */
export async function recoverRestores(store: CheckpointStore): Promise<Recovery> {
  const folder = restoresFolder(store);
  const ended: string[] = [];
  const open: string[] = [];
  let unreadable: string | undefined;
  for (const name of intentFilesIn(folder)) {
    const file = path.join(folder, name);
    const stored = readIntent(file);
    if (stored.status === 'read') {
      if (isAlive(stored.intent.owner) !== false) continue;
      const message = await recoverRestore(stored.intent, store.blobs);
      fs.rmSync(file, { force: true });
      if (message !== undefined) ended.push(message);
    } else if (stored.status === 'damaged') {
      open.push(
        `A restore may have been interrupted, but its record ${file} is damaged or was written by another version of Waymark. Check the files that were last undone, then delete the record.`,
      );
    } else if (stored.status === 'unreadable') {
      unreadable = `A restore may have been interrupted, but its record ${file} cannot be read: ${stored.error.message}.`;
      open.push(unreadable);
    }
  }
  return { ended, open, ...(unreadable !== undefined && { unreadable }) };
}

/** Ends an interrupted restore. Returns a message for people, or undefined if it was already complete. */
async function recoverRestore(intent: RestoreIntent, blobs: BlobStore): Promise<string | undefined> {
  const isComplete = readJournal(intent.journal).entries.some((entry) => isSameEntry(entry, intent.entry));
  if (isComplete) {
    const folders = new RunFolders(intent);
    removeDrafts(intent.drafts, folders);
    closeFolders(withoutRestored(intent.opened, intent.files), folders);
    return undefined;
  }
  const notPutBack = await rollBack(intent, blobs);
  return notPutBack.length === 0
    ? 'A restore was interrupted because its program ended. Its files are as they were before.'
    : `A restore was interrupted because its program ended. These files could not be put back: ${notPutBack.join(', ')}.`;
}

const isSameEntry = (a: JournalEntry, b: JournalEntry): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The folders to which the restore itself gave no mode. */
export function withoutRestored(opened: readonly OpenedFolder[], files: readonly FileDelta[]): OpenedFolder[] {
  const restored = new Set(files.flatMap(({ path: file, after }) => (after?.kind === 'folder' ? [file] : [])));
  return opened.filter(({ path: folder }) => !restored.has(folder));
}

/**
 * Puts every path back into its state before the restore. Returns the paths for which that failed, because another
 * program changed them or because of an error.
 */
export async function rollBack(
  {
    files,
    drafts: left,
    opened,
    created: noted,
    ...places
  }: Pick<RestoreIntent, 'files' | 'drafts' | 'folders' | 'areReal' | 'opened' | 'created'>,
  blobs: BlobStore,
): Promise<string[]> {
  const folders = new RunFolders(places);
  const created = noted.filter((root) => places.folders.includes(root));
  for (const root of created) openAgain(root);
  const reopened = reopenFolders(files, folders);
  removeDrafts(left, folders);
  const notPutBack: string[] = [];
  const deltas: FileDelta[] = [];
  const slices = new Slices();
  for (const { path: file, before, after } of files) {
    await slices.rest();
    const state = unopened(file, folders.snapshot(file, defaultLimits).state, [...opened, ...reopened]);
    if (isSameState(state, before)) continue;
    // A path whose kind changes does not exist for a moment.
    const isBetween = state === null && before !== null && after !== null && before.kind !== after.kind;
    const isFolderOfBoth = state?.kind === 'folder' && after?.kind === 'folder';
    const isOurs = isBetween || isFolderOfBoth || isSameState(state, after);
    if (isOurs) deltas.push({ path: file, before: state, after: before });
    else notPutBack.push(file);
  }
  const drafts = draftsFor(deltas, folders);
  try {
    await writeDrafts(deltas, drafts, blobs, folders);
    await applyDeltas(deltas, drafts, folders, new Set());
  } catch {
    removeDrafts(drafts.values(), folders);
    notPutBack.push(...deltas.map(({ path: file }) => file));
  }
  closeFolders(withoutRestored(reopened, deltas), folders);
  closeFolders(opened, folders);
  folders.removeEmpty(created);
  return notPutBack;
}

/** The restore may have given a folder that it created its final permissions already. */
function openAgain(root: string): void {
  try {
    if ((fs.lstatSync(root).mode & 0o700) !== 0o700) changeMode(root, 0o700);
  } catch {
    // It was not created, or was deleted again.
  }
}

/** Opens the folders again to which an interrupted restore had already given their later modes. */
function reopenFolders(files: readonly FileDelta[], folders: RunFolders): OpenedFolder[] {
  const reopened: OpenedFolder[] = [];
  try {
    openFolders(files, folders, (folder) => reopened.push(folder));
  } catch {
    // What cannot be put back is reported.
  }
  return reopened;
}
