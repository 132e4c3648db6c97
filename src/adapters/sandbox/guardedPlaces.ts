import fs from 'node:fs';
import path from 'node:path';
import { gitSettingsIn } from '../../core/security/gitSettings';
import { statsOf } from '../storage/folderStamps';
import { namesIn } from '../storage/namesIn';
import { isObeyed } from './guardedTree';
import { entriesOf, kindOf, madeForSandbox } from './madePlaces';

/**
 * Made where they are missing, so that nothing can be put there: what Git and the editor obey at once. Git and
 * most file lists do not show empty folders.
 */
export const neverMissing = ['.git', '.vscode'];
/**
 * Inside a repository the rest stays writable, so that commits work. These are made where they are
 * missing: folders, and files with a content that changes nothing for Git. `commondir` says where
 * settings and hooks lie: where it is anyway.
 */
export const inGit = {
  folders: ['hooks', 'info', 'modules', 'worktrees'],
  files: new Map([
    ['config', ''],
    ['config.worktree', ''],
    ['commondir', '.\n'],
  ]),
};

export interface Guarded {
  /** Arguments for bubblewrap. */
  readonly arguments: readonly string[];
  /** What may not be written; absolute. */
  readonly readOnly: readonly string[];
  /** Created only to be guarded; whoever created it removes it, last one first. */
  readonly made: readonly string[];
}

/**
 * Makes what other programs obey read-only inside `folder`: at its top, and at the places `below`, which
 * are relative. A guarded entry cannot be moved away either, because something is mounted on it; nor can a
 * folder with a leading dot that holds one.
 */
export function guard(folder: string, below: readonly string[] = []): Guarded {
  const made = neverMissing.map((name) => path.join(folder, name)).filter((place) => madeForSandbox(place));
  const all = [...obeyed(folder), ...deepRepositories(folder)];
  const stores = storesBeside(all, folder);
  const open = [...all.filter((place) => path.basename(place) === '.git'), ...stores].filter(staysWritable);
  const within = open.flatMap((git) => [...inGit.folders, ...inGit.files.keys()].map((name) => path.join(git, name)));
  made.push(...within.filter((place) => madeForSandbox(place, inGit.files.get(path.basename(place)))));
  const repositories = [...all.filter((place) => path.basename(place) === '.git'), ...stores];
  const named = repositories.flatMap((git) => namedBySettings(git, folder));
  const deep = [...below.map((place) => path.join(folder, place)), ...named];
  const readOnly = [...[...all, ...stores].filter((place) => !open.includes(place)), ...within, ...deep].filter(
    (place) => ['file', 'folder'].includes(kindOf(place)),
  );
  const hidden = deep
    .map((place) => path.dirname(place))
    .filter((place) => path.basename(place).startsWith('.') && kindOf(place) === 'folder');
  const holding = [...new Set([...named.flatMap((place) => foldersAround(place, folder)), ...hidden])];
  return {
    arguments: [
      ...[...open, ...holding].flatMap((place) => ['--bind', place, place]),
      ...readOnly.flatMap((place) => ['--ro-bind', place, place]),
    ],
    readOnly,
    made,
  };
}

const mostFolders = 1000;
const mostFound = 40;
const deepest = 6;
/** Others' packages: large, and no repositories. */
const passedBy = /^(\.git|node_modules|\.?venv|site-packages)$/;

/**
 * The repositories more than one level below `folder`, each by its `.git`: the nearest first, and only as far as a
 * bounded look finds them. Links are not followed.
 */
export function deepRepositories(folder: string): string[] {
  const found: string[] = [];
  const folders = [''];
  for (let at = 0; at < folders.length && at < mostFolders && found.length < mostFound; at++) {
    const below = folders[at]!;
    const depth = below === '' ? 0 : below.split(path.sep).length;
    for (const entry of entriesOf(path.join(folder, below))) {
      if (entry.name === '.git' && depth > 1) found.push(path.join(folder, below, '.git'));
      else if (entry.isDirectory() && depth < deepest && !passedBy.test(entry.name))
        folders.push(path.join(below, entry.name));
    }
  }
  return found;
}

/** What the names in a folder say about it. */
export interface TopOfFolder {
  /** What other programs obey by its name. */
  readonly obeyed: readonly string[];
  /** What a repository could be in: all but plain files. */
  readonly holders: readonly string[];
}

export function topOf(folder: string): TopOfFolder {
  const entries = entriesOf(folder);
  const obeyed = entries.map(({ name }) => name).filter((name) => name === '.github' || isObeyed(name));
  const holders = entries.filter((entry) => entry.name !== '.git' && !entry.isFile()).map(({ name }) => name);
  return { obeyed, holders };
}

/** Repositories one level below `folder`, in which Git and editors look by themselves. */
export function repositoriesIn(folder: string, holders: readonly string[]): string[] {
  const found = holders.filter(
    (name) => statsOf(`${folder}/${name}/.git`) !== undefined && !isNamedAnyway(folder, name),
  );
  return found.map((name) => `${folder}/${name}/.git`);
}

/** What other programs obey in `folder` now: files at its top, and repositories one level below. */
function obeyed(folder: string): string[] {
  const top = topOf(folder);
  return [...top.obeyed.map((name) => path.join(folder, name)), ...repositoriesIn(folder, top.holders)];
}

/**
 * Whether `name` is a link to the folder itself or to something in it. A repository there is reported under its own
 * name.
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
 * Whether commits can be let write `git`: a repository whose guarded parts are no links, which could be replaced, and
 * whose settings a `commondir` does not change.
 */
function staysWritable(git: string): boolean {
  if (kindOf(git) !== 'folder' || !namesIn(git).includes('HEAD')) return false;
  if ([...inGit.folders, ...inGit.files.keys()].some((name) => kindOf(path.join(git, name)) === 'other')) return false;
  return !['config', 'config.worktree'].some((name) =>
    /^[ \t\f\v]*(?:\[core\]\s*)?(?:worktree\b|bare[ \t]*(?:$|[;#]|=(?![ \t]*"?(?:false|no|off|0)\b)))/im.test(
      textOf(path.join(git, name)),
    ),
  );
}

function textOf(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Folders of the workspace that a `.git` of it only points to: by its text, as
 * worktrees and submodules have it, or as a link.
 */
function storesBeside(guarded: readonly string[], folder: string): string[] {
  const stores: string[] = [];
  const isCovered = (place: string): boolean =>
    [...guarded, ...stores].some((each) => `${place}/`.startsWith(`${each}/`));
  const targets = guarded
    .filter((place) => path.basename(place) === '.git' && kindOf(place) !== 'folder')
    .flatMap(pointedTo);
  // The outermost first: with it the others in it are guarded.
  for (const target of targets.sort((a, b) => a.length - b.length)) {
    if (target.startsWith(`${folder}/`) && !isCovered(target)) stores.push(target);
  }
  return stores;
}

/**
 * Places of the workspace that the settings of a repository name: where its hooks
 * lie, and other settings that it includes.
 */
function namedBySettings(git: string, folder: string): string[] {
  const settings = ['config', 'config.worktree'].flatMap((file) => gitSettingsIn(textOf(path.join(git, file))));
  const found = settings.flatMap(({ name, value }) => {
    const place = /^"?([^"\r\s][^"\r]*)/.exec(value)?.[1]?.trimEnd();
    if (place === undefined) return [];
    // Hooks are looked for from the files of the repository, other settings from where they are named.
    if (name === 'core.hookspath') return [path.resolve(path.dirname(git), place)];
    const isIncluded = /^include(?:if)?\./.test(name) && name.endsWith('.path');
    return isIncluded ? [path.resolve(git, place)] : [];
  });
  return found
    .flatMap((place) => realPath(place) ?? [])
    .filter((place) => place.startsWith(`${folder}/`) && !place.startsWith(`${git}/`));
}

/**
 * The folders between the workspace and a place in it, outermost first. Only the place itself shows that one of them
 * was replaced.
 */
function foldersAround(place: string, folder: string): string[] {
  const parts = path.relative(folder, path.dirname(place)).split(path.sep).filter(Boolean);
  return parts.map((_, at) => path.join(folder, ...parts.slice(0, at + 1)));
}

/** Where a `.git` that is no folder points to, and where that keeps what several worktrees share. */
function pointedTo(git: string): string[] {
  const named =
    kindOf(git) === 'file' ? /^gitdir:[ \t]*(\S.*)$/m.exec(textOf(git))?.[1]?.trimEnd() : path.basename(git);
  const store = named === undefined ? undefined : realPath(path.resolve(path.dirname(git), named));
  if (store === undefined) return [];
  const common = textOf(path.join(store, 'commondir')).trim();
  const shared = common === '' ? undefined : realPath(path.resolve(store, common));
  return shared === undefined ? [store] : [store, shared];
}

function realPath(place: string): string | undefined {
  try {
    return fs.realpathSync(place);
  } catch {
    return undefined;
  }
}
