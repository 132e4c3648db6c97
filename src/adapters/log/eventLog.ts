import fs from 'node:fs';
import path from 'node:path';
import { isVouchedFor, withoutConsent } from '../../core/log/foreignLog';
import type { Event } from '../../protocol/events/event';
import { makeFolder } from '../storage/durableFile';
import { acquireLock, holderOf, type Lock } from '../storage/fileLock';
import { EventLog, type LogStand } from './eventLogWriter';
import { isFramed, newHeader, type LogParent } from './header';
import { machineKey } from '../storage/machineKey';
import { cutTorn, migrate } from './prepareLog';
import { atOnce, inTurns, type Pieces } from './pieces';
import { logReading, placeOf, type ReadLog } from './readLog';
import { readFrame } from '../storage/frame';

export { EventLog, type LogStand } from './eventLogWriter';

export { logName, onlyBefore, placeOf, readHeader, type ReadLog } from './readLog';

export interface OpenedLog {
  readonly events: readonly Event[];
  /** What is not as it should be, in words for a person; the log is read-only when it says so. */
  readonly problem?: string;
  /** Where `problem` is one of the log: how many of its events, from the first, another session can go on from. */
  readonly sound?: number;
  /**
   * Absent when another process writes the log, when it is damaged or was changed, or when it is of a newer version.
   */
  readonly store?: EventLog;
}

/**
 * The log of one session: one JSON event per line, append-only, each line bound to all lines before it (see
 * storage/frame.ts). Opening changes nothing. Before the first event is appended, what a crash left at the end is cut
 * off and set aside, and a log of an older version is rewritten. A log with any other problem is opened read-only and
 * left unchanged. If this machine did not write the log, approvals in it no longer count: the returned events say so.
 * `doubt` is another reason to distrust the log. Throws if the file exists and cannot be read.
 */
export const openEventLog = (file: string, doubt?: Doubt): OpenedLog => atOnce(opening(file, doubt));

/** The same for a long log, in turns with everything else that goes on. */
export const openEventLogInTurns = (file: string, doubt?: Doubt): Promise<OpenedLog> => inTurns(opening(file, doubt));

/** What else speaks against a log, in words for a person. */
export type Doubt = (stand: LogStand) => string | undefined;

function* opening(named: string, doubt: Doubt = () => undefined): Pieces<OpenedLog> {
  const file = behindLink(named);
  const lock = lockOf(file);
  try {
    // A log that is not there yet has no line whose seal is looked at.
    const isNew = lock !== 'held' && !fs.existsSync(placeOf(file));
    const read = yield* logReading(file, isNew ? undefined : machineKey());
    const problem =
      read.problem ?? doubt(read) ?? severalNames(file) ?? (lock === 'held' ? heldElsewhere(file) : undefined);
    if (problem !== undefined || lock === 'held') {
      if (lock !== 'held') lock?.release();
      return {
        events: read.events,
        problem: problem!,
        ...(read.problem !== undefined && read.sound > 0 && { sound: read.sound }),
      };
    }
    const voided = isVouchedFor(read.events, read.foreign) ? [] : withoutConsent(read.events, Date.now());
    const first = [...(read.header ? [] : [newHeader()]), ...voided].map((object) => JSON.stringify(object));
    return { events: [...read.events, ...voided], store: writerOf(file, read, first, lock) };
  } catch (error) {
    if (lock !== 'held') lock?.release();
    throw error;
  }
}

/**
 * The file itself where its name is a symbolic link: a lock lies beside the file, so that two names of it have one
 * lock.
 */
function behindLink(file: string): string {
  if (!isLink(file)) return file;
  try {
    return fs.realpathSync(file);
  } catch {
    throw new Error(`${file} is a link that leads nowhere. Name the log itself, or remove the link.`);
  }
}

const isLink = (file: string): boolean => {
  try {
    return fs.lstatSync(file).isSymbolicLink();
  } catch {
    return false;
  }
};

/** Why a log with hard links is not written: a run under another of its names could not be told from this one. */
function severalNames(file: string): string | undefined {
  const place = placeOf(file);
  const names = fs.existsSync(place) ? fs.statSync(place).nlink : 1;
  if (names <= 1) return undefined;
  return `This log has ${names} names (hard links), and a run under another name would write the same file, so it can only be read here. Copy it and continue the copy.`;
}

function heldElsewhere(file: string): string {
  const holder = holderOf(`${file}.lock`) ?? holderOf(`${placeOf(file)}.lock`);
  return `This session is open in another window${holder === undefined ? '' : ` (${holder})`}, so it can only be read here.`;
}

/** Reads a log, whoever writes it, and changes nothing. */
export const readEventLog = (file: string): ReadLog => atOnce(logReading(file, machineKey()));

/** The same for a long log, in turns with everything else that goes on. */
export const readEventLogInTurns = (file: string): Promise<ReadLog> => inTurns(logReading(file, machineKey()));

/** Begins a log that goes on from another; see log/fork.ts. */
export function beginLog(file: string, parent: LogParent): EventLog {
  const lock = lockOf(file);
  if (lock === 'held' || fs.existsSync(file) || isLink(file)) throw new Error(`${file} is there already.`);
  return writerOf(file, { size: 0, hash: parent.hash }, [JSON.stringify(newHeader(parent))], lock);
}

function writerOf(
  file: string,
  read: Pick<ReadLog, 'size' | 'hash' | 'header' | 'unended'>,
  first: readonly string[],
  lock: Lock | undefined,
): EventLog {
  const place = placeOf(file);
  const outdated = read.header !== undefined && !isFramed(read.header.waymark);
  const prepare = () => {
    if (outdated) return migrate(place, file, read);
    cutTorn(file, read);
    return read.unended ? { size: read.size + 1, hash: read.hash } : undefined;
  };
  return new EventLog(
    { file, key: () => machineKey(), size: read.size, hash: read.hash, first, prepare, lock: () => lockFor(file) },
    lock,
  );
}

/** Undefined where none can be made now: it is tried again before the first write. */
function lockOf(file: string): Lock | 'held' | undefined {
  try {
    makeFolder(path.dirname(file));
    return lockFor(file) ?? 'held';
  } catch {
    return undefined;
  }
}

/** Under the name of earlier versions, too: one of them may have it open. */
function lockFor(file: string): Lock | undefined {
  const place = placeOf(file);
  const lock = acquireLock(`${file}.lock`);
  if (!lock || place === file) return lock;
  const earlier = acquireLock(`${place}.lock`);
  if (!earlier) lock.release();
  return (
    earlier && {
      release() {
        earlier.release();
        lock.release();
      },
    }
  );
}

/**
 * The lines of a framed log that are not what was written, from 1; a line that is cut off at the end is not among them.
 */
export function brokenLines(file: string): number[] {
  const bytes = fs.readFileSync(file);
  const broken: number[] = [];
  for (let at = 0, end, line = 1; (end = bytes.indexOf(10, at)) !== -1; at = end + 1, line++)
    if (!readFrame(bytes.subarray(at, end))) broken.push(line);
  return broken;
}
