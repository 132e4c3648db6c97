import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Scripts, TemporaryFile } from '../../core/ports/scripts';
import { gitSettingsOf } from '../git/gitSettings';
import { lossesIfDeleted } from '../git/lossesIfDeleted';
import { excludedPath } from './excludedPath';
import { linkTargets } from './linkTargets';
import { protectedBelow } from './protectedBelow';
import { readPlain, readPlainNow } from '../storage/plainFile';

const MAX_PATHS = 100;
const manifest = /^(package\.json|GNUmakefile|[Mm]akefile|\.?[Jj]ustfile|[Tt]askfile\.ya?ml)$/;
const script = /\.(sh|bash|zsh)$|^[\w-]+$/;
const program = /\.([mc]?[jt]s|py|rb|php|pl)$|^(gradlew|mvnw)$/;
const MAX_PROGRAMS = 60;
const scriptFolders = ['scripts', 'script', 'bin', 'tools', 'ci', '.ci', 'hack', 'build'];
const packageFolders = ['packages', 'apps', 'libs', 'services', 'modules'];

/** In ms: if the disk takes longer for one file, the remaining files are read in other threads. */
const atOnceMs = 20;

/** The scripts of a folder on the local disk. `most`: maximum bytes read of one. */
export function diskScripts(folder: string, most?: number): Scripts {
  let isSlow = false;
  return {
    async read(relative) {
      if (isSlow) return readInside(folder, relative, most);
      // The files are small and many: the round trip to another thread would take ten times as long as reading one.
      const began = performance.now();
      const text = readInsideNow(folder, relative, most);
      isSlow = performance.now() - began > atOnceMs;
      return text;
    },
    async usual() {
      const root = await sortedNamesIn(folder);
      const namesInRoot = new Set(root.map((name) => name.toLowerCase()));
      const below = async (folders: readonly string[]): Promise<string[]> => {
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
      const inScripts = await below(scriptFolders);
      const inPackages = await below((await below(packageFolders)).slice(0, 50));
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
    excludedPath: (path, how) => excludedPath(folder, path, how),
    inGit: (deleted, made) => lossesIfDeleted(folder, deleted, made),
    temporaryFile,
    gitSettings: () => gitSettingsOf(folder),
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
  if (root === undefined || real === undefined || !real.startsWith(root + path.sep)) return undefined;
  return readPlain(real, most);
}

function readInsideNow(folder: string, relative: string, most?: number): string | undefined {
  const place = path.resolve(folder, relative);
  try {
    // Most paths asked for do not exist, and throwing takes longer than checking.
    if (statSync(place, { throwIfNoEntry: false }) === undefined) return undefined;
    const root = realpathSync.native(folder);
    const real = realpathSync.native(place);
    return real.startsWith(root + path.sep) ? readPlainNow(real, most) : undefined;
  } catch {
    return undefined;
  }
}
