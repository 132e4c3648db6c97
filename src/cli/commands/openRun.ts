import fs from 'node:fs';
import path from 'node:path';
import { childHistories } from '../../adapters/sessions/childHistories';
import { placeOf } from '../../adapters/log/eventLog';
import { registerSecrets } from '../../adapters/secrets/registerSecrets';
import { openTrajectory, type OpenedTrajectory } from '../../adapters/sessions/openTrajectory';
import { runName } from '../../adapters/sessions/runName';
import type { History } from '../../core/log/projection';
import { isSessionId, storedSessions } from '../run/workplace';

/**
 * Opens a run that the user named: a file or folder of any format, or the id of a session. The secrets of its folder
 * are masked from then on.
 */
export async function openRun(
  named: string,
  run = 0,
): Promise<
  OpenedTrajectory & {
    readonly id: string;
    /** Returns the child sessions that are available here. */ children(): ReadonlyMap<string, History>;
  }
> {
  const sessions = storedSessions();
  const isId = isSessionId(named);
  const log = isId ? placeOf(sessions.logOf(named)) : named;
  if (isId && !fs.existsSync(log))
    throw new Error(`There is no file or session named ${named}. Give a trajectory file or a session id.`);
  const opened = await openTrajectory(log, run, isId ? sessions.doubtOf(named) : sessions.doubtAt(path.resolve(log)));
  registerSecrets(opened.events, [process.cwd()]);
  return {
    ...opened,
    id: isId ? named : runName(log),
    children: () => childHistories(opened.events, opened.place, sessions),
  };
}
