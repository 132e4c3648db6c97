import fs from 'node:fs';

/** Returns the text of a file; empty if it does not exist or cannot be read. */
export function readTextOrEmpty(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
