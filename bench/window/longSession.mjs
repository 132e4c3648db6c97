// @ts-check
import { createHash } from 'node:crypto';
import path from 'node:path';
import { bundled } from '../../scripts/build/bundled.mjs';
import { longLog } from '../longLog.mjs';

const load = () => bundled({ 'src/adapters/sessions/sessions': ['Sessions'] });

/**
 * Writes a session with this many events to where a window on `workspace` finds it. `home`: that of the extension host.
 */
export async function writeLongSession({ userData, home, workspace }, events) {
  const { Sessions } = await load();
  const name = createHash('sha256').update(`file://${workspace}`).digest('hex').slice(0, 16);
  const folder = path.join(userData, 'User/globalStorage/waymark.waymark/workspaces', name, 'sessions');
  const before = process.env.XDG_STATE_HOME;
  process.env.XDG_STATE_HOME = path.join(home, '.local/state'); // the key that seals the log
  try {
    const sessions = new Sessions(folder);
    const id = sessions.newId(new Date('2026-01-01T10:00:00Z'));
    const { store } = sessions.open(id);
    const log = longLog(events, (step) => (step % 10 === 0 ? 250 : 35));
    log[0] = { ...log[0], title: longTitle, cwd: workspace };
    for (const event of log) store.append(event);
    await store.durable();
    const stand = store.position;
    await store.close();
    sessions.remember(id, log, stand);
    return id;
  } finally {
    if (before === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = before;
  }
}

export const longTitle = 'The long session';
