import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isWithin } from '../storage/diskPaths';

/** Returns the first of the folders that is or contains the home folder of this account. */
export function holdsHome(folders: readonly string[], home = os.homedir()): string | undefined {
  const place = real(home);
  return folders.find((folder) => isWithin(place, real(folder)));
}

function real(folder: string): string {
  try {
    return fs.realpathSync(folder);
  } catch {
    return path.resolve(folder);
  }
}
