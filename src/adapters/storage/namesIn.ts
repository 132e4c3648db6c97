import fs from 'node:fs';

/** The names of the entries of a folder; empty if it is gone or cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
