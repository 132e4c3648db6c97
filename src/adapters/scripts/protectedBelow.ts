import type { Dirent } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ProtectedBelow } from '../../core/ports/scripts';
import { isGuarded } from '../../core/risk/pathRules';
import { matchesGlob } from '../../core/shell/syntax/globs';
import { withoutProtectedFiles } from '../storage/skippedFolders';
import { byName } from '../../core/text/order';

/** Maximum number of entries to read. */
const maxEntries = 20_000;
/** Maximum number of files to name. */
const maxNamed = 3;

/** See `Scripts.protectedBelow`. Links are not followed: moving one moves only the link. */
export async function protectedBelow(
  folder: string,
  spelled: string,
  {
    pattern,
    fileSystem,
  }: { readonly pattern: 'visible' | 'hidden' | undefined; readonly fileSystem: string | undefined },
): Promise<ProtectedBelow> {
  const root = await fs.realpath(folder);
  const found: string[] = [];
  let left = maxEntries;
  let isComplete = true;
  const other = await otherFileSystem(fileSystem);
  const read = async (folder: string): Promise<Dirent[]> => {
    const place = path.resolve(root, folder);
    const real = other !== undefined && isOutsideOf(folder) ? other(place) : Promise.resolve(place);
    const entries = await real
      .then((folder) => fs.readdir(folder, { withFileTypes: true }))
      .catch((problem: NodeJS.ErrnoException) => {
        // What cannot be read cannot be searched.
        if (!['ENOENT', 'ENOTDIR'].includes(problem.code ?? '')) isComplete = false;
        return [];
      });
    left -= entries.length;
    return entries.sort(byName);
  };
  for (const start of await namedBy(withHome(spelled), pattern, read)) {
    // Only what is in a folder outside the workspace gets a new place: the names above it mean nothing.
    const isOutside = isOutsideOf(start);
    const waiting = [start];
    for (let index = 0; index < waiting.length && found.length < maxNamed; index++) {
      if (left <= 0) return { found, isComplete: false };
      const entries = withoutProtectedFiles.has(path.posix.basename(waiting[index]!))
        ? []
        : await read(waiting[index]!);
      for (const entry of entries) {
        const place = path.posix.join(waiting[index]!, entry.name);
        const judged = isOutside ? place.slice(start.length) : place;
        if (isGuarded(judged)) found.push(place);
        else if (entry.isDirectory()) waiting.push(place);
      }
    }
  }
  return { found: found.slice(0, maxNamed), isComplete };
}

const isOutsideOf = (at: string): boolean => at.startsWith('/') || at.startsWith('..');

/** Maximum number of links in one path, as on Linux. */
const maxLinks = 40;

/**
 * Returns where absolute paths of another file system are on this one, links included, which would otherwise lead to
 * places of this one. Undefined if there is no other file system, or not anymore.
 */
async function otherFileSystem(base: string | undefined): Promise<((place: string) => Promise<string>) | undefined> {
  if (base === undefined || !(await fs.stat(`${base}/`).catch(() => undefined))) return undefined;
  return async (place) => {
    const waiting = place.split('/');
    let at = '/';
    for (let links = 0; waiting.length > 0;) {
      const next = path.posix.join(at, waiting.shift()!);
      const target = next === '/' ? undefined : await fs.readlink(`${base}${next}`).catch(() => undefined);
      if (target === undefined) at = next;
      else if (++links > maxLinks) throw Object.assign(new Error('Too many links.'), { code: 'ELOOP' });
      else {
        waiting.unshift(...target.split('/'));
        if (target.startsWith('/')) at = '/';
      }
    }
    return `${base}${at}`;
  };
}

const withHome = (spelled: string): string => spelled.replace(/^~(?=\/|$)/, os.homedir());

/** Returns the folders that a path names: relative to the workspace, or as written. */
async function namedBy(
  spelled: string,
  pattern: 'visible' | 'hidden' | undefined,
  read: (at: string) => Promise<readonly Dirent[]>,
): Promise<string[]> {
  let ways = [spelled.startsWith('/') ? '/' : '.'];
  for (const part of spelled.split('/').filter((one) => one !== '' && one !== '.')) {
    const isPattern = pattern !== undefined && /[*?[{]/.test(part);
    const isMatch = ({ name }: Dirent): boolean =>
      matchesGlob(part, name) && (pattern === 'hidden' || part.startsWith('.') || !name.startsWith('.'));
    const next: string[] = [];
    for (const way of ways) {
      if (!isPattern) next.push(path.posix.join(way, part));
      else
        for (const entry of await read(way))
          if (entry.isDirectory() && isMatch(entry)) next.push(path.posix.join(way, entry.name));
    }
    ways = next;
  }
  return ways;
}
