import os from 'node:os';
import path from 'node:path';

/** What Waymark keeps on this machine for one person, outside of every workspace and editor. */
export const stateFolder = (): string =>
  path.join(process.env['XDG_STATE_HOME'] ?? path.join(os.homedir(), '.local', 'state'), 'waymark');
