import fs from 'node:fs';

/** The names of what lies in a folder; none where it is gone or cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
