import { counted } from '../../core/text/amounts';
import { secrets } from '../../core/secrets/secrets';
import { stdout } from '../output/output';
import { printMasked } from '../output/masked';
import type { ExitCode } from '../output/exitCodes';
import type { Status } from '../../protocol/panel/panel';
import { allSessions, sessionsIn } from '../../adapters/sessions/namedSession';
import { storedSessions } from '../run/workplace';

/** Flags of `waymark sessions`. `all`: those of every folder. */
export interface SessionsOptions {
  readonly all?: boolean;
  readonly json?: boolean;
}

/** Lists the sessions of the current folder, newest first. Returns the exit code. */
export function sessions({ all = false, json = false }: SessionsOptions): ExitCode<'sessions'> {
  const stored = storedSessions();
  const found = [...(all ? allSessions(stored) : sessionsIn(process.cwd(), stored))];
  if (json) {
    const rows = found.map(({ id, title, status, end, steps, cost, files = 0, updatedAt, began, fork }) => ({
      ...{ id, title, status: end ?? status, steps, cost, files, updatedAt, folder: began },
      ...(fork && { fork: fork.session }),
    }));
    stdout.write(`${secrets.mask(JSON.stringify(rows))}\n`);
    return 0;
  }
  if (found.length === 0) {
    const elsewhere = all ? '' : ' "waymark sessions --all" lists those of all folders.';
    printMasked(`No session of the command line began ${all ? 'on this machine' : 'in this folder'}.${elsewhere}`);
  }
  for (const { id, updatedAt, status, end, steps, title, began } of found) {
    const state = end === undefined ? states[status] : ends[end];
    const when = new Date(updatedAt - new Date(updatedAt).getTimezoneOffset() * 60_000).toISOString();
    const cells = [id, when.slice(0, 16).replace('T', ' '), state.padEnd(15), counted(steps, 'step').padStart(9)];
    printMasked([...cells, ...(all ? [began] : []), title].join('  '));
  }
  return 0;
}

/** The words of the list of sessions in the window. */
const states: Readonly<Record<Status, string>> = {
  empty: 'ready',
  ready: 'interrupted',
  waiting_for_confirmation: 'needs approval',
  waiting_for_answer: 'needs an answer',
  idle: 'answered',
  paused: 'paused',
  finished: 'finished',
};

const ends = { submitted: 'done', limit_exceeded: 'limit reached', failed: 'failed', stopped: 'stopped' } as const;
