import type { Stats } from 'node:fs';
import path from 'node:path';
import { isCopied, type FileDelta, type FileState } from '../../../core/changes/snapshot';
import { Turns } from '../../processes/turns';
import type { BlobStore } from '../blobStore';
import { mayCover, readCovered, type CheckpointLimits } from '../coverage';
import { ChangeWindows, type ChangeWindow } from './changeWindows';
import { ExtraFiles } from './extraFiles';
import { FileCopier } from './fileCopier';
import { FolderScan, NoUsersLeft } from './folderScan';
import { isGone, reachedStat } from './foundEntries';
import type { IndexFile } from './indexFile';
import { IndexTree, stateOfNode, type FileNode, type IndexNode } from './indexTree';
import { IndexUpdates, TooMuchToCover } from './indexUpdates';
import { MovedFiles } from './movedFiles';
import { PackageFolders } from './packageFolders';
import { ScanHistory } from './scanHistory';
import { StoredIndex } from './storedIndex';

interface FolderIndexParts {
  /** Absolute path of the folder that the index covers. */
  readonly folder: string;
  /** Where the index is stored. */
  readonly file: IndexFile;
  /** Where the copies of files are stored. */
  readonly store: BlobStore;
  readonly limits: CheckpointLimits;
  /** Absolute path prefixes that belong to Waymark, such as the log of the run. */
  readonly ignored: ReadonlySet<string>;
}

/**
 * Tracks the state of every file below a folder and keeps a copy of each in the store. A scan compares timestamps with
 * those of the last scan and reads only changed files. It never writes to the folder.
 */
export class FolderIndex {
  readonly folder: string;
  private readonly parts: FolderIndexParts;
  private readonly tree: IndexTree;
  private readonly stored: StoredIndex;
  private readonly history: ScanHistory;
  private readonly windows = new ChangeWindows();
  private readonly moved = new MovedFiles(() => this.copiedFiles());
  private readonly copier: FileCopier;
  private readonly extra: ExtraFiles;
  private readonly packages: PackageFolders;
  private readonly walk: FolderScan;
  private readonly turns = new Turns();
  /** When the last finished scan began, by a monotonic clock. */
  private scannedSince = -Infinity;
  private users = 0;
  private unknownFiles: string[] = [];
  /** Number of the file system of the folder. */
  private device: number | undefined;

  constructor(parts: FolderIndexParts) {
    const { folder, file, store, limits } = parts;
    const { windows, moved } = this;
    const tree = new IndexTree(folder);
    const stored = new StoredIndex(file, tree);
    const history = new ScanHistory(stored);
    const packages = new PackageFolders(folder);
    const copier = new FileCopier(store, limits, (absolute) => tree.relative(absolute));
    const extra = new ExtraFiles({ folder, copier, windows, moved });
    const { maxEntries } = limits;
    const updates = new IndexUpdates({ folder, maxEntries, tree, stored, history, windows, moved, extra, copier });
    const hasUsers = (): boolean => this.users > 0;
    this.folder = folder;
    this.parts = parts;
    this.tree = tree;
    this.stored = stored;
    this.history = history;
    this.copier = copier;
    this.extra = extra;
    this.packages = packages;
    this.walk = new FolderScan({ folder, tree, updates, history, extra, moved, packages, hasUsers });
  }

  /** True if the whole folder was scanned. */
  get isComplete(): boolean {
    return this.history.isComplete;
  }

  /** Returns whether a path is inside this folder. */
  holds(absolute: string): boolean {
    return absolute === this.folder || absolute.startsWith(this.folder.replace(/[\\/]?$/, path.sep));
  }

  /**
   * Returns whether the store has or would accept a copy of the current content of a path. A missing file needs no
   * copy.
   */
  canCopy(absolute: string): boolean {
    const { limits } = this.parts;
    const relative = path.relative(this.folder, absolute);
    const stat = reachedStat(absolute);
    if (!stat?.isFile()) return mayCover(relative, 0, limits);
    try {
      // Only the content shows whether it contains a known secret.
      return readCovered(absolute, relative, stat, limits) !== undefined;
    } catch {
      return false;
    }
  }

  /**
   * Opens a window that records the previous states of changed paths. With `timed`, only changes before the end of the
   * window count.
   */
  open({ timed = false }: { readonly timed?: boolean } = {}): ChangeWindow {
    return this.windows.open({ timed });
  }

  /** Number of open windows. */
  get openWindows(): number {
    return this.windows.size;
  }

  close(window: ChangeWindow): void {
    this.windows.close(window);
  }

  /** Returns the state of a path at the last scan; null if it does not exist. */
  stateOf(absolute: string): FileState {
    if (this.extra.has(absolute)) return this.extra.stateOf(absolute);
    const node = this.tree.at(absolute);
    return node === undefined ? null : stateOfNode(node);
  }

  /** Returns where a new path was before, if it was moved inside the folder. */
  placeBefore(absolute: string): string | undefined {
    return this.moved.placeBefore(absolute);
  }

  /** Returns where something was, if the last scan found that it is gone from this folder and is a path of another one. */
  placeBeforeLeaving({ ino, dev }: Stats): string | undefined {
    return dev === this.device ? this.moved.placeOfGone(ino) : undefined;
  }

  /** Returns whether the last scan found that a folder, or a file with a copy, is gone that is a path of another folder now. */
  hasLost({ ino, dev }: Stats): boolean {
    return dev === this.device && this.moved.hasLost(ino);
  }

  /** Returns whether a changed path came from a place without copies. Deleting it may delete what existed before. */
  originOf({ path: absolute, before }: Pick<FileDelta, 'path' | 'before'>): ReturnType<MovedFiles['origin']> {
    return this.moved.origin(absolute, { replaced: before !== null });
  }

  /** Folders of which the last scan found that they may not be entered any more. */
  get closed(): readonly string[] {
    return this.walk.closedFolders;
  }

  /** Changed files whose earlier contents are unknown, because Git tracks them only since the scan before the last. */
  get unknown(): readonly string[] {
    return this.unknownFiles;
  }

  /**
   * Returns whether the first scan of this process compared the folder with its state at some moment, in ms since 1970.
   * If other runs scanned the folder since then, they found the changes.
   */
  comparedWith(moment: number): boolean {
    return this.stored.isFromBefore(moment);
  }

  /** Adds a user of the index, until `leave` is called. */
  join(): void {
    this.users++;
  }

  /** Removes a user. A first scan without users is aborted. */
  leave(): void {
    this.users--;
  }

  /**
   * Scans the whole folder. Rejects with `TooMuchToCover`. `sinceLastSession`: the only window that gets the changes
   * since the scan of an earlier process, which the first scan finds. Resolves to the number of files that were
   * recorded but not copied, because there was too much to copy at once.
   */
  scan(sinceLastSession?: ChangeWindow): Promise<number> {
    return this.inTurn(async () => {
      try {
        await this.scanAll(sinceLastSession);
      } catch (error) {
        if (!(error instanceof NoUsersLeft)) throw error;
        // Files that it did not reach would count as new.
        this.tree.clear();
        this.stored.discard();
      }
      return this.copier.uncopied;
    });
  }

  /** Does the same, unless a scan that began after a moment (of `performance.now()`) has finished. */
  async scanSince(moment: number): Promise<void> {
    if (!this.isComplete || this.scannedSince < moment) await this.scan();
  }

  private async scanAll(sinceLastSession: ChangeWindow | undefined): Promise<void> {
    const began = performance.now();
    const { limits, store } = this.parts;
    const isFirst = !this.isComplete;
    if (isFirst) {
      await store.load();
      await this.stored.load((hash) => store.has(hash));
    }
    this.copier.beginScan(isFirst ? limits.maxInitialBytes : limits.maxBytes);
    this.windows.beginScan(sinceLastSession, { isFirst });
    this.moved.beginScan(isFirst ? sinceLastSession?.cutOffAt : undefined);
    this.walk.begin();
    this.unknownFiles = [];
    const stat = reachedStat(this.folder);
    this.device = stat?.dev ?? this.device;
    this.history.beginScan();
    const mayTrackOthers = await this.packages.refresh();
    // An empty index has nothing to compare with, so nothing that is found counts as a change.
    const isSilent = !this.history.hasEarlierState;
    if (stat?.isDirectory()) await this.walk.scanFolder(this.folder, this.tree.root, stat, isSilent);
    else if (stat !== undefined || isGone(this.folder)) await this.walk.removeAll();
    for (const absolute of this.extra.paths()) {
      await this.walk.rest();
      this.extra.scan(absolute);
    }
    if (mayTrackOthers) await this.addTracked();
    this.moved.endScan();
    this.history.isComplete = true;
    // Files that were scanned alone before the first scan had reached them would be read twice from now on.
    if (isFirst) this.extra.forgetCovered(this.tree);
    await this.save({ isWhole: isFirst });
    // The first scan takes long, and changes during it are attributed to nobody. So it does not count as the scan
    // before an action.
    if (!isFirst) this.scannedSince = began;
  }

  /** Begins to cover files that Git tracks in left-out folders. */
  private async addTracked(): Promise<void> {
    const { maxEntries } = this.parts.limits;
    for (const absolute of this.packages.tracked) {
      await this.walk.rest();
      if (this.extra.has(absolute) || this.walk.isIgnored(absolute) || this.tree.at(absolute)) continue;
      const stat = reachedStat(absolute);
      if (stat?.isDirectory()) continue;
      if (this.tree.size + this.extra.size >= maxEntries) throw new TooMuchToCover(this.folder, maxEntries);
      const isOfThisAction = stat !== undefined && stat.ctimeMs >= this.history.previousBeganMs;
      if (this.isComplete && isOfThisAction) this.unknownFiles.push(absolute);
      this.extra.scan(absolute);
    }
  }

  /** Scans only the given paths, also in left-out folders. Does not wait for the first scan of the whole folder. */
  async scanPaths(paths: readonly string[]): Promise<void> {
    this.copier.beginPaths();
    const own = paths.filter((absolute) => this.holds(absolute));
    const mayWait = paths.some((absolute) => reachedStat(absolute)?.isDirectory());
    if (this.isComplete || mayWait)
      return this.inTurn(async () => {
        for (const absolute of own) this.walk.scanPath(absolute);
        this.moved.endPaths();
        if (this.isComplete) await this.save({ isWhole: false });
      });
    this.findIgnored();
    for (const absolute of own.filter((each) => !this.walk.isIgnored(each))) {
      for (const folder of this.extra.foldersToMake(absolute)) this.extra.scan(folder);
      this.extra.scan(absolute);
    }
    this.moved.endPaths();
    await this.parts.store.flush();
  }

  /** Lets another process use the index file. */
  dispose(): void {
    this.stored.release();
  }

  /** All files with a copy, by path. */
  private *copiedFiles(): Generator<[string, FileNode]> {
    const hasCopy = (node: IndexNode): node is FileNode => node.kind === 'file' && isCopied({ state: node.state });
    for (const [absolute, node] of this.tree.entries()) if (hasCopy(node)) yield [absolute, node];
    for (const [absolute, node] of this.extra.files()) if (hasCopy(node)) yield [absolute, node];
  }

  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.turns.take(() => {
      this.findIgnored();
      return work();
    });
  }

  /** Asked each time, because more paths may belong to Waymark than before. */
  private findIgnored(): void {
    this.walk.ignore([...this.parts.ignored].filter((beginning) => this.holds(beginning)));
  }

  private async save({ isWhole }: { readonly isWhole: boolean }): Promise<void> {
    await this.parts.store.flush();
    // Both the copies and the index file wait for the disk.
    if (isWhole) await new Promise<void>((resolve) => setImmediate(resolve));
    await this.stored.save({ isWhole });
  }
}
