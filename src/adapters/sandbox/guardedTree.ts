import path from 'node:path';
import { protectedWrites, matchingRules } from '../../core/risk/pathRules';
import {
  couldChangeUnnoticed,
  FolderStamps,
  isSameStamp,
  folderStamp,
  statsOf,
  type FolderStamp,
} from '../storage/folderStamps';
import { git } from '../git/safeGit';
import { listFolderSync } from '../storage/lenientReads';
import { withoutGuardedFiles } from '../storage/skippedFolders';

/** Number of folders read before yielding to other work. */
const foldersInATurn = 200;
/** A repository with more folders is too large to check before each command. */
const maxFolders = 20_000;
/** Each costs the sandbox a mount, and thousands of mounts are slow. */
const maxPlaces = 300;
/**
 * The file system's clock lags a little: a change within this many ms of a check may not show in the folder's
 * timestamp.
 */
const clockMs = 50;

/**
 * All rules of the table in one expression, for names with a single spelling: checking a large tree tests each of its
 * names.
 */
const anyRule = new RegExp(
  protectedWrites
    .filter(({ level }) => level === 'high')
    .map(({ pattern }) => `(?:${pattern.source})`)
    .join('|'),
);
const isPlain = (place: string): boolean => /^[\w\-./@+]+$/.test(place) && !/\.(?:\/|$)/.test(place);

const meetsRule = (place: string): boolean =>
  isPlain(place)
    ? anyRule.test(place.toLowerCase())
    : matchingRules(place, protectedWrites).some(({ level }) => level === 'high');

/** Returns whether other programs obey a file or folder of this name, with everything in it. */
export const isObeyed = (place: string, kind: 'file' | 'any' = 'any'): boolean =>
  meetsRule(place) || (kind === 'any' && meetsRule(`${place}/`));

/**
 * A file that identifies a bare repository, reported when one appears: Git finds a repository without a folder called
 * `.git`, and obeys its settings.
 */
const headOfStore = 'HEAD';

const isStore = (names: ReadonlySet<string>): boolean =>
  names.has(headOfStore) && (names.has('commondir') || (names.has('objects') && names.has('refs')));

/** A repository changes with every commit, so it is not guarded. */
const isGuardable = (place: string): boolean => !['.git', headOfStore].includes(path.basename(place));

interface KnownFolder {
  readonly stamp: FolderStamp;
  /** True if the folder could have changed again since without a new timestamp. */
  readonly isFresh: boolean;
  /** The entries that other programs obey, by name, with their inode number. */
  readonly obeyed: ReadonlyMap<string, number>;
}

/**
 * Everything below the top of a workspace folder that other programs obey. The whole tree is read once; later checks
 * read only folders that changed.
 */
export class GuardedTree {
  readonly #known = new Map<string, KnownFolder>();
  #leftOut: ReadonlySet<string> = new Set();

  constructor(private readonly folder: string) {}

  /** Asks Git which folders it ignores, and reads the tree. */
  async begin(): Promise<void> {
    const listed = await git(this.folder, [
      'ls-files',
      '--others',
      '--ignored',
      '--exclude-standard',
      '--directory',
      '-z',
    ]);
    const entries = listed?.toString('utf8').split('\0') ?? [];
    this.#leftOut = new Set(
      entries.filter((entry) => entry.endsWith('/') && entry !== './').map((entry) => entry.slice(0, -1)),
    );
    this.#known.clear();
    let count = 0;
    for (const _ of this.#walk('')) {
      if (++count % foldersInATurn === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Returns all of them, nearest first, as relative paths; without repositories. */
  places(): string[] {
    const found = [...this.#known].flatMap(([below, { obeyed }]) =>
      [...obeyed.keys()].map((name) => joinPath(below, name)),
    );
    const depth = (place: string): number => place.split('/').length;
    return found
      .filter(isGuardable)
      .sort((a, b) => depth(a) - depth(b))
      .slice(0, maxPlaces);
  }

  /** Returns whether the entries of a folder (relative path) are checked. */
  isChecked(below: string): boolean {
    return this.#known.has(below);
  }

  /**
   * Returns entries that were created or replaced after `since` (ms since 1970), as relative paths. `stamps`: taken
   * after that time.
   */
  createdSince(since: number, stamps = new FolderStamps()): string[] {
    const found: string[] = [];
    const replaced = new Set<string>();
    // Outer folders come before those in them.
    for (const [below, known] of [...this.#known]) {
      const stamp = stamps.of(below === '' ? this.folder : `${this.folder}/${below}`);
      if (!stamp) this.#known.delete(below);
      else if (known.isFresh || !isSameStamp(stamp, known.stamp))
        this.#readAgain(below, known, stamp, { since, found, replaced });
    }
    return found;
  }

  /** `replaced`: collects folders in whose place there is another one now. */
  #readAgain(
    below: string,
    known: KnownFolder,
    stamp: FolderStamp,
    { since, found: appeared, replaced: others }: { since: number; found: string[]; replaced: Set<string> },
  ): void {
    const isNew = (place: string): boolean => (statsOf(path.join(this.folder, place))?.ctimeMs ?? 0) >= since - clockMs;
    const isOther = stamp.inode !== known.stamp.inode || stamp.device !== known.stamp.device;
    // If a folder is moved into the place of another one, the times of the folders in it stay the same.
    const replaced = isOther && (stamp.changedMs >= since - clockMs || others.has(path.posix.dirname(below)));
    if (replaced) others.add(below);
    const { obeyed, folders } = this.#readFolder(below, stamp);
    for (const [name, inode] of obeyed) {
      const place = joinPath(below, name);
      const cameNow = name === headOfStore ? !known.obeyed.has(name) : known.obeyed.get(name) !== inode && isNew(place);
      if (cameNow || (replaced && known.obeyed.get(name) !== inode)) appeared.push(place);
    }
    for (const inner of folders) {
      if (this.#known.has(inner)) continue;
      const innerEntries = [...this.#walk(inner)].flat();
      if (replaced || isNew(inner)) appeared.push(...innerEntries);
    }
  }

  /** Reads a folder and everything below; yields the obeyed entries, folder by folder. */
  *#walk(below: string): Generator<string[]> {
    const waiting = [below];
    for (let index = 0; index < waiting.length && this.#known.size < maxFolders; index++) {
      const folder = waiting[index]!;
      const stamp = folderStamp(path.join(this.folder, folder));
      if (!stamp) continue;
      const { obeyed, folders } = this.#readFolder(folder, stamp);
      waiting.push(...folders);
      yield [...obeyed.keys()].map((name) => joinPath(folder, name));
    }
  }

  #readFolder(
    below: string,
    stamp: FolderStamp,
  ): { readonly obeyed: ReadonlyMap<string, number>; readonly folders: readonly string[] } {
    const obeyed = new Map<string, number>();
    const folders: string[] = [];
    const entries = listFolderSync(path.join(this.folder, below));
    for (const entry of entries) {
      const place = joinPath(below, entry.name);
      // Entries at the top are guarded by name, whether they exist or not.
      if (below !== '' && isObeyed(place, entry.isFile() ? 'file' : 'any'))
        obeyed.set(entry.name, statsOf(path.join(this.folder, place))?.ino ?? 0);
      else if (entry.isDirectory() && !this.#isPassedBy(place, entry.name)) folders.push(place);
    }
    if (isStore(new Set(entries.map(({ name }) => name)))) obeyed.set(headOfStore, 0);
    this.#known.set(below, { stamp, isFresh: couldChangeUnnoticed(stamp.changedMs), obeyed });
    return { obeyed, folders };
  }

  /** Folders that Git ignores are passed by, because builds write and delete them. */
  #isPassedBy(place: string, name: string): boolean {
    return withoutGuardedFiles.has(name) || this.#leftOut.has(place) || (!place.includes('/') && isObeyed(place));
  }
}

const joinPath = (below: string, name: string): string => (below === '' ? name : `${below}/${name}`);
