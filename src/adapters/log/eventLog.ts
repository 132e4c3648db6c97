import fs from 'node:fs';
import path from 'node:path';
import { isVouchedFor, withoutConsent } from '../../core/log/foreignLog';
import type { Event } from '../../protocol/events/event';
import { isLink } from '../storage/diskPaths';
import { UnsyncedFolders, writeDurably } from '../storage/durableFile';
import { acquireLock, holderOf, type Lock } from '../storage/fileLock';
import { EventLog, type LogPosition } from './eventLogWriter';
import type { ReadPosition } from './followLog';
import { isFramed, newHeader, type LogParent } from './header';
import { machineKey } from '../storage/machineKey';
import { atOnce, inTurns, type Pieces } from './pieces';
import { logReading, existingLogPath, logName, type ReadLog, type TornEnd } from './readLog';
import { readFrame, framedLine } from '../storage/frame';

export { EventLog, type LogPosition } from './eventLogWriter';

export { logName, onlyBefore, existingLogPath, readHeader, type ReadLog } from './readLog';

/** A log whose lock this process holds, or that it can only read. */
export interface OpenedLog {
  readonly events: readonly Event[];
  /** What is wrong, as a message for people; the log is read-only then. */
  readonly problem?: string;
  /** If the log itself has a problem: the number of events, from the first, from which another session can continue. */
  readonly intactCount?: number;
  /** If another process writes an intact log: where reading it ended, and that process in words, if known. */
  readonly elsewhere?: ReadPosition & { readonly holder?: string };
  /** What a crash left after the last event. The first write moves it to another file. */
  readonly torn?: TornEnd;
  /** Absent if another process writes the log, if it is damaged or was changed, or if its version is newer. */
  readonly store?: EventLog;
}

/**
 * Opens the log of one session: one JSON event per line, append-only, with each line bound to all lines before it (see
 * storage/frame.ts). Opening changes nothing. Before the first event is appended, a partial line left by a crash is cut
 * off and saved separately, and a log of an older version is rewritten. A log with any other problem is opened
 * read-only and left unchanged. If this machine did not write the log, approvals in it no longer count: the returned
 * events say so. `doubt` is another reason to distrust the log. Throws if the file exists and cannot be read.
 */
export const openEventLog = (file: string, doubt?: LogDoubt): OpenedLog => atOnce(opening(file, doubt));

/** Like `openEventLog`, but yields to other work while it reads a long log. */
export const openEventLogInTurns = (file: string, doubt?: LogDoubt): Promise<OpenedLog> =>
  inTurns(opening(file, doubt));

/** Returns another reason to distrust a log, as a message for people. */
export type LogDoubt = (stand: LogPosition) => string | undefined;

function* opening(named: string, doubt: LogDoubt = () => undefined): Pieces<OpenedLog> {
  const file = behindLink(named);
  const { lock, unsyncedFolders } = lockOf(file);
  try {
    // A new log has no sealed lines, so the machine key is not needed.
    const isNew = lock !== 'held' && !fs.existsSync(existingLogPath(file));
    const read = yield* logReading(file, isNew ? undefined : machineKey());
    const fault = read.problem ?? doubt(read) ?? severalNames(file);
    const problem = fault ?? (lock === 'held' ? heldElsewhereWords(file) : undefined);
    if (problem !== undefined || lock === 'held') {
      if (lock !== 'held') lock?.release();
      return {
        events: read.events,
        problem: problem!,
        ...(read.problem !== undefined && read.intactCount > 0 && { intactCount: read.intactCount }),
        ...(fault === undefined &&
          read.header &&
          isFramed(read.header.waymark) && { elsewhere: writerElsewhere(file, read) }),
      };
    }
    const voided = isVouchedFor(read.events, read.foreign) ? [] : withoutConsent(read.events, Date.now());
    const first = [...(read.header ? [] : [newHeader()]), ...voided].map((object) => JSON.stringify(object));
    const store = writerOf(file, read, first, { lock, unsyncedFolders });
    return { events: [...read.events, ...voided], store, ...(read.torn && { torn: read.torn }) };
  } catch (error) {
    if (lock !== 'held') lock?.release();
    throw error;
  }
}

/** Resolves a symbolic link to its target. The lock is beside the file, so that two names of it share one lock. */
function behindLink(file: string): string {
  if (!isLink(file)) return file;
  try {
    return fs.realpathSync(file);
  } catch {
    throw new Error(`${file} is a broken link. Name the log itself, or remove the link.`);
  }
}

/** Why a log with hard links is not written: a run that uses another of its names could not be detected. */
function severalNames(file: string): string | undefined {
  const place = existingLogPath(file);
  const names = fs.existsSync(place) ? fs.statSync(place).nlink : 1;
  if (names <= 1) return undefined;
  return `This log has ${names} names (hard links), and a run that uses another name would write the same file, so it is read-only here. Copy it and continue the copy.`;
}

const holderOfLog = (file: string): string | undefined =>
  holderOf(`${file}.lock`) ?? holderOf(`${existingLogPath(file)}.lock`);

function writerElsewhere(file: string, { size, hash, events }: ReadLog): NonNullable<OpenedLog['elsewhere']> {
  const holder = holderOfLog(file);
  return { file, size, hash, count: events.length, ...(holder !== undefined && { holder }) };
}

function heldElsewhereWords(file: string): string {
  const holder = holderOfLog(file);
  return `This session is open in another window or terminal${holder === undefined ? '' : ` (${holder})`}, so it is read-only here.`;
}

/** Reads a log, even if another process writes it, without changing anything. */
export const readEventLog = (file: string): ReadLog => atOnce(logReading(file, machineKey()));

/** Like `readEventLog`, but yields to other work while it reads a long log. */
export const readEventLogInTurns = (file: string): Promise<ReadLog> => inTurns(logReading(file, machineKey()));

/** Begins a log that continues another one; see log/fork.ts. */
export function beginLog(file: string, parent: LogParent): EventLog {
  const { lock, unsyncedFolders } = lockOf(file);
  if (lock === 'held' || fs.existsSync(file) || isLink(file)) throw new Error(`${file} already exists.`);
  const header = JSON.stringify(newHeader(parent));
  return writerOf(file, { size: 0, hash: parent.hash }, [header], { lock, unsyncedFolders });
}

function writerOf(
  file: string,
  read: Pick<ReadLog, 'size' | 'hash' | 'header' | 'unended'>,
  first: readonly string[],
  { lock, unsyncedFolders }: { readonly lock: Lock | undefined; readonly unsyncedFolders: UnsyncedFolders },
): EventLog {
  const place = existingLogPath(file);
  const outdated = read.header !== undefined && !isFramed(read.header.waymark);
  const prepare = () => {
    if (outdated) return migrate(place, file, read);
    cutTorn(file, read);
    return read.unended ? { size: read.size + 1, hash: read.hash } : undefined;
  };
  const { size, hash } = read;
  const [key, lockAgain] = [() => machineKey(), () => lockFor(file)];
  return new EventLog({ file, key, size, hash, unsyncedFolders, first, prepare, lock: lockAgain }, lock);
}

interface HeldLog {
  /** Undefined if the lock cannot be created; this is retried before the first write. */
  readonly lock: Lock | 'held' | undefined;
  /** See `EventLog`. */
  readonly unsyncedFolders: UnsyncedFolders;
}

function lockOf(file: string): HeldLog {
  const unsyncedFolders = new UnsyncedFolders();
  try {
    unsyncedFolders.make(path.dirname(file));
    return { lock: lockFor(file) ?? 'held', unsyncedFolders };
  } catch {
    return { lock: undefined, unsyncedFolders };
  }
}

/** Also locks the name used by earlier versions: one of them may have the log open. */
function lockFor(file: string): Lock | undefined {
  const place = existingLogPath(file);
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

/** Returns the numbers of the lines in a framed log that were modified, from 1. A partial last line does not count. */
export function brokenLines(file: string): number[] {
  const bytes = fs.readFileSync(file);
  const broken: number[] = [];
  for (let at = 0, end, line = 1; (end = bytes.indexOf(10, at)) !== -1; at = end + 1, line++)
    if (!readFrame(bytes.subarray(at, end))) broken.push(line);
  return broken;
}

/** Saves the partial line that a crash left at the end in a file beside the log, then cuts it off. */
function cutTorn(file: string, { size, unended }: Pick<ReadLog, 'size' | 'unended'>): void {
  const bytes = bytesFrom(file, size);
  if (bytes.length > 0) {
    writeDurably(`${file}.torn-${Date.now()}`, [bytes]);
    fs.truncateSync(file, size);
  }
  if (unended) fs.appendFileSync(file, '\n', { flush: true });
}

/**
 * Rewrites a log of version 1 in this version. The original stays in place; if both would have the same name, the
 * original is renamed to `.v1`. No line is sealed, because nothing vouches for a log without seals.
 */
function migrate(from: string, to: string, { size }: Pick<ReadLog, 'size'>): { size: number; hash: string } {
  const [, ...objects] = fs.readFileSync(from).toString('utf8', 0, size).split('\n').slice(0, -1);
  let hash = '';
  const lines = [JSON.stringify(newHeader()), ...objects].map((object) => {
    const next = framedLine(object, hash, undefined);
    hash = next.hash;
    return next.line;
  });
  if (from === to) keepAs(from, `${from}.v1`);
  writeDurably(to, lines);
  return { size: Buffer.byteLength(lines.join('')), hash };
}

function keepAs(file: string, name: string): void {
  // A copy instead of a hard link, which would prevent the log from being written; see `eventLog.ts`.
  if (!fs.existsSync(name)) fs.copyFileSync(file, name, fs.constants.COPYFILE_FICLONE);
}

function bytesFrom(file: string, start: number): Buffer {
  if (!fs.existsSync(file)) return Buffer.alloc(0);
  const descriptor = fs.openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, fs.fstatSync(descriptor).size - start));
    return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, bytes.length, start));
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Returns the name of the session of a log in the logs of others: that of its own folder, else that of the file. */
export const sessionName = (file: string): string =>
  path.basename(file) === logName
    ? path.basename(path.dirname(file))
    : path.basename(file).replace(/(\.waymark)?\.jsonl$/, '');
