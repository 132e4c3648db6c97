import fs from 'node:fs';
import path from 'node:path';
import type { JournalEntry } from '../../core/changes/journalEntry';
import { settings } from '../../core/settings/table';
import type { FileDelta } from '../../core/changes/snapshot';
import { runInSlices, Slices, type InPieces } from '../../core/text/slices';
import { acquireLock } from '../storage/fileLock';
import { textIfThere } from '../storage/lenientReads';
import { timeGrainMs } from './blobStore';
import type { CheckpointStore } from './checkpointStore';
import { IndexFile } from './folderIndex/indexFile';
import { appendToJournal, JournalReader } from './journal';
import { intentFilesIn, readIntent, restoresFolder } from './restoring/restoreIntent';

/** How long copies are kept, and how much space they may use. */
interface KeepingPolicy {
  readonly days: number;
  readonly megabytes: number;
}

/** The defaults from the settings table. */
export const defaultPolicy: KeepingPolicy = {
  days: settings['checkpoints.days'].default,
  megabytes: settings['checkpoints.megabytes'].default,
};

const dayMs = 24 * 60 * 60_000;
/** A pack is rewritten if less than this fraction of it is needed. */
const minNeededShare = 0.5;
/** How long a run may take from its registration to the first line of its journal, in ms. */
const openingMs = 60 * 60_000;

/** What needs copies in the store: a run, a workspace folder with an index of its contents, or an unfinished restore. */
interface Owner {
  /** When its journal or its index was last written, in milliseconds since the epoch. */
  readonly usedAt: number;
  readonly hashes: ReadonlySet<string>;
  /** Gives up its copies. Returns false if it keeps them: a process uses it, or its journal cannot be written. */
  drop(why: 'age' | 'size'): boolean;
}

/**
 * Cleans the store. Removes first the copies of runs older than the policy allows, then those of the oldest runs while
 * the store is too large, then the indexes of folders not used for a long time. Runs at most once a day unless `force` is
 * set, and in one process at a time. Keeps what a living process uses. Lets other work run in between. Rejects before it
 * deletes a copy if it cannot find out what is needed.
 */
export async function cleanUp(
  store: CheckpointStore,
  policy: KeepingPolicy,
  { force = false }: { readonly force?: boolean } = {},
): Promise<void> {
  if (!fs.existsSync(store.folder) || (!force && !store.isToBeCleaned)) return;
  const lock = acquireLock(path.join(store.folder, 'cleaning.lock'));
  if (!lock) return;
  try {
    const beganAt = Date.now();
    const oldest = beganAt - policy.days * dayMs;
    const runs = [...(await runInSlices(withoutOld(await runsOf(store), oldest))), ...unfinishedRestores(store)];
    const folders = await runInSlices(withoutOld(await foldersOf(store), oldest));
    const maxBytes = policy.megabytes * 1024 * 1024;
    const needed = await runInSlices(dropUntilSmall(runs, folders, await storedSizes(store), maxBytes));
    await rewriteStore(store, needed, () => hashesSince(store, beganAt));
  } finally {
    // Last: if this process is killed, the next run takes over its lock and cleans again.
    if (fs.existsSync(store.folder)) fs.writeFileSync(store.cleanedFile, '', { mode: 0o600 });
    lock.release();
  }
}

/** Returns the runs, or only those whose journal was written since a moment. */
async function runsOf({ runsFolder, activeRuns }: CheckpointStore, since = -Infinity): Promise<Owner[]> {
  const runs: Owner[] = [];
  const slices = new Slices();
  const active = activeRuns.journals();
  for (const name of storedNames(runsFolder)) {
    await slices.rest();
    const registration = path.join(runsFolder, name);
    const journal = textIfThere(registration);
    if (journal === undefined) continue;
    const usedAt = fs.statSync(journal, { throwIfNoEntry: false })?.mtimeMs;
    if (usedAt === undefined) {
      // Its session was deleted, or is just beginning.
      if (isOlderThan(registration, openingMs)) fs.rmSync(registration, { force: true });
      continue;
    }
    if (usedAt < since) continue;
    const { entries, unread } = await runInSlices(new JournalReader(journal).readInPieces(), slices);
    if (unread) throw new Error(unread);
    const drop = (why: 'age' | 'size'): boolean => {
      const isUsed = active.has(journal) || fs.statSync(journal, { throwIfNoEntry: false })?.mtimeMs !== usedAt;
      if (isUsed || !noteCleaned(journal, why)) return false;
      fs.rmSync(registration, { force: true });
      return true;
    };
    runs.push({ usedAt, hashes: hashesIn(entries), drop });
  }
  return runs;
}

/** Returns false if the journal cannot be written, such as on a read-only disk. */
function noteCleaned(journal: string, why: 'age' | 'size'): boolean {
  try {
    appendToJournal(journal, { type: 'cleaned', at: Date.now(), why });
    return true;
  } catch {
    return false;
  }
}

/** Returns the names in a folder of the store; empty if it does not exist. Throws if it cannot be read. */
function storedNames(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function isOlderThan(file: string, ms: number): boolean {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && stat.mtimeMs < Date.now() - ms;
}

function hashesIn(entries: readonly JournalEntry[]): Set<string> {
  return hashesOf(entries.flatMap((entry) => ('files' in entry ? entry.files : [])));
}

function hashesOf(files: readonly FileDelta[]): Set<string> {
  const hashes = new Set<string>();
  for (const { before, after } of files)
    for (const state of [before, after]) if (state?.kind === 'file' && state.hash !== undefined) hashes.add(state.hash);
  return hashes;
}

/** Returns the folders with an index, or only those whose index was written since a moment. */
async function foldersOf({ indexFolder }: CheckpointStore, since = -Infinity): Promise<Owner[]> {
  const folders: Owner[] = [];
  for (const name of storedNames(indexFolder).filter((each) => each.endsWith('.jsonl'))) {
    const file = path.join(indexFolder, name);
    const usedAt = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (usedAt === undefined || usedAt < since) continue;
    const hashes = new Set<string>();
    const index = new IndexFile(file);
    for await (const line of index.read()) if (line[1] === 'file' && line[7]) hashes.add(line[7]);
    if (index.unread) throw index.unread;
    folders.push({ usedAt, hashes, drop: () => dropIndex(file) });
  }
  return folders;
}

/** A process that uses the index holds its lock, and has its contents in memory. */
function dropIndex(file: string): boolean {
  const lock = acquireLock(`${file}.lock`);
  if (!lock) return false;
  fs.rmSync(file, { force: true });
  lock.release();
  return true;
}

/** Returns the restores that a killed process did not finish: what they need to be rolled back. Throws errors of the disk. */
function unfinishedRestores(store: CheckpointStore): Owner[] {
  const folder = restoresFolder(store);
  return intentFilesIn(folder).flatMap((name) => {
    const stored = readIntent(path.join(folder, name));
    if (stored.status === 'unreadable') throw stored.error;
    // Nothing can be rolled back without its record.
    if (stored.status !== 'read') return [];
    return { usedAt: Infinity, hashes: hashesOf(stored.intent.files), drop: () => false };
  });
}

/** Returns what runs, folders and restores need that were used since the cleanup began. */
async function hashesSince(store: CheckpointStore, beganAt: number): Promise<Set<string>> {
  const since = beganAt - timeGrainMs;
  const owners = [...(await runsOf(store, since)), ...(await foldersOf(store, since)), ...unfinishedRestores(store)];
  return new Set(owners.flatMap(({ hashes }) => [...hashes]));
}

function* withoutOld(owners: readonly Owner[], oldest: number): InPieces<Owner[]> {
  const kept: Owner[] = [];
  for (const owner of owners) {
    if (owner.usedAt >= oldest || !owner.drop('age')) kept.push(owner);
    yield;
  }
  return kept;
}

/**
 * Drops runs, then indexes of folders, each from the least recently used, until what they need takes at most `maxBytes`.
 * Runs go first, because the next run needs the contents of recently used folders. `sizes`: of all contents, by hash.
 * Returns the hashes that are still needed.
 */
function* dropUntilSmall(
  runs: readonly Owner[],
  folders: readonly Owner[],
  sizes: ReadonlyMap<string, number>,
  maxBytes: number,
): InPieces<ReadonlySet<string>> {
  const leastRecentFirst = (owners: readonly Owner[]) => owners.toSorted((a, b) => a.usedAt - b.usedAt);
  /** By hash, how many need it. */
  const uses = new Map<string, number>();
  let bytes = 0;
  for (const { hashes } of [...runs, ...folders]) {
    for (const hash of hashes) {
      const count = uses.get(hash) ?? 0;
      if (count === 0) bytes += sizes.get(hash) ?? 0;
      uses.set(hash, count + 1);
    }
    yield;
  }
  for (const owner of [...leastRecentFirst(runs), ...leastRecentFirst(folders)]) {
    if (bytes <= maxBytes) break;
    if (!owner.drop('size')) continue;
    for (const hash of owner.hashes) {
      const count = uses.get(hash)! - 1;
      if (count > 0) {
        uses.set(hash, count);
        continue;
      }
      uses.delete(hash);
      bytes -= sizes.get(hash) ?? 0;
    }
    yield;
  }
  return new Set(uses.keys());
}

/** Returns the size of each content on disk: its share of the compressed group. */
async function storedSizes({ blobs }: CheckpointStore): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  const slices = new Slices();
  for (const pack of blobs.packs()) {
    await slices.rest();
    for (const { offset, end, entries } of blobs.groupsOf(pack) ?? []) {
      const whole = entries.reduce((sum, { length }) => sum + length, 0);
      for (const { hash, length } of entries) sizes.set(hash, whole === 0 ? 0 : ((end - offset) * length) / whole);
    }
  }
  return sizes;
}

/**
 * Deletes packs without needed contents, and moves the needed contents of others to a new pack. `neededLate`: returns
 * the contents that runs have come to need in the meantime, because what they would have copied was in the store.
 */
async function rewriteStore(
  { blobs }: CheckpointStore,
  needed: ReadonlySet<string>,
  neededLate: () => Promise<ReadonlySet<string>>,
): Promise<void> {
  const replaced = new Map<string, readonly string[]>();
  const slices = new Slices();
  for (const pack of blobs.packs()) {
    await slices.rest();
    if (blobs.isInUse(pack)) continue;
    const groups = blobs.groupsOf(pack);
    if (!groups) continue;
    const entries = groups.flatMap((group) => group.entries);
    const kept = entries.filter(({ hash }) => needed.has(hash));
    const bytesOf = (some: typeof entries): number => some.reduce((sum, { length }) => sum + length, 0);
    if (bytesOf(kept) >= minNeededShare * bytesOf(entries) && kept.length > 0) continue;
    let isCopied = true;
    for (const { hash } of kept) {
      await slices.rest();
      isCopied = copyToNewPack(blobs, hash) && isCopied;
    }
    if (!isCopied) continue;
    replaced.set(
      pack,
      entries.map(({ hash }) => hash),
    );
  }
  await blobs.flush();
  const late = await neededLate();
  const isFree = (hashes: readonly string[]): boolean => !hashes.some((hash) => late.has(hash) && !needed.has(hash));
  await blobs.remove(new Set([...replaced].flatMap(([pack, hashes]) => (isFree(hashes) ? [pack] : []))));
}

/** Returns false if the pack is damaged or cannot be read now. */
function copyToNewPack(blobs: CheckpointStore['blobs'], hash: string): boolean {
  try {
    const bytes = blobs.get(hash);
    blobs.forget(hash);
    blobs.put(bytes);
    return true;
  } catch {
    return false;
  }
}
