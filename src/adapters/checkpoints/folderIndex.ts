import fs from 'node:fs';
import path from 'node:path';
import { isCopied, isSameState, type FileDelta, type FileState } from '../../core/changes/snapshot';
import { makeFolder } from '../storage/durableFile';
import { acquireLock, type Lock } from '../storage/fileLock';
import { Turns } from '../processes/turns';
import type { BlobStore } from './blobStore';
import {
  cacheTag,
  isBelowLeftOut,
  isLeftOut,
  isSpecialFile,
  isTaggedCache,
  mayCover,
  readCovered,
  linkState,
  unkeptState,
  type CheckpointLimits,
} from './coverage';
import { isClosed, isFreshTime, isSandboxPlaceholder, reachedStat } from './foundEntries';
import type { IndexFile, IndexLine } from './indexFile';
import {
  hasSameStat,
  IndexTree,
  neverScanned,
  newFolder,
  stateOfNode,
  type FileNode,
  type FolderNode,
  type IndexNode,
} from './indexTree';
import { MovedFiles, slowestTickMs } from './moves/movedFiles';
import { PackageFolders } from './packageFolders';
import { withCommas } from '../../core/text/withCommas';

/** Time that a scan runs before it yields to other work, in ms. */
const sliceMs = 10;
/** Number of entries to process between two checks of the clock. */
const entriesPerSlice = 32;

/** A folder that a tool created before the first scan was complete. */
interface MadeFolder {
  readonly kind: 'made_folder';
  readonly state: FileState;
}

/** The changes since some moment. */
export interface ChangeWindow {
  /** The state of each changed path at that moment. */
  readonly before: Map<string, FileState>;
  /**
   * Start of a time range, in ms since 1970. If set, only changes within the range count, even if they are found later.
   */
  readonly from?: number;
  /** End of the range; absent while it is open. */
  until?: number;
  /** When the action began that was interrupted, in ms since 1970. */
  readonly cutOffAt?: number | undefined;
}

/** A name in a folder of the index. */
interface Entry {
  readonly absolute: string;
  readonly name: string;
  readonly parent: FolderNode;
}

const entryIn = (folder: string, parent: FolderNode, name: string): Entry => ({
  absolute: `${folder}${path.sep}${name}`,
  name,
  parent,
});

/** A folder with more entries than can be covered. The message is for people. */
class TooMuchToCover extends Error {
  constructor(folder: string, most: number) {
    super(
      `${folder} contains more than ${withCommas(most)} files, so changes by commands there cannot be undone. Edits by tools can.`,
    );
    this.name = 'TooMuchToCover';
  }
}

/** The index has no users. */
class NoUsersLeft extends Error {}

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
  private readonly file: IndexFile;
  private readonly store: BlobStore;
  private readonly limits: CheckpointLimits;
  private readonly ignored: ReadonlySet<string>;
  private readonly tree: IndexTree;
  private readonly moved = new MovedFiles(() => this.copiedFiles());
  private readonly packages: PackageFolders;
  /**
   * Files in left-out folders that tools wrote or Git tracks, and files that tools wrote before the first scan was
   * complete.
   */
  private readonly extra = new Map<string, FileNode | MadeFolder | undefined>();
  private readonly windows = new Set<ChangeWindow>();
  private readonly turns = new Turns();
  private isScanned = false;
  /** When the last finished scan began, by a monotonic clock. */
  private scannedSince = -Infinity;
  /** When the last scan and the one before it began, in ms since 1970. */
  private scanBeganMs = -Infinity;
  private earlierBeganMs = -Infinity;
  private wasKnown = false;
  /** When the stored index was last written, in ms since 1970. */
  private storedMs = -Infinity;
  private lock: Lock | undefined;
  private readonly pending: IndexLine[] = [];
  private sliceEnds = 0;
  private sinceClock = 0;
  private users = 0;
  private sinceLastSession: ChangeWindow | undefined;
  /** Number of bytes that this scan may still copy, and the number of files that exceeded the limit. */
  private bytesLeft = 0;
  private uncopied = 0;
  private closedFolders: string[] = [];
  private unknownFiles: string[] = [];
  /** The entries of `ignored` that are inside this folder. */
  private ignoredHere: readonly string[] = [];

  constructor({ folder, file, store, limits, ignored }: FolderIndexParts) {
    this.folder = folder;
    this.tree = new IndexTree(folder);
    this.packages = new PackageFolders(folder);
    this.file = file;
    this.store = store;
    this.limits = limits;
    this.ignored = ignored;
  }

  /** True if the whole folder was scanned. */
  get isComplete(): boolean {
    return this.isScanned;
  }

  /** True if a scan has something to compare with: an earlier scan, or that of an earlier session. */
  private get hasEarlierState(): boolean {
    return this.isScanned || this.wasKnown;
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
    const relative = path.relative(this.folder, absolute);
    const stat = reachedStat(absolute);
    if (!stat?.isFile()) return mayCover(relative, 0, this.limits);
    try {
      // Only the content shows whether it contains a known secret.
      return readCovered(absolute, relative, stat, this.limits) !== undefined;
    } catch {
      return false;
    }
  }

  /**
   * Opens a window that records the previous states of changed paths. With `timed`, only changes before the end of the
   * window count.
   */
  open({ timed = false }: { readonly timed?: boolean } = {}): ChangeWindow {
    const window: ChangeWindow = { before: new Map(), ...(timed && { from: Date.now() - slowestTickMs }) };
    this.windows.add(window);
    return window;
  }

  close(window: ChangeWindow): void {
    this.windows.delete(window);
  }

  /** Returns the state of a path at the last scan; null if it does not exist. */
  stateOf(absolute: string): FileState {
    if (this.extra.has(absolute)) return this.extra.get(absolute)?.state ?? null;
    const node = this.tree.at(absolute);
    return node === undefined ? null : stateOfNode(node);
  }

  /** Returns where a new path was before, if it was moved inside the folder. */
  placeBefore(absolute: string): string | undefined {
    return this.moved.placeBefore(absolute);
  }

  /** Returns whether a changed path came from a place without copies. Deleting it may delete what existed before. */
  originOf({ path: absolute, before }: Pick<FileDelta, 'path' | 'before'>): ReturnType<MovedFiles['origin']> {
    return this.moved.origin(absolute, { replaced: before !== null });
  }

  /** Folders of which the last scan found that they may not be entered any more. */
  get closed(): readonly string[] {
    return this.closedFolders;
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
    return this.wasKnown && this.storedMs <= moment;
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
        this.forgetAll();
      }
      return this.uncopied;
    });
  }

  /** Does the same, unless a scan that began after a moment (of `performance.now()`) has finished. */
  async scanSince(moment: number): Promise<void> {
    if (!this.isScanned || this.scannedSince < moment) await this.scan();
  }

  /** All files with a copy, by path. */
  private *copiedFiles(): Generator<[string, FileNode]> {
    const hasCopy = (node: IndexNode | MadeFolder | undefined): node is FileNode =>
      node?.kind === 'file' && isCopied({ state: node.state });
    for (const [absolute, node] of this.tree.entries()) if (hasCopy(node)) yield [absolute, node];
    for (const [absolute, node] of this.extra) if (hasCopy(node)) yield [absolute, node];
  }

  private async scanAll(sinceLastSession: ChangeWindow | undefined): Promise<void> {
    const began = performance.now();
    if (!this.isScanned) await this.begin();
    this.bytesLeft = this.isScanned ? this.limits.maxBytes : this.limits.maxInitialBytes;
    this.uncopied = 0;
    this.closedFolders = [];
    this.unknownFiles = [];
    this.sinceLastSession = sinceLastSession;
    this.moved.beginScan(this.isScanned ? undefined : sinceLastSession?.cutOffAt);
    if (sinceLastSession && this.isScanned) this.windows.add(sinceLastSession);
    this.sliceEnds = performance.now() + sliceMs;
    const stat = reachedStat(this.folder);
    this.earlierBeganMs = this.scanBeganMs;
    this.scanBeganMs = Date.now();
    const mayTrackOthers = await this.packages.refresh();
    // An empty index has nothing to compare with, so nothing that is found counts as a change.
    const isSilent = !this.hasEarlierState;
    if (stat?.isDirectory()) await this.scanFolder(this.folder, this.tree.root, stat, isSilent);
    for (const absolute of this.extra.keys()) {
      if (this.mustRest()) await this.rest();
      this.scanExtra(absolute);
    }
    if (mayTrackOthers) await this.addTracked();
    this.moved.endScan();
    const isFirst = !this.isScanned;
    this.isScanned = true;
    if (isFirst) this.forgetExtraInTree();
    await this.save({ isWhole: isFirst });
    // The first scan takes long, and changes during it are attributed to nobody. So it does not count as the scan
    // before an action.
    if (!isFirst) this.scannedSince = began;
  }

  /** Files that were scanned alone before the first scan had reached them would be read twice from now on. */
  private forgetExtraInTree(): void {
    for (const [absolute, extra] of this.extra) {
      const node = this.tree.at(absolute);
      const isSame = node?.kind !== 'folder' && node?.state && isSameState(node.state, extra?.state ?? null);
      if (isSame) this.extra.delete(absolute);
    }
  }

  /** Begins to cover files that Git tracks in left-out folders. */
  private async addTracked(): Promise<void> {
    for (const absolute of this.packages.tracked) {
      if (this.mustRest()) await this.rest();
      if (this.extra.has(absolute) || this.isIgnored(absolute) || this.tree.at(absolute)) continue;
      const stat = reachedStat(absolute);
      if (stat?.isDirectory()) continue;
      if (this.tree.size + this.extra.size >= this.limits.maxEntries)
        throw new TooMuchToCover(this.folder, this.limits.maxEntries);
      if (this.isScanned && stat && stat.ctimeMs >= this.earlierBeganMs) this.unknownFiles.push(absolute);
      this.scanExtra(absolute);
    }
  }

  /** Drops a partial first scan: files that it did not reach would count as new. */
  private forgetAll(): void {
    this.tree.clear();
    this.pending.length = 0;
    this.dispose();
  }

  /** Scans only the given paths, also in left-out folders. Does not wait for the first scan of the whole folder. */
  async scanPaths(paths: readonly string[]): Promise<void> {
    this.bytesLeft = Math.max(this.bytesLeft, this.limits.maxBytes);
    const mayWait = paths.some((absolute) => reachedStat(absolute)?.isDirectory());
    if (this.isScanned || mayWait)
      return this.inTurn(async () => {
        for (const absolute of paths) this.scanPath(absolute);
        this.moved.endPaths();
        if (this.isScanned) await this.save({ isWhole: false });
      });
    this.ignoredHere = this.findIgnored();
    const covered = paths.filter((absolute) => this.holds(absolute) && !this.isIgnored(absolute));
    for (const absolute of covered) {
      for (const folder of this.foldersToMake(absolute)) this.scanExtra(folder);
      this.scanExtra(absolute);
    }
    this.moved.endPaths();
    await this.store.flush();
  }

  /** Returns the parent folders of a path that do not exist, or did not exist when first checked. */
  private foldersToMake(absolute: string): string[] {
    const folders: string[] = [];
    for (let at = path.dirname(absolute); at.length > this.folder.length; at = path.dirname(at)) {
      if (!this.extra.has(at) && reachedStat(at)) break;
      folders.push(at);
    }
    return folders;
  }

  /** Lets another process use the index file. */
  dispose(): void {
    this.lock?.release();
    this.lock = undefined;
  }

  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.turns.take(() => {
      this.ignoredHere = this.findIgnored();
      return work();
    });
  }

  private findIgnored(): string[] {
    return [...this.ignored].filter((beginning) => this.holds(beginning));
  }

  /** Called for each entry; does not check the clock every time. */
  private mustRest(): boolean {
    if (++this.sinceClock < entriesPerSlice) return false;
    this.sinceClock = 0;
    return performance.now() >= this.sliceEnds;
  }

  private async rest(): Promise<void> {
    if (performance.now() < this.sliceEnds) return;
    if (!this.isScanned && this.users === 0) throw new NoUsersLeft();
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.sliceEnds = performance.now() + sliceMs;
  }

  /** Loads the index of earlier sessions. */
  private async begin(): Promise<void> {
    makeFolder(path.dirname(this.file.path));
    this.lock = acquireLock(`${this.file.path}.lock`);
    // Rounded down, as the moments to compare it with: file systems have fractions of a millisecond.
    this.storedMs = Math.floor(fs.statSync(this.file.path, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity);
    const hasCopy = (hash: string): boolean => this.store.has(hash);
    for await (const line of this.file.read()) this.tree.restore(line, hasCopy);
    this.wasKnown = this.tree.size > 0;
  }

  private async scanFolder(absolute: string, node: FolderNode, stat: fs.Stats, isSilent: boolean): Promise<void> {
    const isUnchanged = !node.isFresh && node.mtimeMs === stat.mtimeMs && node.ctimeMs === stat.ctimeMs;
    // Another folder may have taken its place.
    if (node.ino !== 0 && node.ino !== stat.ino) this.moved.noteGone(node);
    node.ino = stat.ino;
    if (isClosed(absolute, stat)) {
      // What it contains is unknown, but not deleted.
      const isNews = node.mtimeMs === neverScanned || node.mode !== (stat.mode & 0o7777);
      if (isNews && !isSilent) this.closedFolders.push(absolute);
      return this.noteFolder(absolute, node, stat);
    }
    if (isUnchanged) return this.scanKnown(absolute, node, isSilent);
    const names = this.list(absolute, node);
    if (!names) {
      const isNews = node.mtimeMs !== stat.mtimeMs || node.ctimeMs !== stat.ctimeMs;
      if (isNews && !isSilent) this.closedFolders.push(absolute);
      this.noteFolder(absolute, node, stat);
      // It is read again by the next scan, also by that of a later session.
      node.isFresh = true;
      this.remember(absolute, node);
      return;
    }
    const isNew = node.mtimeMs === neverScanned;
    this.noteFolder(absolute, node, stat);
    const present = new Set<string>();
    const folders: [string, FolderNode, fs.Stats, boolean][] = [];
    for (const name of names) {
      // New entries are read, which takes longer than a check.
      if (performance.now() >= this.sliceEnds) await this.rest();
      const place = `${absolute}${path.sep}${name}`;
      const found = reachedStat(place);
      if (!found || !this.isCovered(entryIn(absolute, node, name), found)) continue;
      if (!node.children.has(name) && isSandboxPlaceholder(place, name, found)) continue;
      present.add(name);
      const isSilentHere = isSilent || (!isNew && !node.children.has(name) && this.wasLeftOut(name, found));
      const child = this.scanEntry({ absolute: place, name, parent: node }, found, { isSilent: isSilentHere });
      if (child?.kind === 'folder') folders.push([place, child, found, isSilentHere]);
    }
    for (const [name, child] of node.children)
      if (!present.has(name)) this.forget(entryIn(absolute, node, name), child, isSilent ? undefined : stat.ctimeMs);
    for (const [place, child, found, isSilentHere] of folders) await this.scanFolder(place, child, found, isSilentHere);
  }

  /** Returns whether a folder that is covered now was in its folder at the last scan, which left it out. */
  private wasLeftOut(name: string, { ctimeMs, birthtimeMs }: fs.Stats): boolean {
    if (!isLeftOut(name, true)) return false;
    return !this.isScanned || Math.max(ctimeMs, birthtimeMs) < this.earlierBeganMs - slowestTickMs;
  }

  /** Checks the timestamps of each entry of a folder to which nothing was added and from which nothing was removed. */
  private async scanKnown(absolute: string, node: FolderNode, isSilent: boolean): Promise<void> {
    const beginning = `${absolute}${path.sep}`;
    const folders: [string, FolderNode, fs.Stats][] = [];
    for (const [name, child] of node.children) {
      if (this.mustRest()) await this.rest();
      const place = beginning + name;
      const found = reachedStat(place);
      const mayBeIgnored = this.ignoredHere.length > 0;
      if (found && child.kind !== 'folder' && !child.isFresh && !mayBeIgnored && hasSameStat(child, found)) continue;
      const entry = { absolute: place, name, parent: node };
      if (!found || !this.isCovered(entry, found)) {
        if (!node.children.has(name)) continue;
        const changedMs = found?.ctimeMs ?? Date.now();
        this.forget(entry, child, isSilent ? undefined : changedMs);
        continue;
      }
      const now = this.scanEntry(entry, found, { isSilent });
      if (now?.kind === 'folder') folders.push([place, now, found]);
    }
    for (const [place, child, found] of folders) await this.scanFolder(place, child, found, isSilent);
  }

  /** Returns no names if the folder is a cache or is gone; undefined if it cannot be read, such as for lack of rights. */
  private list(absolute: string, node: FolderNode): string[] | undefined {
    if (node.isCache) return [];
    try {
      const names = fs.readdirSync(absolute);
      // A cache tag that was added later does not hide a folder that was scanned before.
      const isNew = node.children.size === 0 && (node.mtimeMs === neverScanned || !this.isScanned);
      if (!isNew || absolute === this.folder || !names.includes(cacheTag)) return names;
      node.isCache = isTaggedCache(path.join(absolute, cacheTag));
      return node.isCache ? [] : names;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code === 'ENOENT' || code === 'ENOTDIR' ? [] : undefined;
    }
  }

  private isCovered(entry: Entry, stat: fs.Stats): boolean {
    const { absolute, name, parent } = entry;
    if (this.isIgnored(absolute)) return false;
    if (!isLeftOut(name, stat.isDirectory())) return true;
    const known = parent.children.get(name);
    if (stat.isDirectory() && this.packages.isCovered(absolute, stat, known)) return true;
    if (known?.kind === 'folder' && stat.isDirectory()) this.leaveOut(entry, known);
    return false;
  }

  /**
   * Leaves out a folder that a program began to fill. What it put there so far is nobody's change. Earlier files are
   * still covered.
   */
  private leaveOut({ absolute, name, parent }: Entry, node: IndexNode): void {
    if (node.kind === 'folder')
      for (const [below, child] of node.children) this.leaveOut(entryIn(absolute, node, below), child);
    parent.children.delete(name);
    this.tree.size--;
    this.pending.push([this.tree.relative(absolute)]);
    const isNew = [...this.windows].filter(({ before }) => before.get(absolute) === null);
    for (const { before } of isNew) before.delete(absolute);
    if (isNew.length === 0 && node.kind !== 'folder' && !this.extra.has(absolute)) this.extra.set(absolute, node);
  }

  private isIgnored(absolute: string): boolean {
    return this.ignoredHere.some((beginning) => absolute.startsWith(beginning));
  }

  /** Updates the index for one entry. */
  private scanEntry(entry: Entry, stat: fs.Stats, { isSilent }: { readonly isSilent: boolean }): IndexNode | undefined {
    const { absolute, name, parent } = entry;
    const known = parent.children.get(name);
    const changedMs = isSilent ? undefined : stat.ctimeMs;
    if (stat.isDirectory()) {
      if (known?.kind === 'folder') return known;
      if (known) this.forget(entry, known, changedMs);
      const folder = newFolder(stat);
      // A folder that is created together with its cache tag is recorded as a cache.
      folder.isCache = this.isScanned && isTaggedCache(path.join(absolute, cacheTag));
      if (this.hasEarlierState) this.moved.noteArrival(absolute, stat, folder, known);
      this.add(entry, folder, changedMs);
      return folder;
    }
    if (known && known.kind !== 'folder' && !known.isFresh && hasSameStat(known, stat)) return known;
    const before = known ? stateOfNode(known) : null;
    if (known?.kind === 'folder') this.forget(entry, known, changedMs);
    const node = this.readFile(absolute, stat);
    if (!node) return known;
    const isSame = isSameState(before, node.state);
    if (!isSame) this.moved.noteChange(absolute);
    const isNew = !known || known.kind === 'folder';
    if (this.hasEarlierState) this.moved.noteArrival(absolute, stat, node, known);
    if (isNew) this.count();
    else if (known.ino !== node.ino) this.moved.noteGone(known);
    else if (!isSame) this.moved.noteOverwritten(known);
    parent.children.set(name, node);
    this.remember(absolute, node);
    if (changedMs !== undefined && !isSame) this.note(absolute, known?.kind === 'folder' ? null : before, changedMs);
    return node;
  }

  /** `changedMs`: when it was created; undefined if the creation is attributed to nobody. */
  private add({ absolute, name, parent }: Entry, node: FolderNode, changedMs: number | undefined): void {
    this.count();
    parent.children.set(name, node);
    this.remember(absolute, node);
    if (changedMs !== undefined) this.note(absolute, null, changedMs);
  }

  /** Queues an entry for the index file. A first scan that began with an empty index writes the whole file. */
  private remember(absolute: string, node: IndexNode): void {
    if (this.hasEarlierState) this.pending.push(this.tree.lineOf(absolute, node));
  }

  private count(): void {
    this.tree.size++;
    if (this.tree.size > this.limits.maxEntries) throw new TooMuchToCover(this.folder, this.limits.maxEntries);
  }

  /** `changedMs`: when it was removed; undefined if the removal is attributed to nobody. */
  private forget({ absolute, name, parent }: Entry, node: IndexNode, changedMs: number | undefined): void {
    if (node.kind === 'folder')
      for (const [below, child] of node.children) this.forget(entryIn(absolute, node, below), child, changedMs);
    this.moved.noteGone(node, absolute);
    this.moved.forget(absolute);
    parent.children.delete(name);
    this.tree.size--;
    this.pending.push([this.tree.relative(absolute)]);
    if (changedMs !== undefined) this.note(absolute, stateOfNode(node), changedMs);
  }

  private noteFolder(absolute: string, node: FolderNode, stat: fs.Stats): void {
    const mode = stat.mode & 0o7777;
    if (node.mode !== mode && absolute !== this.folder) this.note(absolute, stateOfNode(node), stat.ctimeMs);
    Object.assign(node, { mode, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, isFresh: isFreshTime(stat) });
    this.remember(absolute, node);
  }

  /** Records the previous state of a path in all open windows. */
  private note(absolute: string, stateInTree: FileState, changedMs: number): void {
    const { sinceLastSession } = this;
    const state = stateInTree ?? this.extra.get(absolute)?.state ?? null;
    if (!this.isScanned) {
      if (sinceLastSession && !sinceLastSession.before.has(absolute)) sinceLastSession.before.set(absolute, state);
      return;
    }
    this.noteInWindows(absolute, state, changedMs);
  }

  private noteInWindows(absolute: string, state: FileState, changedMs: number): void {
    for (const { before, from = 0, until = Infinity } of this.windows)
      if (changedMs >= from && changedMs <= until && !before.has(absolute)) before.set(absolute, state);
  }

  private scanPath(absolute: string): void {
    if (!this.holds(absolute) || this.isIgnored(absolute)) return;
    if (this.isInCache(absolute)) return this.scanExtra(absolute);
    const mayBeLeftOut = isBelowLeftOut(this.folder, absolute);
    for (const folder of this.foldersToMake(absolute)) if (this.extra.has(folder)) this.scanExtra(folder);
    if (this.extra.has(absolute)) this.scanExtra(absolute);
    const parts = path.relative(this.folder, absolute).split(path.sep);
    let parent = this.tree.root;
    let place = this.folder;
    for (const [at, name] of parts.entries()) {
      place = `${place}${path.sep}${name}`;
      const stat = reachedStat(place);
      const known = parent.children.get(name);
      const entry = { absolute: place, name, parent };
      if (!stat) {
        if (known) this.forget(entry, known, Date.now());
        if (mayBeLeftOut) this.scanExtra(absolute);
        return;
      }
      if (!this.isCovered(entry, stat)) {
        if (mayBeLeftOut) this.scanExtra(absolute);
        return;
      }
      const node = this.scanEntry(entry, stat, { isSilent: false });
      if (at === parts.length - 1 || node?.kind !== 'folder') return;
      parent = node;
    }
  }

  private isInCache(absolute: string): boolean {
    for (let at = path.dirname(absolute); at.length > this.folder.length; at = path.dirname(at)) {
      const node = this.tree.at(at);
      if (node?.kind === 'folder' ? node.isCache : isTaggedCache(path.join(at, cacheTag))) return true;
    }
    return false;
  }

  private scanExtra(absolute: string): void {
    const stat = reachedStat(absolute);
    const known = this.extra.get(absolute);
    if (stat && known && known.kind !== 'made_folder' && !known.isFresh && hasSameStat(known, stat)) return;
    const node = stat && this.extraNode(absolute, stat);
    const before = known?.state ?? null;
    if (this.extra.has(absolute) && !isSameState(before, node?.state ?? null))
      this.noteInWindows(absolute, before, stat?.ctimeMs ?? Date.now());
    this.noteExtraMove(absolute, node, stat);
    this.extra.set(absolute, node);
  }

  private noteExtraMove(absolute: string, node: FileNode | MadeFolder | undefined, stat: fs.Stats | undefined): void {
    const known = this.extra.get(absolute);
    if (!node) {
      this.moved.forget(absolute);
      if (known && known.kind !== 'made_folder') this.moved.noteGone(known);
    } else if (!known && this.extra.has(absolute) && node.kind !== 'made_folder') {
      this.moved.noteArrival(absolute, stat!, node);
    }
  }

  private extraNode(absolute: string, stat: fs.Stats): FileNode | MadeFolder | undefined {
    if (!stat.isDirectory()) return this.readFile(absolute, stat);
    return { kind: 'made_folder', state: { kind: 'folder', mode: stat.mode & 0o7777 } };
  }

  /** Reads and copies the content of a file. Returns undefined if the file disappeared in the meantime. */
  private readFile(absolute: string, stat: fs.Stats): FileNode | undefined {
    const { size, mtimeMs, ctimeMs, ino } = stat;
    const mode = stat.mode & 0o7777;
    const common = { mode, size, mtimeMs, ctimeMs, ino };
    try {
      if (stat.isSymbolicLink()) {
        const state = linkState(absolute, stat);
        return { ...common, kind: state?.kind === 'link' ? 'link' : 'file', state, isFresh: isFreshTime(stat) };
      }
      if (isSpecialFile(stat)) return { ...common, kind: 'file', state: unkeptState(stat), isFresh: false };
      const bytes = this.hasRoomFor(size)
        ? readCovered(absolute, this.tree.relative(absolute), stat, this.limits)
        : undefined;
      if (!bytes) return { ...common, kind: 'file', state: unkeptState(stat), isFresh: false };
      this.bytesLeft -= bytes.length;
      const hash = this.store.put(bytes);
      const state: FileState = { kind: 'file', mode, size: bytes.length, hash };
      // Files that are being written are scanned again.
      const isFresh = isFreshTime(stat) || bytes.length !== size;
      return { ...common, kind: 'file', state, isFresh };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      throw error;
    }
  }

  /** Returns whether this scan may still copy a file. Small files get a larger limit, since people write them. */
  private hasRoomFor(size: number): boolean {
    const room = size <= smallFile ? this.bytesLeft + this.limits.maxBytes / 4 : this.bytesLeft;
    if (size > this.limits.maxFileBytes || room > 0) return true;
    this.uncopied++;
    return false;
  }

  private async save({ isWhole }: { readonly isWhole: boolean }): Promise<void> {
    await this.store.flush();
    // Both this and the index file wait for the disk.
    if (isWhole) await new Promise<void>((resolve) => setImmediate(resolve));
    const lines = this.pending.splice(0);
    if (!this.lock) return;
    const isOvergrown = this.file.lines > 3 * this.tree.size + 1000;
    if ((isWhole && !this.wasKnown) || isOvergrown) await this.file.write(this.tree.lines());
    else if (lines.length > 0) this.file.append(lines);
  }
}

/** Maximum size of a small file, in bytes. */
const smallFile = 256 * 1024;
