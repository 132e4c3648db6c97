import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { FileDelta, isSameState, isSpecial, type FileState } from '../../core/changes/snapshot';
import { JournalEntry } from '../../core/changes/journalEntry';
import type { FileRestore } from '../../core/changes/undoPlan';
import { Slices } from '../../core/text/slices';
import { draftName } from '../files/drafts';
import { makeFolder, syncFolder, writeDurably } from '../storage/durableFile';
import { isAlive, thisProcess, inLock } from '../storage/fileLock';
import type { BlobStore } from './blobStore';
import { readCovered, defaultLimits } from './coverage';
import type { CheckpointStore } from './checkpointStore';
import { appendToJournal, readJournal } from './journal';
import { changeMode, changing, closeFolders, openFolders, type OpenedFolder } from './openedFolders';
import { RestoreConflict } from './restoreConflict';
import { RunFolders } from './runFolders';

// Restores files, all of them or none. The intent is on disk before the restore begins, so that the next process that
// checks can roll back the restore of a killed program. Nothing outside the folders of the run is touched, even if
// folders on the way were replaced.

/** What a restore is about to do, as it is stored until the restore has ended. */
const Intent = z.object({
  owner: z.object({ pid: z.number(), start: z.string(), place: z.string().optional() }),
  journal: z.string(),
  /** The folders of the run. */
  folders: z.array(z.string()),
  /** The journal entry that records the completion. */
  entry: JournalEntry,
  files: z.array(FileDelta),
  /** Temporary files. */
  drafts: z.array(z.string()),
  /** Folders that were made writable for the restore, with their earlier modes. */
  opened: z.array(z.object({ path: z.string(), mode: z.number() })).default([]),
});
type Intent = z.infer<typeof Intent>;

/**
 * Maximum number of files to sync at once, each with an open descriptor. Syncing in parallel waits for a busy disk only
 * once.
 */
const maxSyncedAtOnce = 16;

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
  readonly folders: readonly string[];
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
  { store, folders: folderPaths, journal, entry, stillAllowed }: RestoreParts,
): Promise<void> {
  const { blobs } = store;
  const folders = new RunFolders(folderPaths);
  const intentFile = path.join(restoresFolder(store), `${crypto.randomUUID()}.json`);
  const opened: OpenedFolder[] = [];
  const touched = new Set<string>();
  let intent: Intent = {
    owner: thisProcess(),
    journal,
    folders: [...folderPaths],
    entry,
    files: [],
    drafts: [],
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
    const slices = new Slices();
    for (const { path: file, before, after } of files) {
      await slices.rest();
      if (!isAsExpected(file, before, folders, opened) && !hasStayed(file, before, after, folders))
        throw new RestoreConflict(`Another program changed ${file} just now. Nothing was restored.`, file);
      // Throws if a copy is damaged.
      for (const state of [before, after])
        if (state?.kind === 'file' && state.hash !== undefined) blobs.get(state.hash);
    }
    await blobs.flush();
    const drafts = draftsFor(files, folders);
    intent = { ...intent, files: [...files], drafts: [...drafts.values()] };
    noteIntent();
    await writeDrafts(files, drafts, blobs, folders);
    await stillAllowed?.();
    await apply(files, drafts, folders, touched);
    appendToJournal(journal, entry);
  } catch (error) {
    await rollBack({ ...intent, files: intent.files.filter(({ path: file }) => touched.has(file)) }, blobs);
    fs.rmSync(intentFile, { force: true });
    throw error;
  }
  closeFolders(withoutRestored(opened, files), folders);
  fs.rmSync(intentFile, { force: true });
}

/** The folders to which the restore itself gave no mode. */
function withoutRestored(opened: readonly OpenedFolder[], files: readonly FileDelta[]): OpenedFolder[] {
  const restored = new Set(files.flatMap(({ path: file, after }) => (after?.kind === 'folder' ? [file] : [])));
  return opened.filter(({ path: folder }) => !restored.has(folder));
}

/** Returns whether a folder that has to be created is still there: an earlier restore could not delete it. */
const hasStayed = (file: string, before: FileState, after: FileState, folders: RunFolders): boolean =>
  before === null && after?.kind === 'folder' && folders.snapshot(file, defaultLimits).state?.kind === 'folder';

/** Where each file is written before it is moved into place. */
function draftsFor(files: readonly FileDelta[], folders: RunFolders): Map<string, string> {
  const written = files.filter(({ after }) => after !== null && after.kind !== 'folder');
  return new Map(written.map(({ path: file }) => [file, path.join(folders.nearestFolder(file), draftName())]));
}

/** Returns whether a restore was interrupted or is in progress. */
export const hasRestores = (store: CheckpointStore): boolean => intentFilesIn(restoresFolder(store)).length > 0;

/** Rolls back restores of killed programs. Requires `whileRestoring`. Returns messages for people. */
export async function recoverRestores(store: CheckpointStore): Promise<string[]> {
  const folder = restoresFolder(store);
  const messages: string[] = [];
  for (const name of intentFilesIn(folder)) {
    const file = path.join(folder, name);
    const intent = readIntent(file);
    if (intent && isAlive(intent.owner) !== false) continue;
    if (!intent) {
      // Killed while it wrote its intent: nothing had begun.
      if (isOld(file)) fs.rmSync(file, { force: true });
      continue;
    }
    const message = await recoverRestore(intent, store.blobs);
    fs.rmSync(file, { force: true });
    if (message !== undefined) messages.push(message);
  }
  return messages;
}

/** Ends an interrupted restore. Returns a message for people, or undefined if it was already complete. */
async function recoverRestore(intent: Intent, blobs: BlobStore): Promise<string | undefined> {
  const isComplete = readJournal(intent.journal).entries.some((entry) => isSameEntry(entry, intent.entry));
  if (isComplete) {
    const folders = new RunFolders(intent.folders);
    removeDrafts(intent.drafts, folders);
    closeFolders(withoutRestored(intent.opened, intent.files), folders);
    return undefined;
  }
  const notPutBack = await rollBack(intent, blobs);
  return notPutBack.length === 0
    ? 'A restore was interrupted because its program ended. Its files are as they were before.'
    : `A restore was interrupted because its program ended. These files could not be put back: ${notPutBack.join(', ')}.`;
}

const restoresFolder = ({ folder }: CheckpointStore): string => path.join(folder, 'restores');

/** Returns the names of complete intents. Deletes old ones that are incomplete. */
function intentFilesIn(folder: string): string[] {
  try {
    const names = fs.readdirSync(folder);
    // Intents that were only partially written when the program was killed: nothing had begun.
    for (const name of names.filter((each) => each.endsWith('.new')))
      if (isOld(path.join(folder, name))) fs.rmSync(path.join(folder, name), { force: true });
    return names.filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function readIntent(file: string): Intent | undefined {
  try {
    return Intent.safeParse(JSON.parse(fs.readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Returns whether a file was not written for a minute, so that no process is still writing it. */
const isOld = (file: string): boolean =>
  (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < Date.now() - 60_000;

const isSameEntry = (a: JournalEntry, b: JournalEntry): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Returns whether a path is in the expected state, apart from the mode of a folder that the restore opened. */
const isAsExpected = (
  file: string,
  expected: FileState,
  folders: RunFolders,
  opened: readonly OpenedFolder[] = [],
): boolean => isSameState(unopened(file, folders.snapshot(file, defaultLimits, expected).state, opened), expected);

/** Returns the state of a path with the mode that it had before the restore opened it. */
function unopened(file: string, state: FileState, opened: readonly OpenedFolder[]): FileState {
  const folder = state?.kind === 'folder' ? opened.find((each) => each.path === file) : undefined;
  return state?.kind === 'folder' && folder ? { ...state, mode: folder.mode } : state;
}

/** Writes all drafts and makes them durable, several at once. */
async function writeDrafts(
  files: readonly FileDelta[],
  drafts: ReadonlyMap<string, string>,
  blobs: BlobStore,
  folders: RunFolders,
): Promise<void> {
  const open: number[] = [];
  try {
    for (const { path: file, before, after } of files) {
      const draft = drafts.get(file);
      if (draft === undefined || after === null) continue;
      if (after.kind === 'link')
        changing(draft, folders, (place) => fs.symlinkSync(after.target, place), { named: file });
      else if (after.kind === 'file') {
        const { hash, mode } = after;
        if (hash === undefined) throw new Error(`Waymark has no copy of ${file}, so it cannot be restored.`);
        const descriptor = changing(draft, folders, (place) => fs.openSync(place, 'wx', 0o600), { named: file });
        open.push(descriptor);
        fs.writeFileSync(descriptor, blobs.get(hash));
        fs.fchmodSync(descriptor, mode);
        if (before?.kind === 'file') keepOwner(file, descriptor, mode, folders);
      }
      if (open.length === maxSyncedAtOnce) await syncAndClose(open);
    }
    await syncAndClose(open);
  } finally {
    for (const descriptor of open) fs.closeSync(descriptor);
  }
}

/** Syncs and closes the descriptors and empties the list, even on errors. */
async function syncAndClose(open: number[]): Promise<void> {
  // Closes none while another is still being synced.
  const results = await Promise.allSettled(open.map((descriptor) => sync(descriptor)));
  for (const descriptor of open.splice(0)) fs.closeSync(descriptor);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

const sync = promisify(fs.fsync);

/** Gives the draft the owner of the file, if that is allowed. */
function keepOwner(file: string, draft: number, mode: number, folders: RunFolders): void {
  const { uid, gid } = folders.withPath(file, (place) => fs.lstatSync(place));
  const own = fs.fstatSync(draft);
  if (own.uid === uid && own.gid === gid) return;
  try {
    fs.fchownSync(draft, uid, gid);
    // Changing the owner may clear bits of the mode.
    fs.fchmodSync(draft, mode);
  } catch {
    // Only root may change the owner, or the mode of a file of another user.
  }
}

/**
 * Applies changes in an order without conflicts: deletions, deepest first; folders; then files. Adds each path to
 * `touched` before it changes. Lets other work run in between.
 */
async function apply(
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

function removeDrafts(drafts: Iterable<string>, folders: RunFolders): void {
  for (const draft of drafts) {
    try {
      folders.withPath(draft, (place) => fs.rmSync(place, { force: true }));
    } catch {
      // Its folder was deleted, and the draft with it.
    }
  }
}

/**
 * Puts every path back into its state before the restore. Returns the paths for which that failed, because another
 * program changed them or because of an error.
 */
async function rollBack(
  { files, drafts: left, opened, folders: folderPaths }: Pick<Intent, 'files' | 'drafts' | 'folders' | 'opened'>,
  blobs: BlobStore,
): Promise<string[]> {
  const folders = new RunFolders(folderPaths);
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
    await apply(deltas, drafts, folders, new Set());
  } catch {
    removeDrafts(drafts.values(), folders);
    notPutBack.push(...deltas.map(({ path: file }) => file));
  }
  closeFolders(withoutRestored(reopened, deltas), folders);
  closeFolders(opened, folders);
  return notPutBack;
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
