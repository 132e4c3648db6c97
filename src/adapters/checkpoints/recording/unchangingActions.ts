import type { FileDelta } from '../../../core/changes/snapshot';
import type { FolderWindows } from './folderWindows';
import { recordMovedIn } from './movedIn';
import type { Recording } from './runJournal';

/** An action that claims to change nothing, until a scan has verified that. */
interface UnchangingAction {
  readonly action: string;
  readonly windows: FolderWindows;
}

/** The actions of a run that claim to change nothing and of which that is not verified yet. */
export class UnchangingActions {
  private actions: readonly UnchangingAction[] = [];

  constructor(private readonly recording: Recording) {}

  get areUnverified(): boolean {
    return this.actions.length > 0;
  }

  get windows(): FolderWindows[] {
    return this.actions.map(({ windows }) => windows);
  }

  /** Returns a function to call when the action has ended. */
  begin(action: string): () => void {
    const windows = this.recording.folders.openWindows({ timed: true });
    this.actions = [...this.actions, { action, windows }];
    return () => windows.endNow();
  }

  /** Call after a scan. Records the changes that actions which have ended made nevertheless, and returns them. */
  recordEnded(): FileDelta[] {
    const { journal } = this.recording;
    const ended = this.actions.filter(({ windows }) => windows.hasEnded);
    this.actions = this.actions.filter(({ windows }) => !windows.hasEnded);
    return ended.flatMap(({ action, windows }) => {
      const found = windows.take();
      if (found.length === 0) return [];
      journal.open();
      const { files, doubts } = recordMovedIn(found, this.recording);
      journal.remember(files);
      journal.append({
        type: 'changed',
        at: Date.now(),
        action,
        files,
        ...(doubts.length > 0 && { doubts: [...doubts] }),
      });
      return found;
    });
  }

  /** Does not attribute a change that somebody else made to the actions. */
  attributeToOthers({ path, after }: FileDelta): void {
    for (const { windows } of this.actions)
      if (windows.stateBefore(path) !== undefined) windows.setStateBefore(path, after);
  }
}
