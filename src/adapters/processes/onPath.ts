import fs from 'node:fs';
import path from 'node:path';
import { isWithin } from '../storage/diskPaths';

/**
 * Returns the absolute paths of the programs with this name on the PATH, in order. Omits relative entries and programs
 * inside one of `folders`.
 */
export function onPath(
  name: string,
  folders: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): string[] {
  return (environment['PATH'] ?? environment['Path'] ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .filter(
      (candidate) =>
        isProgram(candidate) && !folders.some((folder) => isWithin(realPathOf(candidate), realPathOf(folder))),
    );
}

/** Returns whether a path leads to a file that this user may execute. */
export function isProgram(candidate: string): boolean {
  try {
    fs.accessSync(candidate, fs.constants.X_OK);
    return fs.statSync(candidate).isFile();
  } catch {
    return false;
  }
}

function realPathOf(spelled: string): string {
  try {
    return fs.realpathSync.native(spelled);
  } catch {
    return spelled;
  }
}
