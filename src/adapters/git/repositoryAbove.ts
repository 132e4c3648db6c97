import fs from 'node:fs';
import path from 'node:path';

/** Returns the parent folders up to the root of the repository; empty outside a repository. */
export function repositoryAbove(folder: string): string[] {
  const higher: string[] = [];
  for (let at = folder; !fs.existsSync(path.join(at, '.git')); at = path.dirname(at)) {
    if (path.dirname(at) === at) return [];
    higher.push(path.dirname(at));
  }
  return higher;
}
