import fs from 'node:fs';
import path from 'node:path';
import { shownName } from '../../core/text/shownName';
import {
  couldChangeUnnoticed,
  FolderStamps,
  isSameStamp,
  folderStamp,
  type FolderStamp,
} from '../storage/folderStamps';
import { repositoriesIn, topOf, type TopOfFolder } from './guardedPlaces';
import { GuardedTree } from './guardedTree';

/** Which names count depends only on the folder's entries, so this is valid as long as its stamp is unchanged. */
interface KnownTop extends TopOfFolder {
  readonly stamp: FolderStamp | undefined;
  readonly isFresh: boolean;
}

/** What other programs obey in the folders of a workspace, at every depth. */
export class GuardedTrees {
  readonly #trees: ReadonlyMap<string, GuardedTree>;
  readonly #tops = new Map<string, KnownTop>();
  /** The entries at the top at the last report, and when that was. */
  #last: { readonly atTop: ReadonlySet<string>; readonly at: number } | undefined;

  /** Entries that appeared since the sandbox started, so no mount guards them; each with its last known version. */
  readonly #unguarded = new Map<string, string>();

  constructor(private readonly folders: readonly string[]) {
    this.#trees = new Map(folders.map((folder) => [folder, new GuardedTree(folder)]));
  }

  /** Reads the folders; call it before a sandbox starts in them. */
  async begin(): Promise<void> {
    await Promise.all([...this.#trees.values()].map((tree) => tree.begin()));
  }

  /** Returns what is below the top of a folder, as relative paths. */
  placesBelowTop(folder: string): string[] {
    return this.#trees.get(folder)!.places();
  }

  /**
   * Call it before a command. The returned function returns the absolute paths that appeared since, or changed after
   * they appeared; with `sinceLast`, since its last result. It reuses stamps that were taken meanwhile. `made`: what
   * was created for the sandbox itself.
   */
  watch(made: ReadonlySet<string>, sinceLast: boolean): (stamps?: FolderStamps) => string[] {
    // Changes that the user made between two commands are not the command's.
    if (!sinceLast) this.#changedAgain();
    const before = (sinceLast && this.#last) || { atTop: new Set(this.#atTop()), at: Date.now() };
    return (stamps = new FolderStamps()) => {
      // Trees first: the check of the top depends on the folders that they still cover.
      const below = [...this.#trees].flatMap(([folder, tree]) =>
        tree.createdSince(before.at, stamps).map((place) => path.join(folder, place)),
      );
      const now = this.#atTop();
      this.#last = { atTop: new Set(now), at: stamps.since };
      const atTop = now.filter((place) => !before.atTop.has(place));
      const newPlaces = [...new Set([...atTop, ...below])].filter((place) => !made.has(place));
      const changed = this.#changedAgain();
      for (const place of newPlaces) this.#unguarded.set(place, versionOf(place));
      return [...new Set([...newPlaces, ...changed])];
    };
  }

  /** Updates the versions of the unguarded entries. Returns existing ones that changed. */
  #changedAgain(): string[] {
    const changed: string[] = [];
    for (const [place, before] of this.#unguarded) {
      const now = versionOf(place);
      this.#unguarded.set(place, now);
      if (now !== '' && now !== before) changed.push(place);
    }
    return changed;
  }

  /** Repositories in folders that a tree checks are reported by the tree. */
  #atTop(): string[] {
    return this.folders.flatMap((folder) => {
      const { obeyed, holders } = this.#top(folder);
      const tree = this.#trees.get(folder)!;
      const aside = holders.filter((name) => !tree.isChecked(name));
      return [...obeyed.map((name) => path.join(folder, name)), ...repositoriesIn(folder, aside)];
    });
  }

  #top(folder: string): KnownTop {
    const stamp = folderStamp(folder);
    const known = this.#tops.get(folder);
    if (stamp && known?.stamp && !known.isFresh && isSameStamp(stamp, known.stamp)) return known;
    const read: KnownTop = {
      ...topOf(folder),
      stamp,
      isFresh: stamp === undefined || couldChangeUnnoticed(stamp.changedMs),
    };
    this.#tops.set(folder, read);
    return read;
  }
}

/**
 * Returns a text that changes when the file is replaced or written; empty if it does not exist. For a repository only
 * what others obey counts: the rest changes with every commit.
 */
function versionOf(place: string): string {
  const name = path.basename(place);
  const repository = name === '.git' ? place : path.dirname(place);
  const parts = ['.git', 'HEAD'].includes(name)
    ? ['config', 'hooks'].map((part) => path.join(repository, part))
    : [place];
  return parts.map(statsInWords).join('');
}

function statsInWords(place: string): string {
  const stats = fs.lstatSync(place, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.ino} ${stats.ctimeMs} ${stats.size};`;
}

const maxNamed = 20;

/**
 * Returns the message about new files that other programs obey; empty if there are none. `leftBehind`: they may have
 * existed before the command.
 */
export function plantedWords(places: readonly string[], leftBehind: boolean): string {
  if (places.length === 0) return '';
  const more = places.length > maxNamed ? ` and ${places.length - maxNamed} more` : '';
  // The command chose the names, and the message is shown as Waymark's.
  const names = `${places.slice(0, maxNamed).map(shownName).join(', ')}${more}`;
  const since = leftBehind ? 'Since the previous command' : 'During the command';
  return `${since}, files that other programs obey were created or changed: ${names}. Waymark does not undo this: say why they are there.`;
}
