import fs from 'node:fs/promises';
import path from 'node:path';

/** Entries that are looked at in a folder that was renamed; what is beyond them is not followed. */
const mostEntries = 20_000;

/** The files below a folder, relative to it, with "/": "sub/a.ts". Nothing where it is no folder; links are not followed, and what Git and packages keep is left out. */
export async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [''];
  let left = mostEntries;
  for (let next = folders.shift(); next !== undefined && left > 0; next = folders.shift()) {
    const entries = await fs.readdir(path.join(folder, next), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.slice(0, left)) {
      const name = next === '' ? entry.name : `${next}/${entry.name}`;
      if (entry.isFile()) files.push(name);
      else if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules') folders.push(name);
    }
    left -= entries.length;
  }
  return files;
}
