import fs from 'node:fs';
import path from 'node:path';
import type { History } from '../../core/log/projection';
import { placeOf, readEventLog } from '../log/eventLog';
import type { Sessions } from './sessions';

const maxChildren = 200;

/**
 * Returns the logs of the sessions that the run of `file` started, recursively, by id. Searches beside its log and
 * among the stored sessions.
 */
export function childHistories(
  history: History,
  file: string,
  sessions: Pick<Sessions, 'logOf'>,
): Map<string, History> {
  const found = new Map<string, History>();
  const wanted = begunIn(history, file);
  for (let next = wanted.pop(); next && found.size < maxChildren; next = wanted.pop()) {
    const { id, by } = next;
    // An id is used as a folder or file name, and logs are untrusted.
    if (found.has(id) || !/^[\w.-]+$/.test(id) || id.startsWith('.')) continue;
    const log = [path.join(`${by}.children`, `${id}.waymark.jsonl`), placeOf(sessions.logOf(id))].find((place) =>
      fs.existsSync(place),
    );
    if (log === undefined) continue;
    const { events } = readEventLog(log);
    found.set(id, events);
    wanted.push(...begunIn(events, log));
  }
  return found;
}

const begunIn = (history: History, by: string): { readonly id: string; readonly by: string }[] =>
  history
    .flatMap((event) => {
      if (event.type === 'child_started') return [event.session];
      if (event.type !== 'observation' || event.details?.kind !== 'delegate') return [];
      return event.details.children.map(({ session }) => session);
    })
    .map((id) => ({ id, by }));
