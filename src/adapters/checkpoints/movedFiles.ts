import type { Stats } from 'node:fs';
import type { FileNode, FolderNode, IndexNode } from './indexTree';

/** Longest interval between ticks of the clock that a file system uses for its timestamps, in ms. */
export const slowestTickMs = 10;

/** A new file or folder, or a file with new content, that is older than the scan before. */
interface Arrival {
  readonly ino: number;
  /** Hash of the copy. */
  readonly hash: string | undefined;
  /** True if the file has other names, which may be deleted later. */
  readonly isLinked: boolean;
  /** True if something else was in its place. */
  readonly replaces: boolean;
  /** False if only the content is known to be older, as after a move from another file system, or after `tar -x`. */
  readonly isCertain: boolean;
}

/**
 * Tells what was moved inside a folder from what came from a place without copies, such as another folder or
 * `node_modules`. What is moved keeps its inode. Between file systems it keeps only its modification time.
 */
export class MovedFiles {
  /** When the last finished scan began, in ms since 1970. */
  private earlierMs = Date.now();
  private beganMs = this.earlierMs;
  /** By path, since the last finished scan. */
  private readonly arrived = new Map<string, Arrival>();
  /** Inodes of folders and copied files that were found to be gone in this scan and the one before. */
  private gone = new Set<number>();
  private goneBefore = new Set<number>();
  /** Hashes of the copies of files that are gone in this scan. */
  private readonly goneHashes = new Set<string>();
  /** The paths that came from elsewhere for certain, and those that may have. */
  private readonly certain = newPaths();
  private readonly maybe = newPaths();

  /** `present`: all files with a copy, by path. Called only if a file arrived that may be a link to one of them, or a copy. */
  constructor(private readonly present: () => Iterable<readonly [string, FileNode]>) {}

  /**
   * Returns where a new path came from, or with `replaced` what is now in place of something else: a place without
   * copies, or perhaps one on another file system or in an archive; undefined if it was created here.
   */
  origin(absolute: string, { replaced }: { readonly replaced: boolean }): 'elsewhere' | 'maybe elsewhere' | undefined {
    const kind = replaced ? 'replaced' : 'came';
    if (this.certain[kind].has(absolute)) return 'elsewhere';
    return this.maybe[kind].has(absolute) ? 'maybe elsewhere' : undefined;
  }

  /** Call before each scan. `earlierMs`: when the scan before it began, if another process did that. */
  beginScan(earlierMs = this.earlierMs): void {
    [this.earlierMs, this.beganMs] = [earlierMs, Date.now()];
  }

  /** Call for each new file or folder, and each changed file. `known`: what was in its place at the last scan. */
  noteArrival(absolute: string, stat: Stats, node: FileNode | FolderNode, known?: IndexNode): void {
    const { birthtimeMs, mtimeMs, nlink, ino, size } = stat;
    const replaces = known !== undefined;
    // Windows gives a file that replaces another one of the same name the creation time of that.
    const sinceMs = replaces && process.platform === 'win32' ? Math.max(birthtimeMs, mtimeMs) : birthtimeMs;
    const isCertain = known?.ino !== ino && sinceMs > 0 && this.isOlder(sinceMs);
    const hash = hashOf(node);
    // The file system may give a file that replaces another one the same inode.
    const isCopy = hash !== undefined && hash !== hashOf(known) && size > 0 && this.isOlder(mtimeMs);
    if (!isCertain && !isCopy) return;
    this.arrived.set(absolute, { ino, hash, isLinked: node.kind !== 'folder' && nlink > 1, replaces, isCertain });
  }

  private isOlder(milliseconds: number): boolean {
    return milliseconds < this.earlierMs - slowestTickMs;
  }

  /** Call for each file or folder that is gone from its place. */
  noteGone(node: IndexNode): void {
    const hash = hashOf(node);
    if (hash !== undefined) this.goneHashes.add(hash);
    if (hash !== undefined || node.kind !== 'file') this.gone.add(node.ino);
  }

  /** Call for each path with another content. */
  noteChange(absolute: string): void {
    if (this.arrived.get(absolute)?.replaces) this.arrived.delete(absolute);
    for (const { replaced } of [this.certain, this.maybe]) replaced.delete(absolute);
  }

  /** Call for each deleted path. */
  forget(absolute: string): void {
    this.arrived.delete(absolute);
    for (const { came, replaced } of [this.certain, this.maybe])
      for (const paths of [came, replaced]) paths.delete(absolute);
  }

  /** Call after some paths were scanned. A scan may still find out that these were moved inside the folder. */
  endPaths(): void {
    const { inodes, hashes } = this.presentLike([...this.arrived.values()]);
    for (const [absolute, { ino, hash = '', replaces, isCertain }] of this.arrived) {
      const isSameFile = this.gone.has(ino) || this.goneBefore.has(ino) || inodes.has(ino);
      const isKnown = isCertain ? isSameFile : this.goneHashes.has(hash) || hashes.has(hash);
      const paths = (isCertain ? this.certain : this.maybe)[replaces ? 'replaced' : 'came'];
      if (isKnown) paths.delete(absolute);
      else paths.add(absolute);
    }
  }

  /** Returns what other files in the folder have in common with some of those that arrived. */
  private presentLike(arrivals: readonly Arrival[]) {
    const inodes = new Set<number>();
    const hashes = new Set<string>();
    const linked = new Set(arrivals.flatMap(({ isLinked, ino }) => (isLinked ? [ino] : [])));
    const copied = new Set(arrivals.flatMap(({ isCertain, hash }) => (isCertain ? [] : (hash ?? []))));
    if (linked.size === 0 && copied.size === 0) return { inodes, hashes };
    for (const [absolute, node] of this.present()) {
      if (this.arrived.has(absolute)) continue;
      const hash = hashOf(node);
      if (linked.has(node.ino)) inodes.add(node.ino);
      if (hash !== undefined && copied.has(hash)) hashes.add(hash);
    }
    return { inodes, hashes };
  }

  /** Call after each scan. */
  endScan(): void {
    this.endPaths();
    this.arrived.clear();
    this.earlierMs = this.beganMs;
    [this.goneBefore, this.gone] = [this.gone, new Set()];
    this.goneHashes.clear();
  }
}

const newPaths = () => ({ came: new Set<string>(), replaced: new Set<string>() });

const hashOf = (node: IndexNode | undefined): string | undefined =>
  node?.kind === 'file' && node.state?.kind === 'file' ? node.state.hash : undefined;
