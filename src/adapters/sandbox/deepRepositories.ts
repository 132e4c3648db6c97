import path from 'node:path';
import { entriesOf } from './madePlaces';

const mostFolders = 1000;
const mostFound = 40;
const deepest = 6;
/** Others' packages: large, and no repositories. */
const passedBy = /^(\.git|node_modules|\.?venv|site-packages)$/;

/**
 * The repositories more than one level below `folder`, each by its `.git`: the nearest first, and only as far as a bounded look finds
 * them. Links are not followed.
 */
export function deepRepositories(folder: string): string[] {
  const found: string[] = [];
  const folders = [''];
  for (let at = 0; at < folders.length && at < mostFolders && found.length < mostFound; at++) {
    const below = folders[at]!;
    const depth = below === '' ? 0 : below.split(path.sep).length;
    for (const entry of entriesOf(path.join(folder, below))) {
      if (entry.name === '.git' && depth > 1) found.push(path.join(folder, below, '.git'));
      else if (entry.isDirectory() && depth < deepest && !passedBy.test(entry.name))
        folders.push(path.join(below, entry.name));
    }
  }
  return found;
}
