import { projection, type History } from './projection';
import { settingsOf } from './runSettings';

/** What the log says about the shell of a session. */
export interface LoggedShell {
  /** Absolute folder: where the session started, or where the last command left its shell. */
  readonly folder: string;
  /** True if commands ran before, so that a shell which starts now is not the first. */
  readonly isUsed: boolean;
}

/** Undefined before a task is started. */
export const shellStateOf: (history: History) => LoggedShell | undefined = projection<LoggedShell | undefined>(
  () => undefined,
  (stand, event) => {
    if (event.type === 'task_started') return { folder: event.cwd, isUsed: stand?.isUsed ?? false };
    if (event.type !== 'observation' || event.details?.kind !== 'command') return undefined;
    const folder = event.details.cwd;
    return stand?.isUsed && stand.folder === folder ? undefined : { folder, isUsed: true };
  },
);

/** See `ShellState.folder`. */
export const shellFolder = (history: History): string | undefined => shellStateOf(history)?.folder;

/**
 * Returns the shell's folder in a session that works in `root`. If the log names another folder, the workspace was
 * moved, and the folders in it with it.
 */
export function shellFolderIn(root: string, history: History): string {
  const folder = shellFolder(history) ?? root;
  const began = settingsOf(history)?.cwd ?? root;
  if (folder === began) return root;
  return folder.startsWith(`${began}/`) ? root + folder.slice(began.length) : folder;
}
