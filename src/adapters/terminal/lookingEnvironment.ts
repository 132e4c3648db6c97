import fs from 'node:fs';
import path from 'node:path';
import { plainNames } from '../processes/childEnvironment';
import { isWithin } from '../storage/diskPaths';

const neededNames: ReadonlySet<string> = new Set(plainNames);

/** Git uses no network and runs no hook for its index, and Windows starts no program from the current folder. */
const addedVariables = {
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  NoDefaultCurrentDirectoryInExePath: '1',
};

/** Their names, for a shell that passes few variables on. */
export const addedNames: readonly string[] = Object.keys(addedVariables);

/** Returns the environment of a shell whose programs load nothing from the workspace. */
export function lookingEnvironment(from: NodeJS.ProcessEnv, folders: readonly string[]): NodeJS.ProcessEnv {
  const result: NodeJS.ProcessEnv = { ...addedVariables };
  for (const [name, value] of Object.entries(from)) {
    const isNeeded = neededNames.has(name.toUpperCase()) || /^LC_[A-Z]+$/.test(name);
    if (!isNeeded || value === undefined) continue;
    if (name.toUpperCase() === 'PATH') result[name] = withoutWorkspace(value, folders);
    else if (!path.isAbsolute(value) || !isInFolders(value, folders)) result[name] = value;
  }
  return result;
}

/**
 * Removes folders of the workspace from a path list, and those of programs that read configuration from their working
 * folder.
 */
function withoutWorkspace(value: string, folders: readonly string[]): string {
  return value
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && !isInFolders(folder, folders) && path.basename(folder) !== 'shims')
    .join(path.delimiter);
}

const isInFolders = (place: string, folders: readonly string[]): boolean =>
  folders.some((folder) => isWithin(place, folder) || isWithin(realPathOf(place), realPathOf(folder)));

function realPathOf(spelled: string): string {
  try {
    return fs.realpathSync.native(spelled);
  } catch {
    return path.resolve(spelled);
  }
}
