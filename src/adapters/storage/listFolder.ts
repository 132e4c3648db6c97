import fs from 'node:fs';

/** Returns the names of a folder's entries; empty if it does not exist or cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the entries of a folder with their kind; empty if it cannot be read. */
export function listFolderSync(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Same as `listFolderSync`, asynchronously. */
export const listFolder = (folder: string): Promise<fs.Dirent[]> =>
  fs.promises.readdir(folder, { withFileTypes: true }).catch(() => []);
