import { isSameState, type FileDelta, type FileState } from '../../../core/changes/snapshot';
import { compareTexts } from '../../../core/text/order';
import type { ChangeWindow } from '../folderIndex/changeWindows';
import type { FolderIndex } from '../folderIndex/folderIndex';

/** The changes since some moment in one folder of a run. */
interface FolderWindow {
  readonly index: FolderIndex;
  readonly window: ChangeWindow;
}

/** The changes since some moment in all folders of a run. */
export class FolderWindows {
  constructor(private readonly windows: readonly FolderWindow[]) {}

  /** The changes that scans have found so far, by folder and path. */
  changes(): FileDelta[] {
    return this.windows.flatMap(({ index, window }) => {
      const deltas = [...window.before].map(([path, before]) => ({ path, before, after: index.stateOf(path) }));
      const changed = deltas.filter(({ before, after }) => !isSameState(before, after));
      return changed.sort((a, b) => compareTexts(a.path, b.path));
    });
  }

  /** Closes the windows. They get no further changes. */
  close(): void {
    for (const { index, window } of this.windows) index.close(window);
  }

  /** Returns the changes and closes the windows. */
  take(): FileDelta[] {
    const changes = this.changes();
    this.close();
    return changes;
  }

  /** Returns what a path was at the beginning; undefined if no scan has found a change of it. */
  stateBefore(path: string): FileState | undefined {
    for (const { window } of this.windows) if (window.before.has(path)) return window.before.get(path);
    return undefined;
  }

  /** From now on, only changes of a path from this state count. */
  setStateBefore(path: string, state: FileState): void {
    this.windows.find(({ index }) => index.holds(path))?.window.before.set(path, state);
  }

  /** Drops the changes of some paths, or of all. */
  forget(paths?: readonly string[]): void {
    for (const { window } of this.windows) {
      if (!paths) window.before.clear();
      for (const path of paths ?? []) window.before.delete(path);
    }
  }

  /** Later changes do not count, even if a scan finds them before the windows are closed. */
  endNow(): void {
    // Rounded up: the clock of the file system may have fractions of a millisecond.
    for (const { window } of this.windows) window.until = Date.now() + 1;
  }

  get hasEnded(): boolean {
    return this.windows.every(({ window }) => window.until !== undefined);
  }
}
