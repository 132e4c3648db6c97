import path from 'node:path';
import { isVouchedFor, beginningOfFork } from '../../core/log/foreignLog';
import { syncFile, writeDurably } from '../storage/durableFile';
import { beginLog, openEventLog, placeOf, readEventLogInTurns, type Doubt, type EventLog } from './eventLog';
import { currentVersion, isFramed, type LogHeader } from './header';
import { machineKey } from '../storage/machineKey';
import { inTurns } from './pieces';
import { logReading, readHeader, type ReadLog, readLog } from './readLog';
import fs from 'node:fs';

export interface ForkedFrom {
  /** Its name for people and lists. */
  readonly session: string;
  readonly file: string;
  /** The last event that the new log has from it. */
  readonly seq: number;
}

/**
 * Begins the log `to`, which goes on from another one: it names the other and holds none of its events. What
 * was approved there and not done is asked about again; where the other log is damaged or was changed, or
 * `doubt` speaks against it, nothing that was agreed to in it counts. Resolves to the new log, open and
 * durable; throws an `Error` in words for a person.
 */
export async function forkLog(
  { session, file, seq }: ForkedFrom,
  to: string,
  doubt: Doubt = () => undefined,
): Promise<EventLog> {
  const before = await readEventLogInTurns(file);
  const doubtful = doubt(before);
  const { sound, problem, header } = await broughtUpToDate(file, before);
  if (header === undefined || seq < 0 || seq >= sound) {
    const why = problem ?? 'The session has no such event.';
    const left =
      sound > 0 ? `Only its first ${sound} events can be gone on from.` : 'No other session can go on from it.';
    throw new Error(`${why} ${left}`);
  }
  const parent = holderOf({ session, file: placeOf(file), seq }, header);
  syncFile(parent.file); // another process may have written it a moment ago
  const { events, hash, foreign } = await inTurns(logReading(parent.file, machineKey(), seq));
  const vouched = problem === undefined && doubtful === undefined && isVouchedFor(events, foreign);
  const from = path.relative(path.dirname(to), parent.file).split(path.sep).join('/');
  const store = beginLog(to, { session: parent.session, file: from, seq, hash });
  try {
    for (const event of beginningOfFork(events, vouched, Date.now())) store.append(event);
    await store.settle();
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** The log that holds the event itself: a fork of a fork may begin before the second. */
function holderOf(from: ForkedFrom, { parent }: LogHeader): ForkedFrom {
  if (!parent || from.seq > parent.seq) return from;
  const file = path.resolve(path.dirname(from.file), parent.file);
  return holderOf({ session: parent.session, file, seq: from.seq }, readHeader(file) ?? { waymark: currentVersion });
}

/** A log of version 1 has no hashes to be named by: it is written anew first. */
async function broughtUpToDate(file: string, read: ReadLog): Promise<ReadLog> {
  const { header, problem } = read;
  if (!header || header.waymark > currentVersion || isFramed(header.waymark) || problem !== undefined) return read;
  const { store, problem: held } = openEventLog(file);
  if (!store) throw new Error(held);
  await store.settle().finally(() => store.close());
  return readEventLogInTurns(file);
}

/** Leaves of a log its events up to `seq`, and of its outputs those that are named there. */
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
