import fs from 'node:fs';
import path from 'node:path';
import { folderOnDisk } from '../../adapters/storage/diskPaths';

/** Returns the real path of a folder. Throws an `Error` with a message for people if it does not exist. */
export function folderAt(cwd: string): string {
  const folder = path.resolve(cwd);
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${folder} is not a folder. Name an existing one with --cwd.`);
  return folderOnDisk(folder);
}
