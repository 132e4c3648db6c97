import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Returns the folder in which Waymark stores a user's data on this machine, outside every workspace and editor. */
export function stateFolder(): string {
  const chosen = process.env['XDG_STATE_HOME'] ?? '';
  // The XDG Base Directory specification says to ignore relative paths.
  const parent = path.isAbsolute(chosen) ? chosen : path.join(os.homedir(), '.local', 'state');
  return path.join(parent, 'waymark');
}

/** Returns the folder of all worktrees: next to Waymark's state folder, which sandboxed commands cannot see. */
export const worktreesFolder = (): string => path.join(path.dirname(stateFolder()), 'waymark-worktrees');

/**
 * Returns whether a folder is in one of those worktrees. A log that names another one may be forged: nothing is allowed
 * there because of it.
 */
export function isInWorktrees(folder: string): boolean {
  try {
    const within = path.relative(fs.realpathSync(worktreesFolder()), fs.realpathSync(folder));
    return within !== '' && within.split(path.sep)[0] !== '..' && !path.isAbsolute(within);
  } catch {
    return false; // one of them does not exist
  }
}
