import fs from 'node:fs/promises';
import path from 'node:path';
import { matchesGlob } from '../../core/shell/syntax/globs';
import type { PathUse } from '../../core/ports/scripts';
import { agentIgnoring } from '../files/agentIgnore';
import { listFolder } from '../storage/listFolder';
import { withoutOwnFiles } from '../storage/skippedFolders';
import { withSlashes } from '../storage/diskPaths';

const maxFolders = 2_000;

/** See `Scripts.excludedPath`. `spelled`: relative to the folder, or absolute inside it. */
export async function excludedPath(
  folder: string,
  spelled: string,
  { pattern, within }: PathUse,
): Promise<string | undefined> {
  const root = await fs.realpath(folder);
  const isLeftOut = agentIgnoring();
  const ignoredName = (absolute: string, isFolder: boolean): string | undefined =>
    isLeftOut({ folder: root, absolute }, isFolder) ? withSlashes(path.relative(root, absolute)) : undefined;
  const [named, ...below] = spelled.split(/(?:^|\/)\*\*(?=\/|$)/); // ** matches any depth
  const deep = pattern && below.length > 0;
  const places = pattern ? await fitting(root, deep ? named! : spelled) : [path.resolve(root, spelled)];
  let folders = 0;
  for (const place of places) {
    const isFolder = await fs.stat(place).then(
      (stat) => stat.isDirectory(),
      () => false,
    );
    const itself = ignoredName(place, isFolder);
    if (itself !== undefined) return itself;
    const queue = (within || deep) && isFolder ? [place] : [];
    for (let next = queue.shift(); next !== undefined && folders++ < maxFolders; next = queue.shift()) {
      for (const entry of await listFolder(next)) {
        const absolute = path.join(next, entry.name);
        const found = ignoredName(absolute, entry.isDirectory());
        if (found !== undefined) return found;
        if (entry.isDirectory() && !withoutOwnFiles.has(entry.name)) queue.push(absolute);
      }
    }
  }
  return undefined;
}

/** Returns the names that match a pattern, part by part. */
async function fitting(root: string, spelled: string): Promise<string[]> {
  let places = [spelled.startsWith('/') ? '/' : root];
  let foldersRead = 0;
  for (const part of spelled.split('/').filter((each) => each !== '' && each !== '.')) {
    const next: string[] = [];
    for (const place of places) {
      if (!/[*?[{]/.test(part)) {
        next.push(path.resolve(place, part));
        continue;
      }
      if (foldersRead++ > maxFolders) break;
      for (const { name } of await listFolder(place)) if (matchesGlob(part, name)) next.push(path.join(place, name));
    }
    places = next;
  }
  return places;
}
