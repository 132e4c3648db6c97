import { isSameState, type FileDelta, type FileState } from '../../../core/changes/snapshot';
import { thisProcess } from '../../storage/fileLock';
import type { FolderWindows } from './folderWindows';
import { recordMovedIn } from './movedIn';
import type { Recording } from './runJournal';

/** The time between two actions in which processes of the run may change files. */
interface Gap {
  /** The action after which it began. */
  readonly after: string;
  /** When it began, in ms since 1970. */
  readonly since: number;
  readonly windows: FolderWindows;
}

/** Attributes changes that processes of a run make between two actions to the gap between these. */
export class BetweenActions {
  private gap: Gap | undefined;

  constructor(private readonly recording: Recording) {}

  /** True if processes of the run may be changing files although no action is running. */
  get isOpen(): boolean {
    return this.gap !== undefined;
  }

  get windows(): FolderWindows[] {
    return this.gap ? [this.gap.windows] : [];
  }

  /** `after`: the action that has left processes running. */
  open(after: string): void {
    if (this.gap) return;
    const since = Date.now();
    this.gap = { after, since, windows: this.recording.folders.openWindows() };
    this.recording.journal.append({ type: 'between', at: since, files: [], began: { after, by: thisProcess() } });
  }

  /** Call when everything that changed is recorded. */
  close(): void {
    if (!this.gap) return;
    this.gap.windows.close();
    this.gap = undefined;
    this.recording.journal.append({ type: 'between', at: Date.now(), files: [], ended: true });
  }

  /** Changes attributed to an action or the user do not belong to the gap. */
  forget(paths: readonly string[]): void {
    this.gap?.windows.forget(paths);
  }

  /** Records the changes that the last scan found. `next`: the action that ends the gap for them, if one begins. */
  record({ next, isOver }: { readonly next?: string; readonly isOver: boolean }): void {
    const { gap } = this;
    if (!gap) return;
    const found = gap.windows.changes();
    gap.windows.forget();
    if (found.length > 0) this.recordFound(found, gap, next);
    if (isOver) this.close();
  }

  private recordFound(found: FileDelta[], gap: Gap, next: string | undefined): void {
    const { journal } = this.recording;
    const { files, doubts } = recordMovedIn(found, this.recording);
    if (doubts.length > 0)
      journal.append({ type: 'changed', at: Date.now(), action: gap.after, files: [], doubts: [...doubts] });
    // Excludes what the user undid or another run changed in the meantime.
    const others = [
      ...journal.workSince(gap.since).own,
      ...journal.othersSince(gap.since).flatMap(({ own, whileCommands }) => [...own, ...whileCommands]),
    ];
    journal.remember(files);
    journal.appendParts(files, others, (some) => ({
      type: 'between',
      at: Date.now(),
      ...(next !== undefined && { next }),
      files: some,
    }));
  }

  /** Records what processes changed in a file before the user saved it. `saved`: its state just before that. */
  recordUntilSave(path: string, saved: FileState): void {
    const before = this.gap?.windows.stateBefore(path);
    if (before === undefined || isSameState(before, saved)) return;
    this.recording.journal.append({ type: 'between', at: Date.now(), files: [{ path, before, after: saved }] });
  }
}
