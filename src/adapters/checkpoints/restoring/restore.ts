import fs from 'node:fs';
import path from 'node:path';
import type { JournalEntry } from '../../../core/changes/journalEntry';
import { isSpecial, type FileDelta, type FileState } from '../../../core/changes/snapshot';
import type { FileRestore } from '../../../core/changes/undoPlan';
import { Slices } from '../../../core/text/slices';
import { makeFolder, writeDurably } from '../../storage/durableFile';
import { inLock, thisProcess } from '../../storage/fileLock';
import type { BlobStore } from '../blobStore';
import type { CheckpointStore } from '../checkpointStore';
import { defaultLimits, readCovered } from '../coverage';
import { appendToJournal } from '../journal';
import { RestoreConflict } from '../restoreConflict';
import { RunFolders, type RunPlaces } from '../runFolders';
import { applyDeltas, isAsExpected } from './applyDeltas';
import { changeMode, closeFolders, openFolders, type OpenedFolder } from './openedFolders';
import { rollBack, withoutRestored } from './recoverRestores';
import { draftsFor, writeDrafts } from './restoreDrafts';
import { restoresFolder, type RestoreIntent } from './restoreIntent';

// Restores files, all of them or none. The intent is on disk before the restore begins, so that the next process that
// checks can roll back the restore of a killed program. Nothing outside the folders of the run is touched, even if
// folders on the way were replaced.

/**
 * Returns the changes of files for a restore. Stores copies of composed texts, and of current contents that have none
 * yet. Throws `RestoreConflict` if a file cannot be copied.
 */
export async function deltasToRestore(
  restores: readonly FileRestore[],
  folders: RunFolders,
  { blobs, limits }: Pick<CheckpointStore, 'blobs' | 'limits'>,
): Promise<FileDelta[]> {
  const deltas: FileDelta[] = [];
  const slices = new Slices();
  for (const { path: file, before, after } of restores) {
    await slices.rest();
    // The current content must be kept too, so that the restore can be undone.
    const isKept = before.state?.kind !== 'file' || isSpecial(before.state) || blobs.has(before.state.hash ?? '');
    if (!isKept) keepCurrent(file, folders, blobs, limits);
    deltas.push({ path: file, before: before.state, after: storeState(after, blobs) });
  }
  return deltas;
}

function keepCurrent(file: string, folders: RunFolders, blobs: BlobStore, limits: CheckpointStore['limits']): void {
  const relative = folders.relative(file);
  const bytes = folders.withPath(file, (place) => readCovered(place, relative, fs.lstatSync(place), limits));
  if (!bytes)
    throw new RestoreConflict(`${file} cannot be copied, so it is not overwritten. Nothing was restored.`, file);
  blobs.put(bytes);
}

/** Stores the text of a snapshot and returns its state. */
export function storeState({ state, text }: FileRestore['after'], blobs: BlobStore): FileState {
  if (state?.kind !== 'file' || text === undefined) return state;
  return { ...state, size: text.length, hash: blobs.put(Buffer.from(text, 'latin1')) };
}

/**
 * Runs `work` under a lock, so that no other process restores files or recovers interrupted restores meanwhile. Throws
 * an `Error` with a message for people if another process has the lock.
 */
export function whileRestoring<Answer>(store: CheckpointStore, work: () => Promise<Answer>): Promise<Answer> {
  const folder = restoresFolder(store);
  makeFolder(folder);
  const busy = 'Another window or terminal is restoring files. Nothing was changed. Try again.';
  return inLock(path.join(folder, 'lock'), busy, () => store.whileRestoring(work));
}

interface RestoreParts {
  readonly store: CheckpointStore;
  readonly places: RunPlaces;
  readonly journal: string;
  readonly entry: JournalEntry;
  /** Called when everything is prepared and nothing is changed yet. Throws if the restore is not allowed any more. */
  stillAllowed?(): Promise<void>;
}

/**
 * Puts each path into the state of its delta, and then appends `entry` to the journal. Requires `whileRestoring`.
 * Throws `RestoreConflict` if a path is not in the expected current state, `DamagedCopy`, or the error of the disk;
 * everything is unchanged then.
 */
export async function restore(
  files: readonly FileDelta[],
  { store, places, journal, entry, stillAllowed }: RestoreParts,
): Promise<void> {
  const { blobs } = store;
  const folders = new RunFolders(places);
  const intentFile = path.join(restoresFolder(store), `${crypto.randomUUID()}.json`);
  const opened: OpenedFolder[] = [];
  const touched = new Set<string>();
  let intent: RestoreIntent = {
    owner: thisProcess(),
    journal,
    folders: [...places.folders],
    areReal: places.areReal ?? false,
    entry,
    files: [],
    drafts: [],
    created: [],
    opened,
  };
  const noteIntent = (): void => {
    makeFolder(restoresFolder(store));
    writeDurably(intentFile, [JSON.stringify(intent)]);
  };
  try {
    openFolders(files, folders, (folder) => {
      opened.push(folder);
      noteIntent();
    });
    await refuseUnexpected(files, folders, opened);
    await checkCopies(files, blobs);
    await blobs.flush();
    const created = folders.missingRoots(files.flatMap(({ path: file, after }) => (after === null ? [] : [file])));
    if (created.length > 0) {
      intent = { ...intent, created };
      noteIntent();
      // The owner must be able to write it until everything is in it.
      for (const root of created) fs.mkdirSync(root, { mode: (places.modes?.get(root) ?? 0o777) | 0o700 });
    }
    const drafts = draftsFor(files, folders);
    intent = { ...intent, files: [...files], drafts: [...drafts.values()] };
    noteIntent();
    await writeDrafts(files, drafts, blobs, folders);
    await stillAllowed?.();
    await applyDeltas(files, drafts, folders, touched);
    for (const root of intent.created) changeModeOfCreated(root, places);
    appendToJournal(journal, entry);
  } catch (error) {
    await rollBack({ ...intent, files: intent.files.filter(({ path: file }) => touched.has(file)) }, blobs);
    fs.rmSync(intentFile, { force: true });
    throw error;
  }
  closeFolders(withoutRestored(opened, files), folders);
  fs.rmSync(intentFile, { force: true });
}

/** Independent of the umask. A folder whose permissions are not known keeps those of new folders. */
function changeModeOfCreated(root: string, { modes }: RunPlaces): void {
  const mode = modes?.get(root);
  if (mode !== undefined) changeMode(root, mode);
}

async function refuseUnexpected(
  files: readonly FileDelta[],
  folders: RunFolders,
  opened: readonly OpenedFolder[],
): Promise<void> {
  const slices = new Slices();
  for (const { path: file, before, after } of files) {
    await slices.rest();
    if (!isAsExpected(file, before, folders, opened) && !hasStayed(file, before, after, folders))
      throw new RestoreConflict(`Another program changed ${file} just now. Nothing was restored.`, file);
  }
}

/** Reads the copies that a restore, or its rollback, will need. Throws `DamagedCopy`. */
async function checkCopies(files: readonly FileDelta[], blobs: BlobStore): Promise<void> {
  const slices = new Slices();
  for (const { before, after } of files)
    for (const state of [before, after]) {
      await slices.rest();
      if (state?.kind === 'file' && state.hash !== undefined) blobs.get(state.hash);
    }
}

/** Returns whether a folder that has to be created is still there: an earlier restore could not delete it. */
const hasStayed = (file: string, before: FileState, after: FileState, folders: RunFolders): boolean =>
  before === null && after?.kind === 'folder' && folders.snapshot(file, defaultLimits).state?.kind === 'folder';
