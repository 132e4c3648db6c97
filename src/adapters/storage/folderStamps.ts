import fs from 'node:fs';
import { promisify } from 'node:util';
import { DiskPace } from './diskPace';

/** Maximum number of entries to ask about at the same time. */
export const maxAtOnce = 256;

/** File system metadata of a folder that changes whenever an entry is added, removed or renamed. */
export interface FolderStamp {
  readonly device: number;
  readonly inode: number;
  /** Time of the last inode change (ctime): programs can set `modifiedMs` back, but not this. */
  readonly changedMs: number;
  readonly modifiedMs: number;
}

/** Takes the stamps of folders, each only once: code that reads the same tree right afterwards reuses the results. */
export class FolderStamps {
  /** When the first stamp was taken, in ms since 1970. */
  readonly since = Date.now();
  readonly #asked = new Map<string, FolderStamp | undefined>();
  readonly #pace = new DiskPace();

  /** Returns undefined if the path is not a folder, or is a link to one. */
  of(folder: string): FolderStamp | undefined {
    if (this.#asked.has(folder)) return this.#asked.get(folder);
    const stamp = this.#pace.time(() => folderStamp(folder));
    this.#asked.set(folder, stamp);
    return stamp;
  }

  /** Takes the stamps of many folders ahead: at once on a slow disk, else when they are asked for, which is faster. */
  async ahead(folders: Iterable<string>): Promise<void> {
    const waiting = folders[Symbol.iterator]();
    let next = waiting.next();
    for (; !next.done && !this.#pace.isMeasured; next = waiting.next()) this.of(next.value);
    if (!this.#pace.isSlow) return;
    while (!next.done) {
      const some: string[] = [];
      for (; !next.done && some.length < maxAtOnce; next = waiting.next()) some.push(next.value);
      const all = await statsOfAll(some);
      for (const [index, folder] of some.entries()) this.#asked.set(folder, stampIn(all[index]));
    }
  }
}

/** Returns the stamp of one folder; see `FolderStamps`. With `follows`, links are followed. */
export function folderStamp(
  folder: string,
  { follows = false }: { readonly follows?: boolean } = {},
): FolderStamp | undefined {
  return stampIn(follows ? statsBehind(folder) : statsOf(folder));
}

function stampIn(stats: fs.Stats | undefined): FolderStamp | undefined {
  if (!stats?.isDirectory()) return undefined;
  return { device: stats.dev, inode: stats.ino, changedMs: stats.ctimeMs, modifiedMs: stats.mtimeMs };
}

/**
 * Returns whether a folder had no entry added or removed between two stamps, neither of which may be too recent to be
 * sure.
 */
export const isSameStamp = (a: FolderStamp, b: FolderStamp): boolean =>
  a.changedMs === b.changedMs && a.modifiedMs === b.modifiedMs && a.inode === b.inode && a.device === b.device;

/** File system clocks tick every few milliseconds. Some count only in seconds, or in steps of two. */
const [tickMs, coarseTickMs] = [100, 2100];

/** Returns whether a folder that last changed at this time could change again without getting a new timestamp. */
export function couldChangeUnnoticed(timeMs: number): boolean {
  const isCoarse = timeMs % 1000 === 0;
  return Date.now() - timeMs < (isCoarse ? coarseTickMs : tickMs);
}

/** Returns the metadata of an entry without following links; undefined if it is missing or cannot be read. */
export function statsOf(place: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(place, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

const lstat = promisify(fs.lstat);

/** Same as `statsOf`, for at most `maxAtOnce` entries at the same time. */
export const statsOfAll = (places: readonly string[]): Promise<(fs.Stats | undefined)[]> =>
  Promise.all(places.map((place) => lstat(place).catch(() => undefined)));

function statsBehind(place: string): fs.Stats | undefined {
  try {
    return fs.statSync(place, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
