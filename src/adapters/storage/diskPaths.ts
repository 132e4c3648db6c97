import fs from 'node:fs';
import path from 'node:path';

/** Returns a path of this machine with "/" between its names, as logs and requests spell paths. */
export const withSlashes = (place: string): string => (path.sep === '/' ? place : place.replaceAll(path.sep, '/'));

/** Returns whether a place is a folder or in it. Links are not resolved. */
export function isWithin(place: string, folder: string): boolean {
  const below = path.relative(folder, place);
  return below.split(path.sep)[0] !== '..' && !path.isAbsolute(below);
}

/** Returns whether a place is a folder or in it, with links resolved. False if one of them does not exist. */
export function isReallyWithin(place: string, folder: string): boolean {
  try {
    return isWithin(fs.realpathSync.native(place), fs.realpathSync.native(folder));
  } catch {
    return false;
  }
}

/**
 * Returns how a file of a workspace folder is shown to people: below the first folder without its name, below others
 * with their name, and with the absolute path if another folder has the same name. `below`: relative, with "/".
 */
export function shownInFolders(below: string, folder: string, folders: readonly string[]): string {
  if (folder === folders[0]) return below;
  const name = path.basename(folder);
  const isAmbiguous = folders.some((other) => other !== folder && path.basename(other) === name);
  return `${isAmbiguous ? withSlashes(folder) : name}/${below}`;
}

/** Returns the folders that are not inside another one of them, each once. Links are not resolved. */
export function outermostFolders(folders: readonly string[]): string[] {
  const each = [...new Set(folders)];
  return each.filter((folder) => !each.some((other) => other !== folder && isWithin(folder, other)));
}

/** Returns whether a path is a symbolic link. False if it does not exist or cannot be reached. */
export function isLink(place: string): boolean {
  try {
    return fs.lstatSync(place).isSymbolicLink();
  } catch {
    return false;
  }
}

/**
 * Resolves the links of a path, with the names as the disk spells them: where the disk ignores case, as on Windows, two
 * spellings give the same path. VS Code spells drives "c:", Windows "C:". Returns the path itself if it does not exist.
 */
export function realPath(place: string): string {
  try {
    return fs.realpathSync.native(place);
  } catch {
    return place;
  }
}

/**
 * Resolves the links of an existing folder, with the names as the disk spells them. Keeps the letter of a network drive,
 * since cmd.exe cannot work in a folder of another machine. Throws if the folder does not exist.
 */
export function folderOnDisk(folder: string): string {
  const [real, onDisk] = [fs.realpathSync(folder), fs.realpathSync.native(folder)];
  return real.toLowerCase() === onDisk.toLowerCase() ? onDisk : real;
}

/** Resolves the links in the folders of a file, but not the file itself, which may be a link. */
export function inRealFolder(file: string): string {
  try {
    return path.join(fs.realpathSync.native(path.dirname(file)), path.basename(file));
  } catch {
    return file;
  }
}
