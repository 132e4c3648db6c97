import fs from 'node:fs';
import path from 'node:path';

/** Returns the parent folders up to the root of the repository; empty outside a repository. */
export function repositoryAbove(folder: string): string[] {
  const higher: string[] = [];
  for (let ancestor = folder; !fs.existsSync(path.join(ancestor, '.git')); ancestor = path.dirname(ancestor)) {
    if (path.dirname(ancestor) === ancestor) return [];
    higher.push(path.dirname(ancestor));
  }
  return higher;
}
