import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../storage/durableFile';
import { BlobStore } from './blobStore';
import { defaultLimits, type CheckpointLimits } from './coverage';
import { FolderIndex } from './folderIndex/folderIndex';
import { IndexFile } from './folderIndex/indexFile';
import { ActiveRuns } from './activeRuns';

/**
 * Copies of files for all runs of one user: the contents, the index of each folder, and the journals that refer to
 * them.
 */
export class CheckpointStore {
  readonly blobs: BlobStore;
  /** The runs that are active. */
  readonly activeRuns: ActiveRuns;
  private readonly indexes = new Map<string, FolderIndex>();
  private readonly ignored = new Set<string>();
  private restores: Promise<unknown> = Promise.resolve();

  constructor(
    readonly folder: string,
    readonly limits: CheckpointLimits = defaultLimits,
  ) {
    this.blobs = new BlobStore(path.join(folder, 'copies'));
    this.activeRuns = new ActiveRuns(path.join(folder, 'living'));
    this.ignore(folder);
  }

  /** Returns the index of a folder, which all sessions of this process share. */
  index(folder: string): FolderIndex {
    const known = this.indexes.get(folder);
    if (known) return known;
    const file = new IndexFile(path.join(this.indexFolder, `${shortHash(folder)}.jsonl`));
    const index = new FolderIndex({ folder, file, store: this.blobs, limits: this.limits, ignored: this.ignored });
    this.indexes.set(folder, index);
    return index;
  }

  /**
   * Runs `work`, which restores files in slices. Until it has ended, no action of this process begins or ends: its scan
   * would find some of the files restored and others not, and attribute them to the action.
   */
  whileRestoring<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const restoring = work();
    this.restores = Promise.allSettled([this.restores, restoring]);
    return restoring;
  }

  /** Resolves when no files are being restored in this process. */
  async restored(): Promise<void> {
    await this.restores;
  }

  /** Excludes paths with this prefix, which belong to Waymark, from all scans. */
  ignore(beginning: string): void {
    this.ignored.add(beginning);
  }

  /** Records that a journal refers to copies, so that they are kept. */
  register(journal: string): void {
    makeFolder(this.runsFolder);
    const file = path.join(this.runsFolder, shortHash(journal));
    // Not synced: a run that continues after a power failure or a kill writes it again if it is empty.
    const isWritten = (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
    if (!isWritten) fs.writeFileSync(file, journal, { mode: 0o600 });
  }

  /** A file whose modification time is the time of the last cleanup. */
  get cleanedFile(): string {
    return path.join(this.folder, 'cleaned');
  }

  /** True if the store exists and was not cleaned within the last day. */
  get isToBeCleaned(): boolean {
    // Checked first: for a path below a file, Node 20 throws despite `throwIfNoEntry: false`.
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

/** Returns the store in a folder, which all sessions of this process share. */
export function checkpointStore(folder: string): CheckpointStore {
  const known = open.get(folder);
  if (known) return known;
  const store = new CheckpointStore(folder);
  open.set(folder, store);
  // Its locks are files, which would otherwise remain.
  process.once('exit', () => store.dispose());
  return store;
}
