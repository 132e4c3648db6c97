import fs from 'node:fs';

/** Returns the names of a folder's entries; empty if it does not exist or cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
