import type { FileState } from '../../../core/changes/snapshot';
import { slowestTickMs } from './movedFiles';

/** The changes since some moment. */
export interface ChangeWindow {
  /** The state of each changed path at that moment. */
  readonly before: Map<string, FileState>;
  /**
   * Start of a time range, in ms since 1970. If set, only changes within the range count, even if they are found later.
   */
  readonly from?: number;
  /** End of the range; absent while it is open. */
  until?: number;
  /** When the action began that was interrupted, in ms since 1970. */
  readonly cutOffAt?: number | undefined;
}

/** The open windows of a folder. Scans tell them what changed paths were before. */
export class ChangeWindows {
  private readonly windows = new Set<ChangeWindow>();
  /** The only window that gets what a first scan finds: the changes since the scan of an earlier process. */
  private sinceLastSession: ChangeWindow | undefined;

  get size(): number {
    return this.windows.size;
  }

  /** With `timed`, only changes before the end of the window count. */
  open({ timed }: { readonly timed: boolean }): ChangeWindow {
    const window: ChangeWindow = { before: new Map(), ...(timed && { from: Date.now() - slowestTickMs }) };
    this.windows.add(window);
    return window;
  }

  close(window: ChangeWindow): void {
    this.windows.delete(window);
  }

  /** Call before each scan. If it is not the first one, `sinceLastSession` is a window like the others. */
  beginScan(sinceLastSession: ChangeWindow | undefined, { isFirst }: { readonly isFirst: boolean }): void {
    this.sinceLastSession = sinceLastSession;
    if (sinceLastSession && !isFirst) this.windows.add(sinceLastSession);
  }

  /** Records what a path was before it changed, unless an earlier change of it is known. `changedMs`: in ms since 1970. */
  note(absolute: string, before: FileState, changedMs: number): void {
    for (const { before: states, from = 0, until = Infinity } of this.windows)
      if (changedMs >= from && changedMs <= until && !states.has(absolute)) states.set(absolute, before);
  }

  /** The same for what a first scan finds. */
  noteSinceLastSession(absolute: string, before: FileState): void {
    const states = this.sinceLastSession?.before;
    if (states && !states.has(absolute)) states.set(absolute, before);
  }

  /** Removes a path from the windows in which it is new. Returns whether there were any. */
  forgetCreated(absolute: string): boolean {
    const windows = [...this.windows].filter(({ before }) => before.get(absolute) === null);
    for (const { before } of windows) before.delete(absolute);
    return windows.length > 0;
  }
}
