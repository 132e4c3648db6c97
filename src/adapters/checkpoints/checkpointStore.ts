import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../storage/durableFile';
import { BlobStore } from './blobStore';
import { usualLimits, type CheckpointLimits } from './coverage';
import { FolderIndex } from './folderIndex';
import { IndexFile } from './indexFile';
import { LivingRuns } from './livingRuns';

/**
 * Copies of files for all runs of one person: the contents, what is known of each folder, and which journals need them.
 */
export class CheckpointStore {
  readonly blobs: BlobStore;
  /** Which runs are at work. */
  readonly living: LivingRuns;
  private readonly indexes = new Map<string, FolderIndex>();
  private readonly ignored = new Set<string>();

  constructor(
    readonly folder: string,
    readonly limits: CheckpointLimits = usualLimits,
  ) {
    this.blobs = new BlobStore(path.join(folder, 'copies'));
    this.living = new LivingRuns(path.join(folder, 'living'));
    this.ignore(folder);
  }

  /** The index of a folder; one for all sessions of this process. */
  index(folder: string): FolderIndex {
    const known = this.indexes.get(folder);
    if (known) return known;
    const file = new IndexFile(path.join(this.indexFolder, `${shortHash(folder)}.jsonl`));
    const index = new FolderIndex(folder, file, this.blobs, this.limits, this.ignored);
    this.indexes.set(folder, index);
    return index;
  }

  /** Paths that begin so are Waymark's own and never looked at. */
  ignore(beginning: string): void {
    this.ignored.add(beginning);
  }

  /** Remembers that the copies which a journal names are needed. */
  register(journal: string): void {
    makeFolder(this.runsFolder);
    const file = path.join(this.runsFolder, shortHash(journal));
    // Not waited for: a run that goes on after a power failure writes it again, and so after a kill that left it empty.
    const isWritten = (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
    if (!isWritten) fs.writeFileSync(file, journal, { mode: 0o600 });
  }

  /** When it was cleaned last, as the time of this file. */
  get cleanedFile(): string {
    return path.join(this.folder, 'cleaned');
  }

  /** Whether there is a store, and nobody cleaned it today. */
  get isToBeCleaned(): boolean {
    // Asked for first: in what is no folder Node 20 fails to look for a file.
    if (!fs.existsSync(this.folder)) return false;
    const lastMs = fs.statSync(this.cleanedFile, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return lastMs <= Date.now() - dayMs;
  }

  get runsFolder(): string {
    return path.join(this.folder, 'runs');
  }

  get indexFolder(): string {
    return path.join(this.folder, 'folders');
  }

  dispose(): void {
    for (const index of this.indexes.values()) index.dispose();
    this.indexes.clear();
    this.blobs.close();
  }
}

const dayMs = 24 * 60 * 60_000;

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);

const open = new Map<string, CheckpointStore>();

/** The store in a folder, one for all sessions of this process. */
export function checkpointStore(folder: string): CheckpointStore {
  const known = open.get(folder);
  if (known) return known;
  const store = new CheckpointStore(folder);
  open.set(folder, store);
  // Its locks are files, which would stay.
  process.once('exit', () => store.dispose());
  return store;
}
