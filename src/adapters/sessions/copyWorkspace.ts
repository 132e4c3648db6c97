import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { makeTemporary, removeTemporary } from '../sandbox/madePlaces';

interface WorkspaceCopy {
  /** Absolute, without links; its last component is that of the original folder. */
  readonly root: string;
  /** A folder beside it for temporary files; deleted together with the copy. */
  readonly parent: string;
  /** How the copy differs from the original, in words for people. */
  readonly notes: readonly string[];
  remove(): Promise<void>;
}

/**
 * Copies a folder to a temporary place. Links stay links; links into the folder point into the copy. Omits sockets,
 * pipes and devices, and the `.git` of a linked worktree: through it the copy would change the original. `leftOut`:
 * further absolute paths to omit. Throws an `Error` with a message for people.
 */
export async function copyWorkspace(folder: string, leftOut: readonly string[] = []): Promise<WorkspaceCopy> {
  const source = await fs.realpath(folder);
  if (source === path.parse(source).root || source === os.homedir())
    throw new Error(`${source} is not copied: it contains far more than one workspace. Name a project folder.`);
  const parent = makeTemporary('waymark-replay-');
  const remove = async (): Promise<void> => {
    await fs.rm(parent, { recursive: true, force: true });
    removeTemporary(parent);
  };
  const root = path.join(parent, path.basename(source));
  if (parent.startsWith(source + path.sep)) {
    await remove();
    throw new Error(`${source} contains the folder for temporary files, so it cannot be copied there.`);
  }
  const notes: string[] = [];
  try {
    await copyFolder(source, root, { source, root, notes, leftOut });
  } catch (error) {
    await remove();
    throw new Error(`${source} could not be copied: ${(error as Error).message}`, { cause: error });
  }
  return { root, parent, notes, remove };
}

async function copyFolder(
  from: string,
  to: string,
  all: {
    readonly source: string;
    readonly root: string;
    readonly notes: string[];
    readonly leftOut: readonly string[];
  },
): Promise<void> {
  const { mode, atime, mtime } = await fs.stat(from);
  await fs.mkdir(to, { mode: mode | 0o700 });
  for (const entry of await fs.readdir(from, { withFileTypes: true })) {
    const [place, copy] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (all.leftOut.includes(place)) continue;
    if (entry.isDirectory()) await copyFolder(place, copy, all);
    else if (entry.isSymbolicLink()) await fs.symlink(linkTargetInCopy(await fs.readlink(place), all), copy);
    else if (entry.isFile() && entry.name === '.git')
      all.notes.push(
        'The folder is a linked Git worktree. The copy does not include its history, so that the original cannot be changed through the copy.',
      );
    else if (entry.isFile()) {
      await fs.copyFile(place, copy, fs.constants.COPYFILE_FICLONE);
      const { atime: read, mtime: written } = await fs.stat(place);
      await fs.utimes(copy, read, written);
    }
  }
  await fs.utimes(to, atime, mtime);
}

function linkTargetInCopy(
  target: string,
  { source, root }: { readonly source: string; readonly root: string },
): string {
  return target === source || target.startsWith(source + path.sep) ? root + target.slice(source.length) : target;
}
