import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { locationOf, skillFileNames, skillFolders, skillPlacesIn } from '../../core/skills/locations';
import type { SkillFile, SkillRoot } from '../../core/ports/skill';
import { agentIgnoring } from '../files/agentIgnore';
import { repositoryAbove } from '../git/repositoryAbove';
import { findRipgrep, type RipgrepPlaces, listsFiles, listWith } from '../search/ripgrepProgram';
import { createWorkspacePaths } from '../files/workspacePaths';
import { withoutOwnFiles } from '../storage/skippedFolders';
import { isReallyWithin, isWithin, withSlashes } from '../storage/diskPaths';
import { byName } from '../../core/text/order';

/** Folders in which skills are searched. */
export interface SkillPlaces {
  /** Absolute paths of the workspace folders. */
  readonly folders: readonly string[];
  /** The user's home folder; that of the account if absent. */
  readonly home?: string;
  /** VS Code's own installation folder, for ripgrep. */
  readonly editorRoot?: string;
}

/** A skill file by its path; its text is not read yet. */
export type FoundFile = Omit<SkillFile, 'text' | 'hash'> & { readonly absolute: string };

const maxDepth = 6;
const maxFiles = 20_000;

/**
 * Returns every file whose path makes it a skill, each once: in the workspace, in its parent folders up to the root of
 * the repository, and in the home folder. `outside`: the result of `findOutside`.
 */
export async function findSkillFiles(
  places: SkillPlaces,
): Promise<{ readonly files: FoundFile[]; readonly outside: FoundFile[] }> {
  const [inside, outside] = await Promise.all([findInside(places), findOutside(places)]);
  return { files: eachOnce([...inside, ...outside]), outside };
}

/**
 * Returns the skills in the workspace, with the paths that tools display: folders with the same name are distinguished.
 */
async function findInside({ folders, editorRoot }: SkillPlaces): Promise<FoundFile[]> {
  const leftOut = agentIgnoring();
  const paths = createWorkspacePaths(folders);
  return (
    await Promise.all(
      paths.folders.map(async (folder) => {
        const shown = folder === paths.root ? undefined : paths.display(folder);
        const around = paths.outermost.find((outer) => isWithin(folder, outer)) ?? folder;
        // At the top level, the skill folders are searched even if Git ignores them, and through links that stay
        // inside.
        const [atTheirPlaces, linked] = await Promise.all([
          listCandidates(folder, { folders, ...(editorRoot !== undefined && { editorRoot }) }),
          walkAll(
            skillPlacesIn('workspace').map((name) => path.join(folder, name)),
            folder,
          ),
        ]);
        return [...new Set([...atTheirPlaces, ...linked])]
          .filter((absolute) => !leftOut({ folder: around, absolute }))
          .flatMap((absolute) => foundFile(absolute, folder, 'workspace', shown));
      }),
    )
  ).flat();
}

/** Returns the skills in the parent folders of the workspace and in the home folder. */
export async function findOutside({ folders, home = os.homedir() }: SkillPlaces): Promise<FoundFile[]> {
  const above = createWorkspacePaths(folders)
    .folders.flatMap(repositoryAbove)
    .map((folder) => ({ folder, root: 'above', bound: folder }) as const);
  const places = [...above, { folder: home, root: 'home', bound: undefined } as const];
  return (
    await Promise.all(
      places.map(async ({ folder, root, bound }) =>
        (
          await walkAll(
            skillPlacesIn(root).map((name) => path.join(folder, name)),
            bound,
          )
        ).flatMap((file) => foundFile(file, folder, root)),
      ),
    )
  ).flat();
}

/** Returns the skill for a path, or nothing if it is not a skill. `folder`: prefix of displayed paths below `base`. */
function foundFile(absolute: string, base: string, root: SkillRoot, folder?: string): FoundFile[] {
  const below = withSlashes(path.relative(base, absolute));
  if (!locationOf(below, root)) return [];
  const shown = root === 'workspace' ? [folder, below].filter(Boolean).join('/') : withSlashes(absolute);
  return [
    {
      path: shown,
      absolute,
      ...(shown !== below && { below }),
      ...(root !== 'workspace' && { root }),
      ...(folder && { folder }),
    },
  ];
}

/** If a file was found several times, the first wins. */
const eachOnce = (files: readonly FoundFile[]): FoundFile[] =>
  [...new Map(files.toReversed().map((file) => [file.absolute, file])).values()].toReversed();

/** Lists the files of a folder that may be skills: those that Git does not ignore, if ripgrep is available. */
async function listCandidates(folder: string, places: RipgrepPlaces): Promise<string[]> {
  if (hasCertainlyNone(folder)) return [];
  const binary = findRipgrep(places);
  return binary === undefined ? walk(folder, folder) : listWithRipgrep(binary, folder);
}

/** Checking up to this many names is faster than starting ripgrep. */
const fewNames = 500;

/** Returns true if a quick check shows that no file of a folder is a skill by its path, ignored or not. */
function hasCertainlyNone(folder: string): boolean {
  const waiting = [folder];
  let names = 0;
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    let entries: fs.Dirent[];
    try {
      entries = fs.readdirSync(place, { withFileTypes: true });
    } catch {
      return false;
    }
    names += entries.length;
    if (names + waiting.length > fewNames) return false;
    for (const entry of entries) {
      const absolute = path.join(place, entry.name);
      if (entry.isSymbolicLink() || foundFile(absolute, folder, 'workspace').length > 0) return false;
      const isWalked = entry.isDirectory() && !withoutOwnFiles.has(entry.name);
      if (isWalked) waiting.push(absolute);
    }
  }
  return true;
}

/** If ripgrep does not work, the folder is walked: instructions must not be missed. */
async function listWithRipgrep(binary: string, folder: string): Promise<string[]> {
  // A glob overrides what Git ignores. "?*.agent" does not match the folder ".agent".
  const names = skillFileNames.map((name) => name.replace(/^\*/, '?*'));
  const globs = [...names, ...skillFolders.map((name) => `**/${name}/**`)].map((glob) => `--iglob=${glob}`);
  const { isComplete, stdout } = await listWith(binary, [
    ...listsFiles,
    ...globs,
    ...[...withoutOwnFiles].map((name) => `--iglob=!${name}`),
    folder,
  ]);
  if (!isComplete) return walk(folder, folder);
  return stdout.split('\0').filter(Boolean).slice(0, maxFiles);
}

const walkAll = async (places: readonly string[], bound: string | undefined): Promise<string[]> =>
  (
    await Promise.all(
      // Hardly any of these exists, and a synchronous check is faster than asking another thread.
      places
        .filter((place) => isThere(place))
        .filter((place) => bound === undefined || isReallyWithin(place, bound))
        .map((place) => walk(place, bound)),
    )
  ).flat();

function isThere(place: string): boolean {
  try {
    return fs.lstatSync(place, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // same as for an unreadable folder
  }
}

/**
 * Returns all files below `place`, or `place` itself if it is a file. Follows links that stay inside `bound`; visits
 * each folder once.
 */
async function walk(place: string, bound: string | undefined, depth = 0, seen = new Set<string>()): Promise<string[]> {
  const stat = await fs.promises.lstat(place).catch(() => undefined);
  if (!stat || depth > maxDepth || seen.size > maxFiles) return [];
  if (stat.isSymbolicLink()) {
    const real = await fs.promises.realpath(place).catch(() => undefined);
    if (real === undefined || (bound !== undefined && !real.startsWith(`${bound}${path.sep}`))) return [];
    const target = await fs.promises.stat(place);
    if (target.isFile()) return [place];
    return target.isDirectory() ? filesInFolder(place, real, { bound, depth, seen }) : [];
  }
  if (stat.isFile()) return [place];
  return stat.isDirectory() ? filesInFolder(place, place, { bound, depth, seen }) : [];
}

async function filesInFolder(
  place: string,
  real: string,
  { bound, depth, seen }: { readonly bound: string | undefined; readonly depth: number; readonly seen: Set<string> },
): Promise<string[]> {
  if (seen.has(real)) return [];
  seen.add(real);
  const entries = await fs.promises.readdir(place, { withFileTypes: true }).catch(() => []);
  const wanted = entries.filter(({ name }) => !withoutOwnFiles.has(name)).sort(byName);
  // For regular files and folders, the directory entry is enough.
  return (
    await Promise.all(
      wanted.map(async (entry) => {
        const found = path.join(place, entry.name);
        if (depth < maxDepth && entry.isFile()) return [found];
        if (depth < maxDepth && entry.isDirectory() && seen.size <= maxFiles)
          return filesInFolder(found, found, { bound, depth: depth + 1, seen });
        return walk(found, bound, depth + 1, seen);
      }),
    )
  ).flat();
}
