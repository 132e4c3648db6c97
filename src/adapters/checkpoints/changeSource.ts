import fs from 'node:fs';
import type { ChangeSource } from '../../core/changes/changesOf';
import type { JournalEntry } from '../../core/changes/journalEntry';
import { isSameState, type FileState, noFile, type Snapshot } from '../../core/changes/snapshot';
import type { BlobStore } from './blobStore';
import { blobHash } from './packGroups';
import { linkState, statByRawName, readCovered, unkeptState, type CheckpointLimits } from './coverage';

/** Maximum size for a review by lines, in bytes. A larger file is reviewed as a whole. */
const maxReviewedBytes = 5 * 1024 * 1024;
/** Number of bytes that are searched for a NUL byte to detect binary files, as in Git. */
const binaryLook = 8000;

/** Provides the files of a run: their former contents from the store, and the current ones from `now`. */
export function changeSource(
  entries: readonly JournalEntry[],
  store: BlobStore,
  now: ChangeSource['now'],
): ChangeSource {
  return { entries, load: (state) => Promise.resolve(storedSnapshot(state, store)), now };
}

function storedSnapshot(state: FileState, store: BlobStore): Snapshot {
  if (state === null) return noFile;
  if (state.kind !== 'file' || state.hash === undefined) return { state };
  try {
    return snapshotOf(state, store.get(state.hash));
  } catch (error) {
    return { state, missing: (error as Error).message };
  }
}

/**
 * Returns the current snapshot of a path. `relative`: the path relative to the folder of the run. `known`: its state at
 * the last scan. Files that are not copied are not read. Throws errors of the disk, except for a missing file.
 */
export function diskSnapshot(
  file: string,
  relative: string,
  limits: Pick<CheckpointLimits, 'maxFileBytes'>,
  known: FileState,
): Snapshot {
  const stat = lstat(file);
  if (!stat) return noFile;
  // A file without a copy, for whatever reason, counts as unchanged while its timestamps are the same.
  const isUnkept = known?.kind === 'file' && known.hash === undefined && isSameState(known, unkeptState(stat));
  if (isUnkept) return { state: known };
  if (stat.isSymbolicLink()) return { state: linkState(file, stat) };
  const mode = stat.mode & 0o7777;
  if (stat.isDirectory()) return { state: { kind: 'folder', mode } };
  if (!stat.isFile()) return { state: unkeptState(stat) };
  const bytes = readCovered(file, relative, stat, limits);
  if (!bytes) return { state: unkeptState(stat) };
  return snapshotOf({ kind: 'file', mode, size: bytes.length, hash: blobHash(bytes) }, bytes);
}

/** Like `fs.lstatSync`, but returns undefined if the path does not exist or a parent of it is a file. */
export function lstat(path: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false }) ?? statByRawName(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function snapshotOf(state: FileState, bytes: Buffer): Snapshot {
  const isText = bytes.length <= maxReviewedBytes && !bytes.subarray(0, binaryLook).includes(0);
  return isText ? { state, text: bytes.toString('latin1') } : { state };
}
