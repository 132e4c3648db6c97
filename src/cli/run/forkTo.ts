import fs from 'node:fs';
import path from 'node:path';
import { placeOf, readEventLog } from '../../adapters/log/eventLog';
import { forkLog } from '../../adapters/log/fork';
import type { History } from '../../core/log/history';
import { forkPoints } from '../../core/trajectory/forkFrom';
import { storedSessions } from './workplace';

/** Where a log is left: after an event, or after a step, from 1; at its end where neither is said. */
export interface ForkPlace {
  readonly at?: number;
  readonly afterStep?: number;
}

/** Makes the log `to`, which goes on from the log, or the session, that is called `named`. `check` throws where it cannot be worked on. Throws an `Error` in words for a person. */
export async function forkTo(
  to: string,
  named: string,
  { at, afterStep }: ForkPlace,
  check: (events: History) => unknown,
): Promise<void> {
  if (at !== undefined && afterStep !== undefined)
    throw new Error('--at and --after-step say the same. Give one of them.');
  const sessions = storedSessions();
  const isId = /^[\w.-]+$/.test(named) && !named.startsWith('.') && !fs.existsSync(named);
  const file = placeOf(isId ? sessions.logOf(named) : path.resolve(named));
  if (!fs.existsSync(file))
    throw new Error(`There is no file and no session named ${named}. Name a log, or the id of a session, with --fork.`);
  const { events, header, problem } = readEventLog(file);
  if (!header || events[0]?.type !== 'task_started')
    throw new Error(
      (header && problem) ??
        `${file} is no log of Waymark, so nothing can go on from it. "waymark inspect" shows what it is.`,
    );
  const step = afterStep === undefined ? undefined : forkPoints(events).find((point) => point.step === afterStep);
  if (afterStep !== undefined && !step)
    throw new Error(`There is no step ${afterStep}; "waymark inspect" lists the steps.`);
  const seq = at ?? step?.seq ?? events.length - 1;
  if (seq >= events.length) throw new Error(`There is no event ${seq}; the last one is ${events.length - 1}.`);
  check(events);
  const store = await forkLog(
    { session: sessions.idOf(file) ?? path.basename(file).replace(/(\.waymark)?\.jsonl$/, ''), file, seq },
    to,
    sessions.doubtAt(file),
  );
  await store.close();
}
