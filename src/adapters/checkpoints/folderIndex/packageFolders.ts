import fs, { type Stats } from 'node:fs';
import path from 'node:path';
import { gitFolder } from '../../git/gitSettings';
import { repositoryAbove } from '../../git/repositoryAbove';
import { trackedFiles } from '../../git/trackedFiles';
import { readPlainNow } from '../../storage/lenientReads';
import { cacheTag, leftOutFolders } from '../coverage';
import { reachedStat } from './foundEntries';
import type { IndexNode } from './indexTree';

/** Folders of package managers in which people also keep files of their own, such as fixtures of tests. */
const packageFolders: ReadonlySet<string> = new Set(['node_modules', 'bower_components', '.venv', 'venv']);

/** Maximum number of entries in a folder that counts as written by people. */
const maxEntries = 500;

/** What only programs put into these folders. */
const marks: ReadonlySet<string> = new Set([
  cacheTag,
  '.bin',
  '.cache',
  '.package-lock.json',
  '.modules.yaml',
  '.pnpm',
  '.yarn-integrity',
  '.yarn-state.yml',
  '.vite',
  '.vite-temp',
  'pyvenv.cfg',
]);

/** Files in the `node_modules` of a project that name the packages installed elsewhere in it. */
const installLists = ['.package-lock.json', '.yarn-state.yml'];
/** Maximum size of such a list to read, in bytes. */
const maxListBytes = 64 * 1024 * 1024;

/** Matches the path of a file in a folder that checkpoints leave out. */
const belowLeftOut = new RegExp(`(?:^|/)(?:${leftOutFolders.map((name) => name.replaceAll('.', '\\.')).join('|')})/`);

/**
 * Finds what people wrote in folders with names that checkpoints leave out: small folders that no program filled, and
 * files that Git tracks. Outside a repository there are none.
 */
export class PackageFolders {
  /** Files that Git tracks in such folders, as absolute paths. */
  tracked: readonly string[] = [];
  /** The inodes of folders that were left out. They stay so, since their earlier contents are unknown. */
  private readonly leftOut = new Map<string, number>();
  /** Root of the repository; undefined outside of one. */
  private root: string | undefined;
  private indexStamp = '';

  constructor(private readonly folder: string) {}

  /** Call before a scan. Resolves to whether Git may track other files than before. */
  async refresh(): Promise<boolean> {
    const root = [this.folder, ...repositoryAbove(this.folder)].at(-1)!;
    const own = fs.existsSync(path.join(root, '.git')) ? await gitFolder(root) : undefined;
    // Where there is no repository, the sandbox puts an empty folder in its place while a command runs.
    const isRepository = own !== undefined && fs.existsSync(path.join(own, 'HEAD'));
    this.root = isRepository ? root : undefined;
    const index = isRepository ? path.join(own, 'index') : undefined;
    const stat = index === undefined ? undefined : reachedStat(index);
    const stamp = stat ? `${stat.mtimeMs}-${stat.ctimeMs}-${stat.size}-${stat.ino}` : '';
    if (stamp === this.indexStamp) return false;
    this.indexStamp = stamp;
    const names = index === undefined || !stat ? [] : ((await trackedFiles(index, belowLeftOut)) ?? []);
    this.tracked = names.map((name) => path.join(root, name)).filter((file) => file.startsWith(this.folder + path.sep));
    return true;
  }

  /** Returns whether people wrote a folder whose name is left out. `known`: what was there at the last scan. */
  isCovered(absolute: string, { ino, mtimeMs, ctimeMs }: Stats, known: IndexNode | undefined): boolean {
    if (this.root === undefined && known === undefined) return false;
    if (!packageFolders.has(path.basename(absolute)) || this.leftOut.get(absolute) === ino) return false;
    const isKnown = known?.kind === 'folder' && known.ino === ino && !known.isFresh;
    if (isKnown && known.mtimeMs === mtimeMs && known.ctimeMs === ctimeMs) return true;
    if (isSmallAndUnmarked(absolute) && !(known === undefined && this.isInstalledFromAbove(absolute))) return true;
    this.leftOut.set(absolute, ino);
    return false;
  }

  /** Returns whether an installer put the folder into a part of its project and keeps its list at the root of that. */
  private isInstalledFromAbove(absolute: string): boolean {
    const { root } = this;
    if (root === undefined) return false;
    for (let project = path.dirname(absolute); project.length > root.length;) {
      project = path.dirname(project);
      const modules = path.join(project, 'node_modules');
      const listedPath = `"${path.relative(project, absolute).split(path.sep).join('/')}/`;
      const isListedIn = (list: string): boolean =>
        readPlainNow(path.join(modules, list), maxListBytes)?.includes(listedPath) ?? false;
      if (installLists.some(isListedIn)) return !this.tracked.some((file) => file.startsWith(absolute + path.sep));
    }
    return false;
  }
}

/** Returns whether a folder contains few entries, and neither marks of programs nor links to packages elsewhere. */
function isSmallAndUnmarked(folder: string): boolean {
  let count = 0;
  const waiting = [folder];
  try {
    for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
      const isTop = current === folder;
      const holdsPackages = isTop || (path.dirname(current) === folder && path.basename(current).startsWith('@'));
      for (const entry of fs.readdirSync(current, { withFileTypes: true })) {
        count++;
        const isMark = isTop ? marks.has(entry.name) : entry.name === '.bower.json';
        const isLinkedPackage = holdsPackages && entry.isSymbolicLink();
        if (isMark || isLinkedPackage || count > maxEntries) return false;
        if (entry.isDirectory()) waiting.push(path.join(current, entry.name));
      }
    }
    return true;
  } catch {
    return false;
  }
}
