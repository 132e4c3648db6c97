import path from 'node:path';
import { matchesGlob } from '../../core/shell/syntax/globs';
import { listFolder } from './lenientReads';

const maxFolders = 2_000;

/** Returns the names that match a pattern, part by part. */
export async function foldersMatching(root: string, spelled: string): Promise<string[]> {
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
