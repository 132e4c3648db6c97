import { isSameState, type FileDelta } from '../../../core/changes/snapshot';
import { thisProcess } from '../../storage/fileLock';
import type { FolderWindows } from './folderWindows';
import type { RunJournal } from './runJournal';

/** A running command. Changes in the folders are attributed to it. */
export interface ActiveCommand {
  readonly action: string;
  /** False once another one ran at the same time. */
  isAlone: boolean;
  readonly windows: FolderWindows;
}

/** The commands of a run that are running. */
export class ActiveCommands {
  private readonly commands = new Set<ActiveCommand>();

  constructor(private readonly journal: RunJournal) {}

  get areRunning(): boolean {
    return this.commands.size > 0;
  }

  get windows(): FolderWindows[] {
    return [...this.commands].map(({ windows }) => windows);
  }

  begin(action: string, windows: FolderWindows): ActiveCommand {
    const command: ActiveCommand = { action, isAlone: !this.areRunning, windows };
    for (const other of this.commands) other.isAlone = false;
    this.commands.add(command);
    return command;
  }

  end(command: ActiveCommand): void {
    this.commands.delete(command);
  }

  /**
   * Does not attribute a change that somebody else made to the commands. Records what they changed in the same file
   * before.
   */
  attributeToOthers({ path, before, after }: FileDelta): void {
    for (const { action, windows } of this.commands) {
      const atBegin = windows.stateBefore(path);
      if (atBegin === undefined) continue;
      windows.setStateBefore(path, after);
      if (isSameState(atBegin, before)) continue;
      const at = Date.now();
      this.journal.append({ type: 'changed', at, action, files: [{ path, before: atBegin, after: before }] });
      // The command is still running. Its further changes are found when it ends, or by the next run if it is
      // interrupted.
      this.journal.append({ type: 'began', at, action, by: thisProcess() });
    }
  }
}
