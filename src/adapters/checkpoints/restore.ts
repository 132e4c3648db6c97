import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { FileDelta, isSameState, type FileState } from '../../core/changes/fileState';
import { JournalEntry } from '../../core/changes/journalEntry';
import type { FileRestore } from '../../core/changes/undoPlan';
import { draftName } from '../files/drafts';
import { makeFolder, syncFolder, writeDurably } from '../storage/durableFile';
import { isAlive, thisProcess } from '../storage/fileLock';
import type { BlobStore } from './blobStore';
import { diskSnapshot, lstat } from './changeSource';
import type { CheckpointStore } from './checkpointStore';
import { appendToJournal, readJournal } from './journal';

/**
 * Puts files back, all of them or none. What is to be done is on disk before it begins, so that a restore whose program
 * was killed is taken back by whoever looks next.
 */

/** Something stands in the way; nothing was changed. The message is for people. */
export class RestoreConflict extends Error {
  constructor(
    message: string,
    readonly path: string,
  ) {
    super(message);
    this.name = 'RestoreConflict';
  }
}

const Intent = z.object({
  owner: z.object({ pid: z.number(), start: z.string(), place: z.string().optional() }),
  journal: z.string(),
  /** The entry that says it is done. */
  entry: JournalEntry,
  files: z.array(FileDelta),
  /** Files that are there only meanwhile. */
  drafts: z.array(z.string()),
});
type Intent = z.infer<typeof Intent>;

/** Text that was put together has no copy yet: this makes one. */
export function deltasToRestore(restores: readonly FileRestore[], blobs: BlobStore): FileDelta[] {
  return restores.map(({ path: file, before, after }) => {
    // What is there now has to be kept too, so that the restore can be undone.
    if (before.state?.kind === 'file' && !blobs.has(before.state.hash ?? '')) blobs.put(fs.readFileSync(file));
    return { path: file, before: before.state, after: keptState(after, blobs) };
  });
}

/** The state of a snapshot with a copy of its text in the store. */
export function keptState({ state, text }: FileRestore['after'], blobs: BlobStore): FileState {
  if (state?.kind !== 'file' || text === undefined) return state;
  return { ...state, size: text.length, hash: blobs.put(Buffer.from(text, 'latin1')) };
}

/**
 * Makes each path what its delta says, and then adds `entry` to the journal. Throws `RestoreConflict` where a path is
 * not what the delta says it is now, `DamagedCopy`, or what the disk says; everything is as before then.
 */
export async function restore(
  files: readonly FileDelta[],
  {
    store,
    journal,
    entry,
  }: { readonly store: CheckpointStore; readonly journal: string; readonly entry: JournalEntry },
): Promise<void> {
  const { blobs } = store;
  for (const { path: file, before, after } of files) {
    if (!isAsExpected(file, before))
      throw new RestoreConflict(`${file} was changed at this moment by another program. Nothing was restored.`, file);
    for (const state of [before, after]) if (state?.kind === 'file' && state.hash !== undefined) blobs.get(state.hash);
  }
  await blobs.flush();
  const drafts = new Map<string, string>();
  for (const { path: file, after } of files)
    if (after !== null && after.kind !== 'folder') drafts.set(file, path.join(nearestFolder(file), draftName()));
  const intentFile = path.join(restoresFolder(store), `${crypto.randomUUID()}.json`);
  const intent: Intent = { owner: thisProcess(), journal, entry, files: [...files], drafts: [...drafts.values()] };
  makeFolder(restoresFolder(store));
  writeDurably(intentFile, [JSON.stringify(intent)]);
  try {
    writeDrafts(files, drafts, blobs);
    apply(files, drafts);
    appendToJournal(journal, entry);
  } catch (error) {
    takeBack(intent, blobs);
    fs.rmSync(intentFile, { force: true });
    throw error;
  }
  fs.rmSync(intentFile, { force: true });
}

/** Takes back restores whose programs were killed. Returns what a person should know, in words. */
export function recoverRestores(store: CheckpointStore): string[] {
  const folder = restoresFolder(store);
  const told: string[] = [];
  for (const name of namesIn(folder)) {
    const file = path.join(folder, name);
    const intent = readIntent(file);
    if (intent && isAlive(intent.owner) !== false) continue;
    if (!intent) {
      // Killed while it wrote its intent: nothing had begun.
      if (isOld(file)) fs.rmSync(file, { force: true });
      continue;
    }
    const isDone = readJournal(intent.journal).entries.some((entry) => isSameEntry(entry, intent.entry));
    const left = isDone ? [] : takeBack(intent, store.blobs);
    for (const draft of intent.drafts) fs.rmSync(draft, { force: true });
    fs.rmSync(file, { force: true });
    if (!isDone)
      told.push(
        left.length === 0
          ? 'A restore was cut off when its program ended. Its files are as they were before it.'
          : `A restore was cut off when its program ended. These files could not be put back: ${left.join(', ')}.`,
      );
  }
  return told;
}

const restoresFolder = ({ folder }: CheckpointStore): string => path.join(folder, 'restores');

function namesIn(folder: string): string[] {
  try {
    const names = fs.readdirSync(folder);
    // What was being written when its program was killed: nothing had begun.
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

const isOld = (file: string): boolean =>
  (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < Date.now() - 60_000;

const isSameEntry = (a: JournalEntry, b: JournalEntry): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Whether a path is what it is expected to be. A file that was never copied is told by its size alone. */
function isAsExpected(file: string, expected: FileState): boolean {
  const { state } = diskSnapshot(file);
  if (expected?.kind === 'file' && expected.hash === undefined)
    return state?.kind === 'file' && state.size === expected.size;
  return isSameState(state, expected);
}

/** The nearest folder above a path that is there. */
function nearestFolder(file: string): string {
  let folder = path.dirname(file);
  while (!lstat(folder)?.isDirectory()) folder = path.dirname(folder);
  return folder;
}

function writeDrafts(files: readonly FileDelta[], drafts: ReadonlyMap<string, string>, blobs: BlobStore): void {
  for (const { path: file, before, after } of files) {
    const draft = drafts.get(file);
    if (draft === undefined || after === null) continue;
    if (after.kind === 'link') fs.symlinkSync(after.target, draft);
    else if (after.kind === 'file') {
      if (after.hash === undefined) throw new Error(`No copy of ${file} was kept, so it cannot be restored.`);
      const descriptor = fs.openSync(draft, 'wx', 0o600);
      try {
        fs.writeFileSync(descriptor, blobs.get(after.hash));
        fs.fchmodSync(descriptor, after.mode);
        fs.fsyncSync(descriptor);
      } finally {
        fs.closeSync(descriptor);
      }
      if (before?.kind === 'file') keepOwner(file, draft, after.mode);
    }
  }
}

/** The draft belongs to who owns the file, where that is allowed. */
function keepOwner(file: string, draft: string, mode: number): void {
  const { uid, gid } = fs.lstatSync(file);
  const own = fs.lstatSync(draft);
  if (own.uid === uid && own.gid === gid) return;
  try {
    fs.chownSync(draft, uid, gid);
    fs.chmodSync(draft, mode);
  } catch {
    // Only an administrator may give files away.
  }
}

/** In an order in which nothing is in the way: what goes, deepest first; folders; then files. */
function apply(files: readonly FileDelta[], drafts: ReadonlyMap<string, string>): void {
  const kindChanges = (delta: FileDelta): boolean => delta.after === null || delta.after.kind !== delta.before?.kind;
  const going = files.filter((delta) => delta.before !== null && kindChanges(delta));
  const deepestFirst = [...going].sort((a, b) => depth(b.path) - depth(a.path));
  for (const { path: file, before } of deepestFirst) if (before?.kind !== 'folder') removeFile(file, before);
  for (const { path: folder, before, after } of deepestFirst)
    if (before?.kind === 'folder') removeFolder(folder, after === null);
  const folders = files.filter(({ after }) => after?.kind === 'folder').sort((a, b) => depth(a.path) - depth(b.path));
  for (const { path: folder } of folders) fs.mkdirSync(folder, { recursive: true });
  for (const { path: file, before, after } of files) {
    const draft = drafts.get(file);
    if (draft === undefined) continue;
    const isInPlace = before !== null && before.kind === after?.kind;
    if (!isAsExpected(file, isInPlace ? before : null))
      throw new RestoreConflict(`${file} was changed while it was restored. Nothing was restored.`, file);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.renameSync(draft, file);
  }
  for (const { path: folder, after } of folders.reverse())
    if (after?.kind === 'folder') fs.chmodSync(folder, after.mode);
  for (const folder of new Set(files.map(({ path: file }) => path.dirname(file))))
    if (fs.existsSync(folder)) syncFolder(folder);
}

const depth = (place: string): number => place.split(path.sep).length;

function removeFile(file: string, before: FileState): void {
  if (!isAsExpected(file, before))
    throw new RestoreConflict(`${file} was changed while it was restored. Nothing was restored.`, file);
  fs.unlinkSync(file);
}

/** A folder that the agent made stays where somebody put something else into it. */
function removeFolder(folder: string, mayStay: boolean): void {
  try {
    fs.rmdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || (mayStay && (code === 'ENOTEMPTY' || code === 'EEXIST'))) return;
    throw error;
  }
}

/**
 * Makes every path what it was before the restore; returns those that are neither that nor what the restore made of
 * them.
 */
function takeBack({ files, drafts }: Intent, blobs: BlobStore): string[] {
  for (const draft of drafts) fs.rmSync(draft, { force: true });
  const left: string[] = [];
  const back: FileDelta[] = [];
  for (const { path: file, before, after } of files) {
    const { state } = diskSnapshot(file);
    if (isSameState(state, before)) continue;
    // Between two moments of a restore a path may be nothing.
    const isOurs = state === null || isSameState(state, after) || (state.kind === 'folder' && after?.kind === 'folder');
    if (isOurs) back.push({ path: file, before: state, after: before });
    else left.push(file);
  }
  const own = new Map<string, string>();
  for (const { path: file, after } of back)
    if (after !== null && after.kind !== 'folder') own.set(file, path.join(nearestFolder(file), draftName()));
  try {
    writeDrafts(back, own, blobs);
    apply(back, own);
  } catch {
    for (const draft of own.values()) fs.rmSync(draft, { force: true });
    return [...left, ...back.map(({ path: file }) => file)];
  }
  return left;
}
