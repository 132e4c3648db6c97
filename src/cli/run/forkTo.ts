import fs from 'node:fs';
import path from 'node:path';
import { checkpointStore } from '../../adapters/checkpoints/checkpointStore';
import { journalOf, readJournal } from '../../adapters/checkpoints/journal';
import { RunChanges } from '../../adapters/checkpoints/restoring/runChanges';
import { existingLogPath, readEventLog, sessionName } from '../../adapters/log/eventLog';
import { forkLog } from '../../adapters/log/fork';
import type { ChangeScope } from '../../core/changes/changesOf';
import { stepsOfActions } from '../../core/changes/stepsOfActions';
import { shownName } from '../../core/text/shownName';
import type { History } from '../../core/log/projection';
import { forkPoints } from '../../core/trajectory/forkFrom';
import { namedSession } from '../../adapters/sessions/namedSession';
import { sharedChanges } from '../../adapters/sessions/sharedChanges';
import { commandFor } from './continueCommand';
import { storedSessions } from './workplace';

/** The point where a fork begins: after an event or after a step (from 1), by default at the end of the log. */
interface ForkPlace {
  readonly at?: number;
  readonly afterStep?: number;
  /** Whether files are first restored to that point. */
  readonly restoreFiles?: boolean;
}

/**
 * Creates the log `to`, which continues the log or session `named`. `check` rejects if that session may not be
 * continued. Throws an `Error` with a message for people.
 */
export async function forkTo(
  to: string,
  named: string,
  { at, afterStep, restoreFiles = false }: ForkPlace,
  check: (events: History) => Promise<void>,
): Promise<void> {
  if (at !== undefined && afterStep !== undefined)
    throw new Error('--at and --after-step have the same purpose. Give only one of them.');
  const sessions = storedSessions();
  const file = existingLogPath(namedSession(named, process.cwd(), sessions)?.file ?? path.resolve(named));
  if (!fs.existsSync(file))
    throw new Error(`There is no file or session named ${named}. Give a log or a session id with --fork.`);
  const { events, header, problem } = readEventLog(file);
  if (!header || events[0]?.type !== 'task_started')
    throw new Error(
      (header && problem) ??
        `${file} is not a Waymark log, so it cannot be forked. "waymark inspect" shows what it is.`,
    );
  const step = afterStep === undefined ? undefined : forkPoints(events).find((point) => point.step === afterStep);
  if (afterStep !== undefined && !step)
    throw new Error(`There is no step ${afterStep}; "waymark inspect" lists the steps.`);
  const seq = at ?? step?.seq ?? events.length - 1;
  if (seq >= events.length) throw new Error(`There is no event ${seq}; the last one is ${events.length - 1}.`);
  await check(events);
  if (restoreFiles) await restoreTo(file, events, seq);
  const store = await forkLog(
    { session: sessions.idOf(file) ?? sessionName(file), file, seq },
    to,
    sessions.doubtAt(file),
  );
  await store.close();
}

/**
 * Restores files to their state after an event. Throws an `Error` with a message for people, and changes nothing, if
 * not all can be restored.
 */
async function restoreTo(log: string, events: History, seq: number): Promise<void> {
  const step = events.filter((event) => event.type === 'agent_response' && event.seq <= seq).length;
  const [shared] = sharedChanges(log, step);
  if (shared?.state === 'missing')
    throw new Error(
      `Not all files can be restored: the log ${shared.log}, from which this session was forked, is missing or was changed. Nothing was changed. Continue without --restore-files.`,
    );
  if (shared)
    throw new Error(
      `Not all files can be restored: later steps belong to another session, from which this one was forked. Nothing was changed. Run "${commandFor(log, 'undo')}" and "${commandFor(shared.log, 'undo')} --to-step ${step}", then try again.`,
    );
  const opened = readJournal(journalOf(log)).entries.find((entry) => entry.type === 'opened');
  if (opened?.type !== 'opened')
    throw new Error('That session has no checkpoints, so its files cannot be restored. Remove --restore-files.');
  const cwd = events.find((event) => event.type === 'task_started')?.cwd ?? process.cwd();
  const shown = (file: string): string => shownName(path.relative(cwd, file));
  const changes = new RunChanges(log, checkpointStore(opened.store), shown);
  await changes.refresh();
  const steps = stepsOfActions(events);
  const scope: ChangeScope = {
    // An action that is not in the log came after all others: the end of the log was lost.
    includes: (action) => (steps.get(action)?.step ?? Infinity) > step,
    respectsKept: false,
    untilNow: true,
  };
  const missed =
    changes.record.uncovered.find(({ action }) => scope.includes(action))?.words ?? changes.record.problems[0];
  if (missed !== undefined || changes.record.cleaned)
    throw new Error(
      `Not all files can be restored. ${missed ?? 'Their copies were cleaned up.'} Nothing was changed; "waymark undo --to-step ${step}" shows more.`,
    );
  const undone = await changes.undo({}, { scope });
  const [problem] = undone.status === 'refused' ? undone.problems : [];
  if (problem)
    throw new Error(`Files cannot be restored. ${shown(problem.path)}: ${problem.words} Nothing was changed.`);
}
