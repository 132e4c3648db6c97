import fs from 'node:fs/promises';
import path from 'node:path';
import type { SettingsBelow } from '../../core/ports/scripts';
import { isWithin, withSlashes } from '../storage/diskPaths';
import { listFolder, readPlain, readPlainBytes } from '../storage/lenientReads';
import { foldersMatching } from '../storage/foldersMatching';
import { withoutAttributes } from '../storage/skippedFolders';
import { submodules } from './gitForLooking';
import { commonFolder, gitFolder, repositoryFrom, settingsIn, type Repository } from './gitSettings';

/** Maximum number of repositories that are looked at, and of folders that are searched for them. */
const maxRepositories = 100;
const maxFolders = 2_000;
const maxDepth = 5;

/**
 * Returns the settings of the repositories below `root` that Git obeys if it starts in a folder: that of the folder, if
 * it is not that of `root` or a linked worktree of it without settings of its own, and its submodules, which Git visits.
 * `folder` may be a pattern; `**` stands for every folder below `root`.
 */
export async function gitSettingsBelow(root: string, folder: string): Promise<readonly SettingsBelow[]> {
  const top = await realPathIfAny(root);
  if (top === undefined) return [];
  const found = new Map<string, Repository>();
  for (const start of await foldersNamed(top, folder)) {
    const repository = await repositoryFrom(start);
    if (repository) await collect(repository, top, found);
  }
  const others = await Promise.all(
    [...found.values()].map(async ({ folder, own }): Promise<SettingsBelow[]> => {
      if (!isBelow(folder, top) || (await isWorktreeOf(top, own))) return [];
      const name = withSlashes(path.relative(top, folder));
      return [{ folder: name, settings: await settingsIn(own, folder), isOpen: own === folder }];
    }),
  );
  return others.flat();
}

async function foldersNamed(top: string, folder: string): Promise<readonly string[]> {
  if (folder === '**') return foldersWithGit(top);
  const named = /[*?[{]/.test(folder) ? await foldersMatching(top, folder) : [path.resolve(top, folder)];
  const real = await Promise.all(named.map((each) => realPathIfAny(each)));
  return real.filter((each) => each !== undefined).filter((each) => isWithin(each, top));
}

/** Returns the folders below `top` that contain a repository of their own. */
async function foldersWithGit(top: string): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [top];
  for (let index = 0; index < folders.length && index < maxFolders; index++) {
    const folder = folders[index]!;
    for (const entry of await listFolder(folder)) {
      if (entry.name === '.git') found.push(folder);
      else if (entry.isDirectory() && !withoutAttributes.has(entry.name) && depthBelow(folder, top) < maxDepth)
        folders.push(path.join(folder, entry.name));
    }
  }
  return found;
}

const depthBelow = (folder: string, top: string): number => path.relative(top, folder).split(path.sep).length;
const isBelow = (folder: string, top: string): boolean => folder !== top && isWithin(folder, top);
const realPathIfAny = (file: string): Promise<string | undefined> => fs.realpath(file).catch(() => undefined);

/** Adds a repository and its submodules. */
async function collect({ folder, own }: Repository, top: string, found: Map<string, Repository>): Promise<void> {
  if (found.has(folder) || found.size >= maxRepositories) return;
  found.set(folder, { folder, own });
  if (!(await mayHaveSubmodules(own))) return;
  for (const submodule of await submodules(folder, folder).catch(() => [])) {
    const ofSubmodule = isBelow(submodule, top) ? await gitFolder(submodule) : undefined;
    if (ofSubmodule !== undefined) await collect({ folder: submodule, own: ofSubmodule }, top, found);
  }
}

/** The mode of a submodule in the entries of an index. */
const submoduleMode = Buffer.from([0, 0, 0xe0, 0]);
/** The name of the extension of an index that is split into two files. */
const splitIndex = Buffer.from('link');
/** Number of bytes of the shortest hash by which it names the other file. */
const minHashBytes = 20;

/** Returns whether the index of a repository may contain submodules. Most contain none, and Git need not be started. */
async function mayHaveSubmodules(own: string): Promise<boolean> {
  const index = await readPlainBytes(path.join(own, 'index'));
  return index !== undefined && (index.includes(submoduleMode) || mayBeSplit(index));
}

/** Returns whether an index may have the extension. Names of files contain the word, too, but no plausible length after it. */
function mayBeSplit(index: Buffer): boolean {
  for (let at = index.indexOf(splitIndex); at !== -1; at = index.indexOf(splitIndex, at + 1)) {
    const begin = at + splitIndex.length + 4;
    if (begin > index.length) return false;
    const length = index.readUInt32BE(at + splitIndex.length);
    if (length >= minHashBytes && begin + length <= index.length) return true;
  }
  return false;
}

/** Returns whether the Git folder `own` is that of a linked worktree which has the settings of the repository in `root`. */
async function isWorktreeOf(root: string, own: string): Promise<boolean> {
  const ofRoot = await gitFolder(root);
  if (ofRoot === undefined) return false;
  const folders = [await commonFolder(ofRoot), await commonFolder(own), path.dirname(path.dirname(own))];
  const [settings, ...others] = await Promise.all(folders.map(realPathIfAny));
  const isLinked = path.basename(path.dirname(own)) === 'worktrees' && others.every((other) => other === settings);
  return isLinked && settings !== undefined && (await readPlain(path.join(own, 'config.worktree'))) === undefined;
}
