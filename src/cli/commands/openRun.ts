import path from 'node:path';
import { registerSecrets } from '../../adapters/secrets/dotenvSecrets';
import { childHistories, openTrajectory, type OpenedTrajectory, runName } from '../../adapters/sessions/openTrajectory';
import type { History } from '../../core/log/projection';
import { namedSession } from '../../adapters/sessions/namedSession';
import { storedSessions } from '../run/workplace';

/**
 * Opens a run that the user named: a file or folder of any format, or the id of a session, or "last". The secrets of its
 * folder are masked from then on.
 */
export async function openRun(
  named: string,
  run = 0,
): Promise<
  OpenedTrajectory & {
    readonly id: string;
    /** Resolves to the child sessions that are available here. */
    children(): Promise<ReadonlyMap<string, History>>;
  }
> {
  const sessions = storedSessions();
  const stored = namedSession(named, process.cwd(), sessions);
  const log = stored?.file ?? named;
  const doubt = stored ? sessions.doubtOf(stored.id) : sessions.doubtAt(path.resolve(log));
  const opened = await openTrajectory(log, { run, doubt });
  await registerSecrets(opened.events, [process.cwd()]);
  return {
    ...opened,
    id: stored?.id ?? runName(log),
    children: () => childHistories(opened.events, opened.place, sessions),
  };
}
