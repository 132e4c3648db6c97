import type { Stats } from 'node:fs';
import type { FileNode } from './indexTree';

/** Longest interval between ticks of the clock that a file system uses for its timestamps, in ms. */
export const slowestTickMs = 10;

/**
 * Tells files that were moved inside a folder from those that came from a place without copies, such as another folder
 * or `node_modules`. A moved file keeps its inode.
 */
export class MovedFiles {
  /** When the last finished scan began, in ms since 1970. */
  private earlierMs = Date.now();
  private beganMs = this.earlierMs;
  /** Files that are older than that and were found as new ones since then, by path. */
  private readonly arrived = new Map<string, { readonly ino: number; readonly replaces: boolean }>();
  /** Inodes of copied files that were found to be gone in this scan and the one before. */
  private gone = new Set<number>();
  private goneBefore = new Set<number>();
  private readonly fromElsewhere = new Set<string>();
  /** Those that took the place of other files. */
  private readonly replacing = new Set<string>();

  /** Returns whether a file came from a place without copies. Deleting it would delete what existed before. */
  has(absolute: string): boolean {
    return this.fromElsewhere.has(absolute);
  }

  /** Returns whether a file that is now at a path came from such a place and took the place of another one. */
  hasReplaced(absolute: string): boolean {
    return this.replacing.has(absolute);
  }

  /** Call before each scan. `earlierMs`: when the scan before it began, if another process did that. */
  beginScan(earlierMs = this.earlierMs): void {
    [this.earlierMs, this.beganMs] = [earlierMs, Date.now()];
  }

  /**
   * Call for each new file. One with several names does not count: it keeps its content if one of them is deleted.
   * `replaces`: something else was in its place.
   */
  noteArrival(absolute: string, { birthtimeMs, mtimeMs, nlink, ino }: Stats, replaces = false): void {
    // Windows gives a file that replaces another one of the same name the creation time of that.
    const sinceMs = replaces && process.platform === 'win32' ? Math.max(birthtimeMs, mtimeMs) : birthtimeMs;
    const isOlder = sinceMs > 0 && sinceMs < this.earlierMs - slowestTickMs;
    if (isOlder && nlink === 1) this.arrived.set(absolute, { ino, replaces });
  }

  /** Call for each file that is gone from its place. */
  noteGone({ kind, ino, state }: FileNode): void {
    if (kind === 'link' || (state?.kind === 'file' && state.hash !== undefined)) this.gone.add(ino);
  }

  /** Call for each path with another content. */
  noteChange(absolute: string): void {
    if (this.arrived.get(absolute)?.replaces) this.arrived.delete(absolute);
    this.replacing.delete(absolute);
  }

  /** Call for each deleted path. */
  forget(absolute: string): void {
    this.arrived.delete(absolute);
    this.fromElsewhere.delete(absolute);
    this.replacing.delete(absolute);
  }

  /** Call after some paths were scanned. A scan may still find out that these files were moved inside the folder. */
  endPaths(): void {
    for (const [absolute, { ino, replaces }] of this.arrived) {
      const found = replaces ? this.replacing : this.fromElsewhere;
      if (this.gone.has(ino) || this.goneBefore.has(ino)) found.delete(absolute);
      else found.add(absolute);
    }
  }

  /** Call after each scan. */
  endScan(): void {
    this.endPaths();
    this.arrived.clear();
    this.earlierMs = this.beganMs;
    [this.goneBefore, this.gone] = [this.gone, new Set()];
  }
}
