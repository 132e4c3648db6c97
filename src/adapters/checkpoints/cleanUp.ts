import fs from 'node:fs';
import path from 'node:path';
import type { JournalEntry } from '../../core/changes/journalEntry';
import { settings } from '../../core/settings/table';
import type { FileState } from '../../core/changes/snapshot';
import { acquireLock, startOf } from '../storage/fileLock';
import { namesIn } from '../storage/lenientReads';
import type { CheckpointStore } from './checkpointStore';
import { IndexFile } from './folderIndex/indexFile';
import { appendToJournal, readJournal } from './journal';

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

/** A run that has copies in the store. */
interface KeptRun {
  /** File of the store that names the journal. */
  readonly registration: string;
  readonly journal: string;
  /** When its journal was last written, in milliseconds since the epoch. */
  readonly usedAt: number;
  readonly hashes: ReadonlySet<string>;
}

/** A workspace folder with an index of its contents. */
interface KeptFolder {
  readonly file: string;
  readonly usedAt: number;
  readonly hashes: ReadonlySet<string>;
}

/**
 * Cleans the store. Removes first the copies of runs older than the policy allows, then those of the oldest runs while
 * the store is too large, then the indexes of folders not used for a long time. Runs at most once a day unless `force` is
 * set, and in one process at a time.
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
    const oldest = Date.now() - policy.days * dayMs;
    const runs = dropOldRuns(runsOf(store), oldest);
    const folders = dropOldFolders(await foldersOf(store), oldest);
    const needed = dropUntilSmall(store, runs, folders, policy.megabytes * 1024 * 1024);
    await rewriteStore(store, needed);
  } finally {
    // Last: if this process is killed, the next run takes over its lock and cleans again.
    if (fs.existsSync(store.folder)) fs.writeFileSync(store.cleanedFile, '', { mode: 0o600 });
    lock.release();
  }
}

function runsOf({ runsFolder }: CheckpointStore): KeptRun[] {
  return namesIn(runsFolder).flatMap((name) => {
    const registration = path.join(runsFolder, name);
    const journal = fs.readFileSync(registration, 'utf8');
    const usedAt = fs.statSync(journal, { throwIfNoEntry: false })?.mtimeMs;
    if (usedAt === undefined) {
      // Its session was deleted.
      fs.rmSync(registration, { force: true });
      return [];
    }
    return [{ registration, journal, usedAt, hashes: hashesIn(readJournal(journal).entries) }];
  });
}

function hashesIn(entries: readonly JournalEntry[]): Set<string> {
  const hashes = new Set<string>();
  const add = (state: FileState): void => {
    if (state?.kind === 'file' && state.hash !== undefined) hashes.add(state.hash);
  };
  for (const entry of entries)
    if ('files' in entry)
      for (const { before, after } of entry.files) {
        add(before);
        add(after);
      }
  return hashes;
}

async function foldersOf({ indexFolder }: CheckpointStore): Promise<KeptFolder[]> {
  const folders: KeptFolder[] = [];
  for (const name of namesIn(indexFolder).filter((each) => each.endsWith('.jsonl'))) {
    const file = path.join(indexFolder, name);
    const hashes = new Set<string>();
    for await (const line of new IndexFile(file).read()) if (line[1] === 'file' && line[7]) hashes.add(line[7]);
    folders.push({ file, usedAt: fs.statSync(file).mtimeMs, hashes });
  }
  return folders;
}

function dropRun({ registration, journal }: KeptRun, why: 'age' | 'size'): void {
  appendToJournal(journal, { type: 'cleaned', at: Date.now(), why });
  fs.rmSync(registration, { force: true });
}

function dropOldRuns(runs: readonly KeptRun[], oldest: number): KeptRun[] {
  for (const run of runs) if (run.usedAt < oldest) dropRun(run, 'age');
  return runs.filter(({ usedAt }) => usedAt >= oldest);
}

function dropOldFolders(folders: readonly KeptFolder[], oldest: number): KeptFolder[] {
  for (const { file, usedAt } of folders) if (usedAt < oldest) fs.rmSync(file, { force: true });
  return folders.filter(({ usedAt }) => usedAt >= oldest);
}

/**
 * Drops runs, then indexes of folders, each from the least recently used, until what they need takes at most `maxBytes`.
 * Runs go first, because the next run needs the contents of recently used folders. Returns the hashes that are still
 * needed.
 */
function dropUntilSmall(
  store: CheckpointStore,
  runs: readonly KeptRun[],
  folders: readonly KeptFolder[],
  maxBytes: number,
): Set<string> {
  const sizes = storedSizes(store);
  const runsOldestFirst = [...runs].sort((a, b) => a.usedAt - b.usedAt);
  const foldersOldestFirst = [...folders].sort((a, b) => a.usedAt - b.usedAt);
  for (;;) {
    const needed = new Set([...runsOldestFirst, ...foldersOldestFirst].flatMap(({ hashes }) => [...hashes]));
    let bytes = 0;
    for (const hash of needed) bytes += sizes.get(hash) ?? 0;
    if (bytes <= maxBytes) return needed;
    const run = runsOldestFirst.shift();
    if (run) dropRun(run, 'size');
    else {
      const folder = foldersOldestFirst.shift();
      if (!folder) return needed;
      fs.rmSync(folder.file, { force: true });
    }
  }
}

/** The size of each content on disk: its share of the compressed group. */
function storedSizes({ blobs }: CheckpointStore): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const pack of blobs.packs())
    for (const { entries, storedBytes } of blobs.groupsOf(pack)) {
      const whole = entries.reduce((sum, { length }) => sum + length, 0);
      for (const { hash, length } of entries) sizes.set(hash, whole === 0 ? 0 : (storedBytes * length) / whole);
    }
  return sizes;
}

/** Deletes packs without needed contents, and moves the needed contents of others to a new pack. */
async function rewriteStore({ blobs }: CheckpointStore, needed: ReadonlySet<string>): Promise<void> {
  const replaced: string[] = [];
  for (const pack of blobs.packs()) {
    // Its writer is alive and may need contents that are not in a journal yet.
    if (startOf(Number.parseInt(pack, 10)) !== '') continue;
    const entries = blobs.groupsOf(pack).flatMap((group) => group.entries);
    const kept = entries.filter(({ hash }) => needed.has(hash));
    const bytesOf = (some: typeof entries): number => some.reduce((sum, { length }) => sum + length, 0);
    if (bytesOf(kept) >= minNeededShare * bytesOf(entries) && kept.length > 0) continue;
    for (const { hash } of kept) copyToNewPack(blobs, hash);
    replaced.push(pack);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  await blobs.flush();
  for (const pack of replaced) blobs.remove(pack);
}

function copyToNewPack(blobs: CheckpointStore['blobs'], hash: string): void {
  try {
    const bytes = blobs.get(hash);
    blobs.forget(hash);
    blobs.put(bytes);
  } catch {
    // The pack is damaged; whoever reads it gets the error.
  }
}
