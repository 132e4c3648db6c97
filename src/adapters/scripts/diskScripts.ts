import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Scripts, TemporaryFile, PathUse } from '../../core/ports/scripts';
import { AttributeFiles } from '../git/attributeFiles';
import { gitSettingsOf } from '../git/gitSettings';
import { gitSettingsBelow } from '../git/settingsBelow';
import { lossesIfDeleted } from '../git/lossesIfDeleted';
import { protectedBelow } from './protectedBelow';
import { foldersMatching } from '../storage/foldersMatching';
import { readPlain, readPlainNow, listFolder } from '../storage/lenientReads';
import { matchesGlob } from '../../core/shell/syntax/globs';
import { agentIgnoring } from '../files/agentIgnore';
import { withoutOwnFiles } from '../storage/skippedFolders';
import { isWithin, withSlashes } from '../storage/diskPaths';
import { relativeTo } from '../../core/text/relativeTo';

const MAX_PATHS = 100;
const manifest = /^(package\.json|GNUmakefile|[Mm]akefile|\.?[Jj]ustfile|[Tt]askfile\.ya?ml)$/;
const script = /\.(sh|bash|zsh)$|^[\w-]+$/;
const program = /\.([mc]?[jt]s|py|rb|php|pl)$|^(gradlew|mvnw)$/;
const MAX_PROGRAMS = 60;
const scriptFolders = ['scripts', 'script', 'bin', 'tools', 'ci', '.ci', 'hack', 'build'];
const packageFolders = ['packages', 'apps', 'libs', 'services', 'modules'];

/** In ms: if the disk takes longer for one file, the remaining files are read in other threads. */
const atOnceMs = 20;

export interface DiskScriptsOptions {
  /** The outermost workspace folder around the folder, whose .agentignore also applies. Links resolved. */
  readonly around?: string;
  /** Maximum bytes read of one script. */
  readonly most?: number;
  /** Returns whether commands of the session created what is at an absolute path, and left it so. */
  isCreatedHere?(absolute: string): Promise<boolean>;
}

/** The scripts of a folder on the local disk. */
export function diskScripts(folder: string, { most, isCreatedHere, around }: DiskScriptsOptions = {}): Scripts {
  let isSlow = false;
  const attributes = new AttributeFiles(folder);
  return {
    async read(relative) {
      if (isSlow) return readInside(folder, relative, most);
      // The files are small and many: the round trip to another thread would take ten times as long as reading one.
      const began = performance.now();
      const text = readInsideNow(folder, relative, most);
      isSlow = performance.now() - began > atOnceMs;
      return text;
    },
    async usualPlaces() {
      const root = await sortedNamesIn(folder);
      const namesInRoot = new Set(root.map((name) => name.toLowerCase()));
      const namesBelow = async (folders: readonly string[]): Promise<string[]> => {
        const isThere = (each: string): boolean => each.includes('/') || namesInRoot.has(each);
        const names = await Promise.all(
          folders
            .filter(isThere)
            .map(async (each) => (await sortedNamesIn(path.join(folder, each))).map((name) => `${each}/${name}`)),
        );
        return names.flat();
      };
      const isManifest = (file: string): boolean => manifest.test(path.posix.basename(file));
      const isScript = (file: string): boolean => script.test(path.posix.basename(file));
      const isProgram = (file: string): boolean => program.test(path.posix.basename(file));
      const inScripts = await namesBelow(scriptFolders);
      const inPackages = await namesBelow((await namesBelow(packageFolders)).slice(0, 50));
      const inRoot = root.filter((name) => manifest.test(name) || /\.(sh|bash|zsh)$/.test(name));
      return [
        ...[
          ...inRoot,
          ...inScripts.filter((file) => isScript(file) || isManifest(file)),
          ...inPackages.filter(isManifest),
        ].slice(0, MAX_PATHS),
        ...[...root, ...inScripts].filter(isProgram).slice(0, MAX_PROGRAMS),
      ];
    },
    linkTargets: (path, pattern) => linkTargets(folder, path, pattern),
    protectedBelow: (path, pattern, fileSystem) => protectedBelow(folder, path, { pattern, fileSystem }),
    excludedPath: (path, how) => excludedPath({ folder, around }, path, how),
    inGit: (deleted, made) => lossesIfDeleted(folder, deleted, { made, ...(isCreatedHere && { isCreatedHere }) }),
    temporaryFile,
    gitSettings: () => gitSettingsOf(folder, attributes),
    gitSettingsBelow: (below) => gitSettingsBelow(folder, below),
    powershell: async () => (await import('./powerShellParser')).loadPowerShell(),
    hash: (text) => createHash('sha256').update(text).digest('hex').slice(0, 24),
  };
}

/**
 * Classifies a path in the machine's temporary folders. Ours is a regular file or folder of this user that was created
 * since `since` (ms since 1970), in folders for which the same is true. A link may lead anywhere and counts as foreign.
 */
export async function temporaryFile(absolute: string, since: number): Promise<TemporaryFile> {
  if (/[*?[{\0]/.test(absolute)) return 'others';
  const [, top, ...parts] = /^((?:\/private)?(?:\/var)?\/tmp)\/(.+)$/.exec(absolute) ?? [];
  if (top === undefined || parts.length === 0) return 'others';
  let at = top;
  for (const part of parts[0]!.split('/').filter((one) => one !== '' && one !== '.')) {
    at = `${at}/${part}`;
    const stat = await fs.lstat(at).catch((problem: NodeJS.ErrnoException) => problem.code);
    if (stat === 'ENOENT') return 'none';
    if (typeof stat !== 'object' || !(stat.isFile() || stat.isDirectory())) return 'others';
    if (stat.uid !== process.getuid?.() || stat.birthtimeMs < since) return 'others';
  }
  return 'ours';
}

const sortedNamesIn = async (folder: string): Promise<string[]> => (await fs.readdir(folder).catch(() => [])).sort();

async function readInside(folder: string, relative: string, most?: number): Promise<string | undefined> {
  const root = await fs.realpath(folder).catch(() => undefined);
  const real = await fs.realpath(path.resolve(folder, relative)).catch(() => undefined);
  if (root === undefined || real === undefined || !isWithin(real, root)) return undefined;
  return readPlain(real, most);
}

function readInsideNow(folder: string, relative: string, most?: number): string | undefined {
  const place = path.resolve(folder, relative);
  try {
    // Most paths asked for do not exist, and throwing takes longer than checking.
    if (statSync(place, { throwIfNoEntry: false }) === undefined) return undefined;
    const root = realpathSync.native(folder);
    const real = realpathSync.native(place);
    return isWithin(real, root) ? readPlainNow(real, most) : undefined;
  } catch {
    return undefined;
  }
}

const maxFolders = 2_000;

/** See `Scripts.excludedPath`. `spelled`: relative to the folder, or absolute inside it. */
async function excludedPath(
  { folder, around }: { readonly folder: string; readonly around: string | undefined },
  spelled: string,
  { pattern, within }: PathUse,
): Promise<string | undefined> {
  // Another folder of the workspace may have been deleted: nothing in it is excluded.
  const root = await fs.realpath(folder).catch(() => folder);
  const isLeftOut = agentIgnoring();
  const ignoredName = (absolute: string, isFolder: boolean): string | undefined =>
    isLeftOut({ folder: around ?? root, absolute }, isFolder) ? withSlashes(path.relative(root, absolute)) : undefined;
  const [named, ...below] = spelled.split(/(?:^|\/)\*\*(?=\/|$)/); // ** matches any depth
  const deep = pattern && below.length > 0;
  const places = pattern ? await foldersMatching(root, deep ? named! : spelled) : [path.resolve(root, spelled)];
  let folders = 0;
  for (const place of places) {
    const isFolder = await fs.stat(place).then(
      (stat) => stat.isDirectory(),
      () => false,
    );
    const itself = ignoredName(place, isFolder);
    if (itself !== undefined) return itself;
    const queue = (within || deep) && isFolder ? [place] : [];
    for (let next = queue.shift(); next !== undefined && folders++ < maxFolders; next = queue.shift()) {
      for (const entry of await listFolder(next)) {
        const absolute = path.join(next, entry.name);
        const found = ignoredName(absolute, entry.isDirectory());
        if (found !== undefined) return found;
        if (entry.isDirectory() && !withoutOwnFiles.has(entry.name)) queue.push(absolute);
      }
    }
  }
  return undefined;
}

const MAX_ENTRIES = 20_000;

/** One possible resolution of a path: where it has got to, and whether a link led there. */
interface Way {
  readonly path: string;
  readonly linked: boolean;
  /** Names after a missing one: none of them can be a link, so they are not checked. */
  readonly missingNames: string[];
}

/**
 * See `Scripts.linkTargets`. Resolves part by part as a shell does: ".." after a link is the parent of the link's target.
 */
export async function linkTargets(folder: string, spelled: string, pattern: boolean): Promise<readonly string[]> {
  const root = await fs.realpath(folder);
  const parts = spelled.split('/').filter((part) => part !== '' && part !== '.');
  const entries = new FittingEntries();
  let ways: Way[] = [{ path: spelled.startsWith('/') ? '/' : root, linked: false, missingNames: [] }];
  for (const [index, part] of parts.entries()) {
    const isPattern = pattern && /[*?[{]/.test(part);
    const next: Way[] = [];
    for (const way of ways) {
      const isMissing = way.missingNames.length > 0;
      if (part === '..') next.push(wayToParent(way));
      else if (!isPattern) next.push(isMissing ? wayToMissing(way, part) : await step(way, part));
      else if (!isMissing)
        for (const name of await entries.of(way, part, { isLast: index === parts.length - 1 }))
          next.push(await step(way, name));
    }
    ways = next;
  }
  return [
    ...new Set(
      ways
        .filter(({ linked }) => linked)
        .map((way) => relativeTo(root, path.join(way.path, way.missingNames.join('/')))),
    ),
  ];
}

/** Lists what patterns may mean, up to a maximum number of names. */
class FittingEntries {
  private namesRead = 0;

  /** Returns the names of links that match, and of folders that may contain one. Throws if they are too many. */
  async of(way: Way, pattern: string, { isLast }: { readonly isLast: boolean }): Promise<string[]> {
    const entries = await listFolder(way.path);
    this.namesRead += entries.length;
    if (this.namesRead > MAX_ENTRIES) throw new Error('A pattern matches more names than can be checked.');
    return entries
      .filter((entry) => matchesGlob(pattern, entry.name))
      .filter((entry) => entry.isSymbolicLink() || way.linked || (!isLast && entry.isDirectory()))
      .map(({ name }) => name);
  }
}

function wayToParent(way: Way): Way {
  if (way.missingNames.length === 0) return { ...way, path: path.dirname(way.path) };
  way.missingNames.pop();
  return way;
}

function wayToMissing(way: Way, name: string): Way {
  way.missingNames.push(name);
  return way;
}

/** A dangling link also counts: writing through it creates its target. */
async function step({ path: at, linked }: Way, name: string): Promise<Way> {
  const next = path.join(at, name);
  const stat = await fs.lstat(next).catch(() => undefined);
  if (!stat) return { path: at, linked, missingNames: [name] };
  if (!stat.isSymbolicLink()) return { path: next, linked, missingNames: [] };
  const real = await fs.realpath(next).catch(async () => path.resolve(at, await fs.readlink(next).catch(() => name)));
  return { path: real, linked: true, missingNames: [] };
}
