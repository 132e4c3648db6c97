import type { FileDelta } from '../../../core/changes/snapshot';
import { BetweenActions } from './betweenActions';
import type { FolderWindows } from './folderWindows';
import type { Recording } from './runJournal';
import { ActiveCommands } from './activeCommands';
import { UnchangingActions } from './unchangingActions';

/** Everything that belongs to a run and may be changing files that it does not name. */
export class ActiveWork {
  readonly commands: ActiveCommands;
  readonly unchanging: UnchangingActions;
  readonly between: BetweenActions;

  constructor(private readonly recording: Recording) {
    this.commands = new ActiveCommands(recording.journal);
    this.unchanging = new UnchangingActions(recording);
    this.between = new BetweenActions(recording);
  }

  get mayChangeFiles(): boolean {
    return this.commands.areRunning || this.unchanging.areUnverified || this.between.isOpen;
  }

  get windows(): FolderWindows[] {
    return [...this.commands.windows, ...this.unchanging.windows, ...this.between.windows];
  }

  /** Call after a scan. Records what actions changed that claim to change nothing. */
  recordUnchanging(): void {
    this.between.forget(this.unchanging.recordEnded().map(({ path }) => path));
  }

  /** Does not attribute changes that somebody else makes to running actions. */
  attributeToOthers(files: readonly FileDelta[]): void {
    for (const delta of files) {
      if (!this.recording.folders.indexOf(delta.path)) continue;
      this.commands.attributeToOthers(delta);
      this.unchanging.attributeToOthers(delta);
    }
  }
}
