import type { Dirent } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { isGuarded } from '../../core/risk/pathRules';
import { matchesGlob } from '../../core/shell/syntax/globs';
import { withoutProtectedFiles } from '../storage/skippedFolders';

/** Maximum number of entries to read. A command that moves more is judged by what was found until then. */
const maxEntries = 20_000;
/** Maximum number of files to name. */
const maxNamed = 3;

/** See `Scripts.protectedBelow`. Links are not followed: moving one moves only the link. */
export async function protectedBelow(folder: string, spelled: string, pattern: boolean): Promise<readonly string[]> {
  const root = await fs.realpath(folder);
  const found: string[] = [];
  let left = maxEntries;
  const read = async (at: string): Promise<Dirent[]> => {
    const entries = await fs.readdir(path.join(root, at), { withFileTypes: true }).catch(() => []);
    left -= entries.length;
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  };
  const waiting = await namedBy(spelled, pattern, read);
  for (let at = 0; at < waiting.length && left > 0 && found.length < maxNamed; at++) {
    const entries = withoutProtectedFiles.has(path.posix.basename(waiting[at]!)) ? [] : await read(waiting[at]!);
    for (const entry of entries) {
      const place = path.posix.join(waiting[at]!, entry.name);
      if (isGuarded(place)) found.push(place);
      else if (entry.isDirectory()) waiting.push(place);
    }
  }
  return found.slice(0, maxNamed);
}

/** Returns the folders that a path names, relative to the workspace. */
async function namedBy(
  spelled: string,
  pattern: boolean,
  read: (at: string) => Promise<readonly Dirent[]>,
): Promise<string[]> {
  let ways = ['.'];
  for (const part of spelled.split('/').filter((one) => one !== '' && one !== '.')) {
    const isPattern = pattern && /[*?[{]/.test(part);
    const next: string[] = [];
    for (const way of ways) {
      if (!isPattern) next.push(path.posix.join(way, part));
      else
        for (const entry of await read(way))
          if (entry.isDirectory() && matchesGlob(part, entry.name)) next.push(path.posix.join(way, entry.name));
    }
    ways = next;
  }
  return ways.filter((way) => !way.startsWith('..'));
}
