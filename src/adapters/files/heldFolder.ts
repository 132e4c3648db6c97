import fs from 'node:fs';
import path from 'node:path';
import { FileProblem } from '../../core/ports/files';
import { errorCode } from './fileProblems';

/**
 * A folder below a workspace folder, held so that it cannot be swapped for a link between the check and the use. On
 * Linux it is held by descriptor: `at(name)` goes through /proc/self/fd. Elsewhere `at` is a plain path and `verify`
 * checks afterwards whether it still leads to the same folder.
 */
export interface HeldFolder {
  pathOf(name: string): string;
  /** Throws `FileProblem` `outside` if the folder is not the one that was held. */
  verify(): void;
  close(): void;
}

/**
 * How a folder is kept from being replaced while files in it are written: by its open descriptor, or by comparing it
 * before each use.
 */
export type Holding = 'descriptor' | 'verify';
export const holdingHere: Holding =
  process.platform === 'linux' && fs.existsSync('/proc/self/fd') ? 'descriptor' : 'verify';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = fs.constants;

/**
 * `folder` and `absolute` have their links resolved. If `created` is given, missing folders are created and their paths
 * are pushed to it.
 */
export function holdFolder(folder: string, absolute: string, holding: Holding, created?: string[]): HeldFolder {
  const names = path.relative(folder, absolute).split(path.sep).filter(Boolean);
  return holding === 'descriptor'
    ? holdByDescriptor(folder, names, created)
    : holdByPath(folder, absolute, names, created);
}

function holdByDescriptor(folder: string, names: readonly string[], created: string[] | undefined): HeldFolder {
  let held = fs.openSync(folder, O_RDONLY | O_DIRECTORY);
  let reached = folder;
  for (const name of names) {
    reached = path.join(reached, name);
    const next = `/proc/self/fd/${held}/${name}`;
    try {
      const deeper = openOrCreate(next, reached, created);
      fs.closeSync(held);
      held = deeper;
    } catch (thrown) {
      const link = fs.lstatSync(next, { throwIfNoEntry: false })?.isSymbolicLink();
      fs.closeSync(held);
      throw link ? swappedProblem() : thrown;
    }
  }
  return { pathOf: (name) => `/proc/self/fd/${held}/${name}`, verify() {}, close: () => fs.closeSync(held) };
}

function openOrCreate(next: string, reached: string, created: string[] | undefined): number {
  try {
    return fs.openSync(next, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (thrown) {
    if (!created || errorCode(thrown) !== 'ENOENT') throw thrown;
    makeFolder(next, reached, created);
    return fs.openSync(next, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  }
}

function holdByPath(
  folder: string,
  absolute: string,
  names: readonly string[],
  created: string[] | undefined,
): HeldFolder {
  let reached = folder;
  for (const name of names) {
    reached = path.join(reached, name);
    if (created && !fs.existsSync(reached)) makeFolder(reached, reached, created);
  }
  const first = fs.statSync(absolute);
  const verify = (): void => {
    const now = fs.statSync(absolute);
    if (fs.realpathSync.native(absolute) !== absolute || now.dev !== first.dev || now.ino !== first.ino)
      throw swappedProblem();
  };
  verify();
  return { pathOf: (name) => path.join(absolute, name), verify, close() {} };
}

function makeFolder(spelled: string, reached: string, created: string[]): void {
  try {
    fs.mkdirSync(spelled);
    created.push(reached);
  } catch (thrown) {
    if (errorCode(thrown) !== 'EEXIST') throw thrown;
  }
}

/** Removes folders that `holdFolder` created, innermost first. Folders that are not empty stay. */
export function removeCreatedFolders(folder: string, created: readonly string[], holding: Holding): void {
  for (const made of [...created].reverse()) {
    try {
      const parent = holdFolder(folder, path.dirname(made), holding);
      try {
        fs.rmdirSync(parent.pathOf(path.basename(made)));
      } finally {
        parent.close();
      }
    } catch {
      /* someone uses it: it stays */
    }
  }
}

function swappedProblem(): FileProblem {
  return new FileProblem(
    'outside',
    'A folder on the path became a link in the meantime. Nothing was read or changed. Check the folder before trying again.',
  );
}
