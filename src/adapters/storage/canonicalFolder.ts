import fs from 'node:fs';

// A file of its own, because the extension needs it at its start.

/**
 * Returns a folder without links, with upper and lower case as on the disk, where names in another case may mean the same
 * folder; the folder itself if it cannot be resolved.
 */
export function canonicalFolder(folder: string): string {
  try {
    return fs.realpathSync.native(folder);
  } catch {
    return folder;
  }
}
