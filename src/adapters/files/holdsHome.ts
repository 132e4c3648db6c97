import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isWithin } from '../storage/diskPaths';

/** Returns whether one of the folders is or contains the home folder of this account. */
export function holdsHome(folders: readonly string[], home = os.homedir()): boolean {
  const realHome = realPath(home);
  return folders.some((folder) => isWithin(realHome, realPath(folder)));
}

/** Resolves the links of a path, if it exists. */
function realPath(folder: string): string {
  try {
    return fs.realpathSync(folder);
  } catch {
    return path.resolve(folder);
  }
}
