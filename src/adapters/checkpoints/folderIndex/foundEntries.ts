import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { readNote } from '../../sandbox/ownedNotes';
import { timeGrainMs } from '../blobStore';
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

/** Same for many entries of a folder, on other threads. */
export async function reachedStats(folder: string, names: readonly string[]): Promise<Map<string, fs.Stats>> {
  const places = names.map((name) => path.join(folder, name));
  // Only `lstat` finds names with bytes that are no text.
  const all = await Promise.all(places.map((place) => lstatSoon(place).catch(() => reachedStat(place))));
  return new Map(names.flatMap((name, index): [string, fs.Stats][] => (all[index] ? [[name, all[index]]] : [])));
}

const lstatSoon = promisify(fs.lstat);

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
