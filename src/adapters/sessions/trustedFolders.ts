import fs from 'node:fs';
import path from 'node:path';
import { repositoryAbove } from '../git/repositoryAbove';
import { folderOnDisk } from '../storage/diskPaths';
import { makeFolder, writeDurably } from '../storage/durableFile';
import { stateFolder } from '../storage/stateFolder';
import { whileLocked } from '../storage/fileLock';

/** Folders that the user trusted on this machine, by real path. Stored outside every workspace. */
const file = (): string => path.join(stateFolder(), 'trusted-folders.json');

/** Returns whether the user trusted the folder, or one above it in the same repository. */
export function isTrustedFolder(folder: string): boolean {
  const trusted = new Set(readTrustedFolders());
  return [folder, ...repositoryAbove(folder)].some((each) => trusted.has(each));
}

/** Remembers folders that the user trusts. If nothing can be written, the user is asked again next time. */
export function trustFolders(named: readonly string[]): void {
  try {
    const folders = named.map(folderOnDisk);
    if (folders.every((folder) => readTrustedFolders().includes(folder))) return;
    makeFolder(path.dirname(file()));
    whileLocked(`${file()}.lock`, () =>
      writeDurably(file(), [`${JSON.stringify([...new Set([...readTrustedFolders(), ...folders])], null, 2)}\n`]),
    );
  } catch {
    // The current run does not depend on it.
  }
}

function readTrustedFolders(): readonly string[] {
  try {
    const read: unknown = JSON.parse(fs.readFileSync(file(), 'utf8'));
    return Array.isArray(read) ? read.filter((folder) => typeof folder === 'string') : [];
  } catch {
    return [];
  }
}
