import fs from 'node:fs';
import type { History } from '../core/agent/projection';
import { placeOf, readEventLog } from './eventLog';
import type { Sessions } from './sessions';

const most = 200;

/** The logs of the sessions that a run began, and of those that they began, by id, as far as they are on this machine. */
export function childHistories(history: History, sessions: Pick<Sessions, 'logOf'>): Map<string, History> {
  const found = new Map<string, History>();
  const begunBy = (log: History): string[] => log.flatMap(event => (event.type === 'child_started' ? [event.session] : event.type === 'observation' && event.details?.kind === 'delegate' ? event.details.children.map(({ session }) => session) : []));
  const wanted = begunBy(history);
  for (let id = wanted.pop(); id !== undefined && found.size < most; id = wanted.pop()) {
    if (found.has(id) || !/^[\w.-]+$/.test(id) || id.startsWith('.')) continue;
    const log = placeOf(sessions.logOf(id));
    if (!fs.existsSync(log)) continue;
    const { events } = readEventLog(log);
    found.set(id, events);
    wanted.push(...begunBy(events));
  }
  return found;
}
