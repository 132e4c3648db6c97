import path from 'node:path';
import { isVouchedFor, firstEventsOfFork } from '../../core/log/foreignLog';
import { syncFile, writeDurably } from '../storage/durableFile';
import { beginLog, openEventLog, existingLogPath, readEventLogInTurns, type LogDoubt, type EventLog } from './eventLog';
import { currentVersion, isFramed, type LogHeader } from './header';
import { machineKey } from '../storage/machineKey';
import { inTurns } from './pieces';
import { logReading, readHeader, type ReadLog, readLog } from './readLog';
import fs from 'node:fs';
import { withSlashes } from '../storage/diskPaths';

interface ForkedFrom {
  /** Its name for people and lists. */
  readonly session: string;
  readonly file: string;
  /** The last event that the new log shares with it. */
  readonly seq: number;
}

/**
 * Begins the log `to`, which continues another one: it refers to the other log and contains none of its events.
 * Approvals there of actions that were not done are asked for again. If the other log is damaged or was changed, or
 * `doubt` gives a reason, no approval in it counts. Resolves to the new log, open and durable. Throws an `Error` with a
 * message for people.
 */
export async function forkLog(
  { session, file, seq }: ForkedFrom,
  to: string,
  doubt: LogDoubt = () => undefined,
): Promise<EventLog> {
  const before = await readEventLogInTurns(file);
  const doubtful = doubt(before);
  const { intactCount, problem, header } = await upgradeLog(file, before);
  if (header === undefined || seq < 0 || seq >= intactCount) {
    const why = problem ?? 'The session does not contain this event.';
    const left = intactCount > 0 ? `Only its first ${intactCount} events can be forked.` : 'It cannot be forked.';
    throw new Error(`${why} ${left}`);
  }
  const parent = holderOf({ session, file: existingLogPath(file), seq }, header);
  syncFile(parent.file); // Another process may have just written it.
  const { events, hash, foreign } = await inTurns(logReading(parent.file, machineKey(), seq));
  const vouched = problem === undefined && doubtful === undefined && isVouchedFor(events, foreign);
  const from = withSlashes(path.relative(path.dirname(to), parent.file));
  const store = beginLog(to, { session: parent.session, file: from, seq, hash });
  try {
    for (const event of firstEventsOfFork(events, vouched, Date.now())) store.append(event);
    await store.settle();
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** Returns the log that contains the event itself: a fork of a fork may begin before the second fork. */
function holderOf(from: ForkedFrom, { parent }: LogHeader): ForkedFrom {
  if (!parent || from.seq > parent.seq) return from;
  const file = path.resolve(path.dirname(from.file), parent.file);
  return holderOf({ session: parent.session, file, seq: from.seq }, readHeader(file) ?? { waymark: currentVersion });
}

/** A log of version 1 has no hashes to refer to, so it is rewritten first. */
async function upgradeLog(file: string, read: ReadLog): Promise<ReadLog> {
  const { header, problem } = read;
  if (!header || header.waymark > currentVersion || isFramed(header.waymark) || problem !== undefined) return read;
  const { store, problem: held } = openEventLog(file);
  if (!store) throw new Error(held);
  await store.settle().finally(() => store.close());
  return readEventLogInTurns(file);
}

/** Truncates a log after the event `seq`, and deletes the saved outputs that it no longer mentions. */
export function keepPrefix(file: string, seq: number, outputs: string): void {
  const { size } = readLog(file, machineKey(), seq);
  const bytes = fs.readFileSync(file).subarray(0, size);
  if (fs.existsSync(outputs)) {
    for (const entry of fs.readdirSync(outputs, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && !bytes.includes(entry.name))
        fs.rmSync(path.join(entry.parentPath, entry.name), { force: true });
    }
  }
  writeDurably(file, [bytes]);
}
