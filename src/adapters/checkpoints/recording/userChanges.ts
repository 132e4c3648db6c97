import { isSameState, type FileDelta, type FileState } from '../../../core/changes/snapshot';
import type { BlobStore } from '../blobStore';
import type { ActiveWork } from './activeWork';
import type { FolderWindows } from './folderWindows';
import type { Recording } from './runJournal';

/** Keeps what the user saves and restores apart from what the run changes at the same time. */
export class UserChanges {
  constructor(
    private readonly recording: Recording,
    private readonly active: ActiveWork,
  ) {}

  /** Call before the user saves a file: earlier changes to it belong to the run. */
  async beforeSave(place: string): Promise<void> {
    if (this.active.mayChangeFiles) await this.recording.folders.indexOf(place)?.scanPaths([place]);
  }

  /** Call after the user has saved a file: that change is the user's. */
  async afterSave(place: string): Promise<void> {
    const { folders, journal } = this.recording;
    const index = this.active.mayChangeFiles ? folders.indexOf(place) : undefined;
    if (!index) return;
    const before = index.stateOf(place);
    await index.scanPaths([place]);
    const after = index.stateOf(place);
    if (isSameState(before, after)) return;
    const files = [{ path: place, before, after }];
    journal.open();
    this.active.attributeToOthers(files);
    // The window contains the changes of both scans: the one before the save, and this one.
    this.active.between.recordUntilSave(place, before);
    this.active.between.forget([place]);
    journal.remember(files);
    journal.append({ type: 'elsewhere', at: Date.now(), files });
  }

  /**
   * Call after an edit has saved what the user had typed along with its own change, before the edit ends. Returns
   * whether the user had typed anything.
   */
  typedBeforeEdit(
    place: string,
    { typed, edit, blobs }: { readonly typed: Buffer; readonly edit: FolderWindows; readonly blobs: BlobStore },
  ): boolean {
    const { folders, journal } = this.recording;
    // A scan for a command may have found the edit already.
    const before = edit.stateBefore(place) ?? folders.stateOf(place);
    if (before?.kind !== 'file' || before.hash === undefined) return false;
    const after: FileState = { kind: 'file', mode: before.mode, size: typed.length, hash: blobs.put(typed) };
    if (isSameState(before, after)) return false;
    const files = [{ path: place, before, after }];
    this.active.attributeToOthers(files);
    this.active.between.recordUntilSave(place, before);
    for (const each of [edit, ...this.active.windows]) each.setStateBefore(place, after);
    journal.remember(files);
    journal.append({ type: 'elsewhere', at: Date.now(), files });
    return true;
  }

  /** Call after the user has restored files: this is not attributed to the run, but later changes are. */
  async afterRestore(files: readonly FileDelta[]): Promise<void> {
    const { active } = this;
    // Taken before the scans, which let actions begin or end.
    const { windows } = active;
    for (const index of this.recording.folders.indexes) {
      const own = files.filter(({ path }) => index.holds(path));
      if (own.length === 0) continue;
      await index.scanPaths(own.map(({ path }) => path));
      for (const each of windows) for (const { path, after } of own) each.setStateBefore(path, after);
    }
  }
}
