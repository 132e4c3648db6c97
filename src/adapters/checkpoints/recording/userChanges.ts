import { isSameState, type FileDelta } from '../../../core/changes/snapshot';
import type { ActiveWork } from './activeWork';
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
