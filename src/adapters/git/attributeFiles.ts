import fs from 'node:fs/promises';
import path from 'node:path';
import { byName } from '../../core/text/order';
import {
  couldChangeUnnoticed,
  FolderStamps,
  folderStamp,
  isSameStamp,
  type FolderStamp,
} from '../storage/folderStamps';
import { readPlain } from '../storage/lenientReads';
import { withoutAttributes } from '../storage/skippedFolders';

const attributes = '.gitattributes';
/** Maximum size of a file with settings, attributes or a hook. */
export const maxSettingsBytes = 1024 * 1024;
/** Maximum number of folders that are searched. */
const maxFolders = 400;
const maxDepth = 4;

/** Returns the text of a file with attributes or a hook; "?" if it cannot be read. */
export const textOrMark = async (file: string): Promise<string> => (await readPlain(file, maxSettingsBytes)) ?? '?';

interface KnownFolder {
  readonly stamp: FolderStamp;
  /** True if the folder could have changed again since without a new stamp. */
  readonly isFresh: boolean;
  readonly hasAttributes: boolean;
  /** Names of the folders in it that are searched, too. */
  readonly folders: readonly string[];
}

/** The `.gitattributes` files in a folder and below it. The names in a folder are read again only if it changed. */
export class AttributeFiles {
  #known = new Map<string, KnownFolder>();

  constructor(private readonly root: string) {}

  /** Returns the path of each, relative to the root, and its text. Outer folders come first. */
  async read(): Promise<[path: string, text: string][]> {
    const found: [string, string][] = [];
    const known = new Map<string, KnownFolder>();
    const stamps = new FolderStamps();
    await stamps.ahead(Array.from(this.#known.keys(), (place) => path.join(this.root, place)));
    let level = ['.'];
    let left = maxFolders;
    for (let depth = 0; level.length > 0 && depth <= maxDepth; depth++) {
      const places = level.slice(0, left);
      left -= places.length;
      const folders = await Promise.all(places.map((place) => this.#folderAt(place, stamps)));
      level = [];
      for (const [at, place] of places.entries()) {
        const folder = folders[at];
        if (!folder) continue;
        known.set(place, folder);
        if (folder.hasAttributes) found.push(await this.#fileIn(place));
        level.push(...folder.folders.map((name) => path.join(place, name)));
      }
    }
    this.#known = known;
    return found;
  }

  async #fileIn(place: string): Promise<[string, string]> {
    const file = path.join(place, attributes);
    return [file, await textOrMark(path.join(this.root, file))];
  }

  /** Returns undefined if there is no folder, or it cannot be read. */
  async #folderAt(place: string, stamps: FolderStamps): Promise<KnownFolder | undefined> {
    const absolute = path.join(this.root, place);
    // The root itself may be a link.
    const stamp = place === '.' ? folderStamp(absolute, { follows: true }) : stamps.of(absolute);
    if (!stamp) return undefined;
    const known = this.#known.get(place);
    if (known && !known.isFresh && isSameStamp(known.stamp, stamp)) return known;
    // Judged before the names are read: a change after that has another timestamp then.
    const isFresh = couldChangeUnnoticed(stamp.changedMs);
    const entries = await fs.readdir(absolute, { withFileTypes: true }).catch(() => undefined);
    return (
      entries && {
        stamp,
        isFresh,
        hasAttributes: entries.some(({ name }) => name === attributes),
        folders: entries
          .filter((entry) => entry.isDirectory() && entry.name !== attributes && !withoutAttributes.has(entry.name))
          .sort(byName)
          .map(({ name }) => name),
      }
    );
  }
}
