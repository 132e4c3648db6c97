import fs from 'node:fs';
import path from 'node:path';
import { readNote } from '../../sandbox/ownedNotes';
import { timeGrainMs } from '../blobStore';
import type { DiskPace } from '../../storage/diskPace';
import { maxAtOnce, statsOfAll } from '../../storage/folderStamps';
import { lstat } from '../changeSource';

// What a scan has to know about the entries that it finds.

/** Maximum size of a file that a sandbox creates in place of a missing one, in bytes. */
const maxPlaceholderBytes = 4096;

/**
 * Returns whether an entry is an empty folder or small file that exists only while a sandbox guards its name. It is not
 * a change.
 */
export function isSandboxPlaceholder(absolute: string, name: string, stat: fs.Stats): boolean {
  // Avoids reading notes for most new names: the names that sandboxes guard begin with a dot.
  const mayBe = name.startsWith('.') && stat.size <= maxPlaceholderBytes;
  if (!mayBe || readNote(absolute) === undefined) return false;
  try {
    return stat.isDirectory() ? fs.readdirSync(absolute).length === 0 : stat.isFile();
  } catch {
    return false;
  }
}

/** Like `lstat`, but returns undefined also for a path that cannot be reached. */
export function reachedStat(absolute: string): fs.Stats | undefined {
  try {
    return lstat(absolute);
  } catch {
    return undefined;
  }
}

/** Returns whether a path does not exist. False if that is unknown, because it cannot be reached. */
export function isGone(absolute: string): boolean {
  try {
    return lstat(absolute) === undefined;
  } catch {
    return false;
  }
}

/** Stats of the entries of a folder, in the order of their names: on a slow disk, of many at the same time. */
export class EntryStats {
  private found: readonly (fs.Stats | undefined)[] = [];
  private from = 0;

  constructor(
    /** Absolute path. */
    private readonly folder: string,
    private readonly names: readonly string[],
    private readonly pace: DiskPace,
  ) {}

  /** Returns whether to call `askFrom` before `at` is called with an index. */
  isDue(index: number): boolean {
    return this.pace.isSlow && index >= this.from + this.found.length;
  }

  async askFrom(index: number): Promise<void> {
    const places = this.names.slice(index, index + maxAtOnce).map((name) => path.join(this.folder, name));
    const found = await statsOfAll(places);
    // Only this finds names with bytes that are no text.
    this.found = found.map((stat, ahead) => stat ?? reachedStat(places[ahead]!));
    this.from = index;
  }

  /** Returns undefined for an entry that does not exist or cannot be reached. */
  at(index: number): fs.Stats | undefined {
    const ahead = index - this.from;
    if (ahead < this.found.length) return this.found[ahead];
    return this.pace.time(() => reachedStat(this.folder + path.sep + this.names[index]!));
  }
}

/** Returns whether a folder has a mode that does not let its owner enter it. Root may. */
export function isClosed(absolute: string, { mode }: fs.Stats): boolean {
  const needed = fs.constants.R_OK | fs.constants.X_OK;
  if ((mode & 0o500) === 0o500 || process.platform === 'win32') return false;
  try {
    fs.accessSync(absolute, needed);
    return false;
  } catch {
    return true;
  }
}

export const isFreshTime = ({ mtimeMs, ctimeMs }: fs.Stats): boolean =>
  Math.max(mtimeMs, ctimeMs) > Date.now() - timeGrainMs;
