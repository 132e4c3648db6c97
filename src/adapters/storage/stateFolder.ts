import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** What Waymark keeps on this machine for one person, outside of every workspace and editor. */
export function stateFolder(): string {
  const given = process.env['XDG_STATE_HOME'] ?? '';
  // The specification of these folders tells to ignore a path that depends on where a program is started.
  const parent = path.isAbsolute(given) ? given : path.join(os.homedir(), '.local', 'state');
  return path.join(parent, 'waymark');
}

/** The worktrees of all runs: beside the state of Waymark, which commands in a sandbox do not see. */
export const worktreesFolder = (): string => path.join(path.dirname(stateFolder()), 'waymark-worktrees');

/**
 * Whether a folder is in one of those worktrees. A log that names another one may be made up: nothing is allowed there
 * because of it.
 */
export function isInWorktrees(folder: string): boolean {
  try {
    const within = path.relative(fs.realpathSync(worktreesFolder()), fs.realpathSync(folder));
    return within !== '' && within.split(path.sep)[0] !== '..' && !path.isAbsolute(within);
  } catch {
    return false; // one of them is not there
  }
}
