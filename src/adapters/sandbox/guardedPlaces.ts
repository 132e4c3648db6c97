import fs from 'node:fs';
import path from 'node:path';
import { gitSettingsIn, maxIncludeLevels, namesIncluded } from '../../core/security/gitSettings';
import { statsOf } from '../storage/folderStamps';
import { isObeyed } from './guardedTree';
import type { Guards } from './sandbox';
import { entryKindAt, madeForSandbox } from './madePlaces';
import { listFolderSync, namesIn, readTextOrEmpty, existingRealPath } from '../storage/lenientReads';
import { withoutRepositories } from '../storage/skippedFolders';

/**
 * Created if missing, so that nothing can be put there: Git and the editor use these at once. Git and most file lists
 * do not show empty folders.
 */
export const neverMissing = ['.git', '.vscode'];
/**
 * The rest of a repository stays writable, so that commits work. These are created if missing: folders, and files whose
 * content changes nothing for Git. `commondir` says where settings and hooks are: at their usual place.
 */
export const inGit = {
  folders: ['hooks', 'info', 'modules', 'worktrees'],
  files: new Map([
    ['config', ''],
    ['config.worktree', ''],
    ['commondir', '.\n'],
  ]),
};

interface Guarded {
  /** Absolute folders that stay writable but must not be moved, because of what is in them. */
  readonly immovable: readonly string[];
  /** Absolute paths that must not be written. */
  readonly readOnly: readonly string[];
  /** Created only to be guarded; the creator deletes them, last one first. */
  readonly created: readonly string[];
}

/**
 * Makes files that other programs obey read-only: at the top of `folder`, and at the relative paths `below`. A guarded
 * entry cannot be moved away either, because something is mounted on it; nor can a folder with a leading dot that
 * contains one.
 */
export function guard(folder: string, below: readonly string[] = []): Guarded {
  const created = neverMissing.map((name) => path.join(folder, name)).filter((place) => madeForSandbox(place));
  const all = [...obeyedPlaces(folder), ...deepRepositories(folder)];
  const stores = linkedGitFolders(all, folder);
  const open = [...all.filter((place) => path.basename(place) === '.git'), ...stores].filter(staysWritable);
  const within = open.flatMap((git) => [...inGit.folders, ...inGit.files.keys()].map((name) => path.join(git, name)));
  created.push(...within.filter((place) => madeForSandbox(place, inGit.files.get(path.basename(place)))));
  const repositories = [...all.filter((place) => path.basename(place) === '.git'), ...stores];
  const named = repositories.flatMap((git) => namedBySettings(git, folder));
  const deep = [...below.map((place) => path.join(folder, place)), ...named];
  const readOnly = [...[...all, ...stores].filter((place) => !open.includes(place)), ...within, ...deep].filter(
    (place) => ['file', 'folder'].includes(entryKindAt(place)),
  );
  const hidden = deep
    .map((place) => path.dirname(place))
    .filter((place) => path.basename(place).startsWith('.') && entryKindAt(place) === 'folder');
  const holding = [...new Set([...named.flatMap((place) => foldersAround(place, folder)), ...hidden])];
  return { immovable: [...open, ...holding], readOnly, created };
}

/** Returns what programs inside may not write because of `guarded`. */
export function guardsOf(guarded: readonly Guarded[]): Guards {
  return {
    readOnly: guarded.flatMap(({ readOnly }) => readOnly),
    placeholders: guarded
      .flatMap(({ created }) => created)
      .filter((place) => neverMissing.includes(path.basename(place))),
  };
}

/**
 * Returns arguments that mount `held` folders, which can then not be moved, and `readOnly` places. Outer folders come
 * first: mounting one uncovers what is mounted in it.
 */
export function mountsOf(held: readonly string[], readOnly: readonly string[]): string[] {
  const outerFirst = [...new Set(held)].sort((a, b) => a.length - b.length);
  return [
    ...outerFirst.flatMap((place) => ['--bind', place, place]),
    ...readOnly.flatMap((place) => ['--ro-bind', place, place]),
  ];
}

const maxFolders = 1000;
const maxFoundRepositories = 40;
const maxDepth = 6;

/**
 * Returns the repositories more than one level below `folder`, each by its `.git`: nearest first, within the limits of
 * the search. Does not follow links.
 */
export function deepRepositories(folder: string): string[] {
  const found: string[] = [];
  const folders = [''];
  for (let index = 0; index < folders.length && index < maxFolders && found.length < maxFoundRepositories; index++) {
    const below = folders[index]!;
    const depth = below === '' ? 0 : below.split(path.sep).length;
    for (const entry of listFolderSync(path.join(folder, below))) {
      if (entry.name === '.git' && depth > 1) found.push(path.join(folder, below, '.git'));
      else if (entry.isDirectory() && depth < maxDepth && !withoutRepositories.has(entry.name))
        folders.push(path.join(below, entry.name));
    }
  }
  return found;
}

/** What the names in a folder tell about it. */
export interface TopOfFolder {
  /** Entries that other programs obey because of their name. */
  readonly obeyed: readonly string[];
  /** Entries that could contain a repository: all except regular files. */
  readonly holders: readonly string[];
}

export function topOf(folder: string): TopOfFolder {
  const entries = listFolderSync(folder);
  const obeyed = entries.map(({ name }) => name).filter((name) => name === '.github' || isObeyed(name));
  const holders = entries.filter((entry) => entry.name !== '.git' && !entry.isFile()).map(({ name }) => name);
  return { obeyed, holders };
}

/** Returns the repositories one level below `folder`, which Git and editors find by themselves. */
export function repositoriesIn(folder: string, holders: readonly string[]): string[] {
  const found = holders.filter(
    (name) => statsOf(`${folder}/${name}/.git`) !== undefined && !isNamedAnyway(folder, name),
  );
  return found.map((name) => `${folder}/${name}/.git`);
}

/** Returns what other programs obey in `folder`: files at its top, and repositories one level below. */
function obeyedPlaces(folder: string): string[] {
  const top = topOf(folder);
  return [...top.obeyed.map((name) => path.join(folder, name)), ...repositoriesIn(folder, top.holders)];
}

/**
 * Returns whether `name` is a link to the folder itself or to something in it. A repository there is reported under its
 * own name.
 */
function isNamedAnyway(folder: string, name: string): boolean {
  try {
    const place = path.join(folder, name);
    if (!fs.lstatSync(place).isSymbolicLink()) return false;
    const [target, top] = [fs.realpathSync(place), fs.realpathSync(folder)];
    return target === top || path.dirname(target) === top;
  } catch {
    return false;
  }
}

/**
 * Returns whether `git` can stay writable for commits: its guarded parts are not links, which could be replaced, and no
 * `commondir` changes where its settings are.
 */
function staysWritable(git: string): boolean {
  if (entryKindAt(git) !== 'folder' || !namesIn(git).includes('HEAD')) return false;
  if ([...inGit.folders, ...inGit.files.keys()].some((name) => entryKindAt(path.join(git, name)) === 'other'))
    return false;
  const settings = ['config', 'config.worktree'].flatMap((name) =>
    gitSettingsIn(readTextOrEmpty(path.join(git, name))),
  );
  return !settings.some(
    ({ name, value }) => name === 'core.worktree' || (name === 'core.bare' && !/^(?:false|no|off|0|)$/i.test(value)),
  );
}

/**
 * Returns folders of the workspace to which a `.git` in it only points: by its text, as in worktrees and submodules, or
 * as a link.
 */
function linkedGitFolders(guarded: readonly string[], folder: string): string[] {
  const stores: string[] = [];
  const isCovered = (place: string): boolean =>
    [...guarded, ...stores].some((each) => `${place}/`.startsWith(`${each}/`));
  const targets = guarded
    .filter((place) => path.basename(place) === '.git' && entryKindAt(place) !== 'folder')
    .flatMap(pointedTo);
  // Outermost first: guarding it also guards those inside.
  for (const target of targets.sort((a, b) => a.length - b.length)) {
    if (target.startsWith(`${folder}/`) && !isCovered(target)) stores.push(target);
  }
  return stores;
}

/**
 * Returns paths in the workspace that a repository's settings name: its hooks, and other settings that it includes, on
 * all levels.
 */
function namedBySettings(git: string, folder: string): string[] {
  const found = new Set<string>();
  let files = ['config', 'config.worktree'].map((name) => path.join(git, name));
  for (let level = 0; level <= maxIncludeLevels && files.length > 0; level++) {
    const named = files.flatMap((file) => namedInSettings(file, git));
    files = named.filter(({ place, isIncluded }) => isIncluded && !found.has(place)).map(({ place }) => place);
    for (const { place } of named) found.add(place);
  }
  return [...found]
    .flatMap((place) => existingRealPath(place) ?? [])
    .filter((place) => place.startsWith(`${folder}/`) && !place.startsWith(`${git}/`));
}

/** A path that settings name: of hooks, or of settings that they include. */
interface NamedPlace {
  /** Absolute. */
  readonly place: string;
  readonly isIncluded: boolean;
}

/** Returns the paths that one file of settings names. */
function namedInSettings(file: string, git: string): NamedPlace[] {
  return gitSettingsIn(readTextOrEmpty(file)).flatMap(({ name, value }): NamedPlace[] => {
    if (value === '') return [];
    // Hooks are resolved from the working tree, included settings from the file that names them.
    if (name === 'core.hookspath') return [{ place: path.resolve(path.dirname(git), value), isIncluded: false }];
    return namesIncluded(name) ? [{ place: path.resolve(path.dirname(file), value), isIncluded: true }] : [];
  });
}

/**
 * Returns the folders between the workspace and a path in it, outermost first. Only the path itself shows that one of
 * them was replaced.
 */
export function foldersAround(place: string, folder: string): string[] {
  const parts = path.relative(folder, path.dirname(place)).split(path.sep).filter(Boolean);
  return parts.map((_, index) => path.join(folder, ...parts.slice(0, index + 1)));
}

/** Returns where a `.git` that is not a folder points to, and where that stores what several worktrees share. */
function pointedTo(git: string): string[] {
  const named =
    entryKindAt(git) === 'file'
      ? /^gitdir:[ \t]*(\S.*)$/m.exec(readTextOrEmpty(git))?.[1]?.trimEnd()
      : path.basename(git);
  const store = named === undefined ? undefined : existingRealPath(path.resolve(path.dirname(git), named));
  if (store === undefined) return [];
  const common = readTextOrEmpty(path.join(store, 'commondir')).trim();
  const shared = common === '' ? undefined : existingRealPath(path.resolve(store, common));
  return shared === undefined ? [store] : [store, shared];
}
