import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { locationOf, skillFileNames, skillFolders, skillPlacesIn } from '../../core/skills/locations';
import type { SkillFile, SkillRoot } from '../../core/skills/skill';
import { agentIgnoring } from '../agentIgnore';
import { findRipgrep } from '../ripgrepBinary';

export interface SkillPlaces {
  /** Workspace folders; absolute. */
  readonly folders: readonly string[];
  /** The person's home folder; that of the account when absent. */
  readonly home?: string;
  /** VS Code's own installation folder, for ripgrep. */
  readonly editorRoot?: string;
}

export type FoundFile = Omit<SkillFile, 'text' | 'hash'> & { readonly absolute: string };

const deepest = 6;
const mostFiles = 20_000;

/** Every file that is a skill by its path: in the workspace, in the folders above it up to the root of its repository, and in the home folder. */
export async function findSkillFiles({ folders, home = os.homedir(), editorRoot }: SkillPlaces): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>();
  const leftOut = agentIgnoring();
  const add = (absolute: string, base: string, root: SkillRoot, folder?: string): void => {
    const below = path.relative(base, absolute).split(path.sep).join('/');
    const shown = root === 'workspace' ? [folder, below].filter(Boolean).join('/') : absolute.split(path.sep).join('/');
    if (root === 'workspace' && leftOut({ folder: base, absolute })) return;
    if (!found.has(absolute) && locationOf(below, root)) found.set(absolute, { path: shown, absolute, ...(shown !== below && { below }), ...(root !== 'workspace' && { root }), ...(folder && { folder }) });
  };
  const binary = findRipgrep({ folders, ...(editorRoot !== undefined && { editorRoot }) });
  await Promise.all(folders.map(async (given, index) => {
    const real = await fs.promises.realpath(given).catch(() => given);
    const folder = index === 0 ? undefined : path.basename(real);
    // At the top the places are looked into even where Git ignores them, and through links that stay inside.
    const [listed, linked] = await Promise.all([binary === undefined ? walk(real, real) : listWithRipgrep(binary, real), walkAll(skillPlacesIn('workspace').map(name => path.join(real, name)), real)]);
    for (const file of [...listed, ...linked]) add(file, real, 'workspace', folder);
    for (const higher of await repositoryAbove(real)) for (const file of await walkAll(skillPlacesIn('above').map(name => path.join(higher, name)), higher)) add(file, higher, 'above');
  }));
  for (const file of await walkAll(skillPlacesIn('home').map(name => path.join(home, name)), undefined)) add(file, home, 'home');
  return [...found.values()];
}

function listWithRipgrep(binary: string, folder: string): Promise<string[]> {
  const globs = [...skillFileNames, ...skillFolders.map(name => `**/${name}/**`)].map(glob => `--iglob=${glob}`);
  return new Promise(resolve => {
    execFile(binary, ['--files', '--no-config', '--no-messages', '--hidden', '--no-require-git', '--null', ...globs, '--iglob=!.git', '--iglob=!node_modules', folder], { maxBuffer: 64 << 20, encoding: 'utf8' }, (_error, stdout) => {
      resolve(stdout.split('\0').filter(Boolean).slice(0, mostFiles));
    });
  });
}

/** The folders above, up to the root of the repository that the folder lies in; none outside a repository. */
async function repositoryAbove(folder: string): Promise<string[]> {
  const higher: string[] = [];
  for (let at = folder; !fs.existsSync(path.join(at, '.git')); at = path.dirname(at)) {
    if (path.dirname(at) === at) return [];
    higher.push(path.dirname(at));
  }
  return higher;
}

const walkAll = async (places: readonly string[], bound: string | undefined): Promise<string[]> => (await Promise.all(places.map(async place => (await isWithin(place, bound) ? walk(place, bound) : [])))).flat();

/** Whether a place lies inside, whatever links lead to it. */
async function isWithin(place: string, bound: string | undefined): Promise<boolean> {
  if (bound === undefined) return true;
  const [real, outer] = await Promise.all([place, bound].map(each => fs.promises.realpath(each).catch(() => undefined)));
  return real !== undefined && outer !== undefined && (real === outer || real.startsWith(outer.endsWith(path.sep) ? outer : `${outer}${path.sep}`));
}

/** All files below `place`, or itself. Links are followed where they stay inside `bound`; each folder once. */
async function walk(place: string, bound: string | undefined, depth = 0, seen = new Set<string>()): Promise<string[]> {
  const stat = await fs.promises.lstat(place).catch(() => undefined);
  if (!stat || depth > deepest || seen.size > mostFiles) return [];
  if (stat.isSymbolicLink()) {
    const real = await fs.promises.realpath(place).catch(() => undefined);
    if (real === undefined || (bound !== undefined && !real.startsWith(`${bound}${path.sep}`))) return [];
    const target = await fs.promises.stat(place);
    return target.isFile() ? [place] : target.isDirectory() ? into(place, real, bound, depth, seen) : [];
  }
  return stat.isFile() ? [place] : stat.isDirectory() ? into(place, place, bound, depth, seen) : [];
}

async function into(place: string, real: string, bound: string | undefined, depth: number, seen: Set<string>): Promise<string[]> {
  if (seen.has(real)) return [];
  seen.add(real);
  const entries = await fs.promises.readdir(place, { withFileTypes: true }).catch(() => []);
  const wanted = entries.filter(({ name }) => name !== 'node_modules' && name !== '.git').sort((a, b) => (a.name < b.name ? -1 : 1));
  // What the folder says of its entries is enough for plain files.
  return (await Promise.all(wanted.map(async entry => (entry.isFile() && depth < deepest ? [path.join(place, entry.name)] : walk(path.join(place, entry.name), bound, depth + 1, seen))))).flat();
}
