import fs from 'node:fs';

/** What the system says of a folder that changes whenever something comes into it, goes or gets another name. */
export interface FolderStamp {
  readonly device: number;
  readonly inode: number;
  /** When it changed last: programs can set the second back, the first they cannot. */
  readonly changedMs: number;
  readonly modifiedMs: number;
}

/**
 * Asks for the stamps of folders, and for each only once: whoever reads the same tree
 * right afterwards takes over the answers.
 */
export class FolderStamps {
  /** When the first was asked for, in milliseconds since 1970. */
  readonly since = Date.now();
  readonly #asked = new Map<string, FolderStamp | undefined>();

  /** Undefined where there is no folder, or a link to one. */
  of(folder: string): FolderStamp | undefined {
    if (this.#asked.has(folder)) return this.#asked.get(folder);
    const stamp = stampOf(folder);
    this.#asked.set(folder, stamp);
    return stamp;
  }
}

/** See `FolderStamps`. With `follows` also of the folder that a link leads to. */
export function stampOf(folder: string, follows = false): FolderStamp | undefined {
  const stats = follows ? statsBehind(folder) : statsOf(folder);
  if (!stats?.isDirectory()) return undefined;
  return { device: stats.dev, inode: stats.ino, changedMs: stats.ctimeMs, modifiedMs: stats.mtimeMs };
}

/**
 * Whether nothing was added to or removed from a folder between two stamps, neither of which is too recent to be sure.
 */
export const isSame = (one: FolderStamp, other: FolderStamp): boolean =>
  one.changedMs === other.changedMs &&
  one.modifiedMs === other.modifiedMs &&
  one.inode === other.inode &&
  one.device === other.device;

/** Clocks of file systems tick every few milliseconds. Some count in seconds only, or in pairs of them. */
const [tickMs, coarseTickMs] = [100, 2100];

/** Whether a folder that changed at a time could change once more now without another time. */
export function couldChangeUnseen(timeMs: number): boolean {
  const isCoarse = timeMs % 1000 === 0;
  return Date.now() - timeMs < (isCoarse ? coarseTickMs : tickMs);
}

export function statsOf(place: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(place, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function statsBehind(place: string): fs.Stats | undefined {
  try {
    return fs.statSync(place, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
