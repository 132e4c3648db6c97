import { isCopied, type FileState } from '../../../core/changes/snapshot';
import { outermostFolders, realPath } from '../../storage/diskPaths';
import type { CheckpointStore } from '../checkpointStore';
import type { ChangeWindow } from '../folderIndex/changeWindows';
import type { FolderIndex } from '../folderIndex/folderIndex';
import { FolderWindows } from './folderWindows';

/** The indexes of the folders of a run. */
export class ScannedFolders {
  readonly indexes: readonly FolderIndex[];

  /** `folders`: as the run names them. Call `leave` at the end. */
  constructor(folders: readonly string[], store: CheckpointStore) {
    this.indexes = outermostFolders(folders.map(realPath)).map((folder) => store.index(folder));
    for (const index of this.indexes) index.join();
  }

  leave(): void {
    for (const index of this.indexes) index.leave();
  }

  /** True if every folder was scanned as a whole. */
  get areComplete(): boolean {
    return this.indexes.every(({ isComplete }) => isComplete);
  }

  /** Returns the index of the folder that contains a path. */
  indexOf(place: string): FolderIndex | undefined {
    return this.indexes.find((index) => index.holds(place));
  }

  /** Returns the state of a path at the last scan; null if it does not exist, or is outside the folders. */
  stateOf(place: string): FileState {
    return this.indexOf(place)?.stateOf(place) ?? null;
  }

  hasCopyOf(place: string): boolean {
    const state = this.stateOf(place);
    return state !== null && isCopied({ state });
  }

  canCopy(place: string): boolean {
    return this.indexOf(place)?.canCopy(place) ?? false;
  }

  /** Begins to collect changes. With `timed`, only those count that happen before `endNow` of the windows. */
  openWindows({ timed = false }: { readonly timed?: boolean } = {}): FolderWindows {
    return new FolderWindows(this.indexes.map((index) => ({ index, window: index.open({ timed }) })));
  }

  /** Scans all folders. Resolves to the number of files that were too much to copy. */
  async scan(): Promise<number> {
    const uncopied = await Promise.all(this.indexes.map((index) => index.scan()));
    return uncopied.reduce((sum, each) => sum + each, 0);
  }

  /** Does the same, except for folders with a scan that began after a moment (of `performance.now()`) and has finished. */
  async scanSince(moment: number): Promise<void> {
    await Promise.all(this.indexes.map((index) => index.scanSince(moment)));
  }

  /**
   * Scans all folders. Resolves to the changes since the scans of an earlier process, if these are the first ones of this
   * process. `cutOffAt`: when the action began that was interrupted, in ms since 1970.
   */
  async scanForFirstTime(cutOffAt: number | undefined): Promise<FolderWindows> {
    const windows = this.indexes.map((index) => {
      const window: ChangeWindow = { before: new Map(), cutOffAt };
      return { index, window };
    });
    const found = new FolderWindows(windows);
    await Promise.all(windows.map(({ index, window }) => index.scan(window))).finally(() => found.close());
    return found;
  }

  /** Scans only some paths. */
  async scanPaths(places: readonly string[]): Promise<void> {
    for (const index of this.indexes) {
      const own = places.filter((place) => index.holds(place));
      if (own.length > 0) await index.scanPaths(own);
    }
  }
}
