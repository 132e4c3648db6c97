import type { KeyObject } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Event } from '../../protocol/events/event';
import { follows, isSealed, readFrame, type Frame } from '../storage/frame';
import { currentVersion, headerIn, isFramed, type LogHeader, type LogParent } from './header';
import { atOnce, type Pieces } from './pieces';
import { parseJson } from '../../core/text/parseJson';
import { withCommas } from '../../core/text/withCommas';

/** The contents of a log, and how far they can be trusted. */
export interface ReadLog {
  /** Without gaps from 0, including the events of its parents. */
  readonly events: Event[];
  /** Undefined for a file that is empty or not a log. */
  readonly header?: LogHeader | undefined;
  /** What is wrong, as a message for people. */
  readonly problem?: string;
  /** Number of `events`, from the first, that are intact. Another session can continue from there. */
  readonly intactCount: number;
  /** Size of the complete lines in bytes. A crash may have left a partial line after them. */
  readonly size: number;
  /** Hash of the last complete line. */
  readonly hash: string;
  /** Events before this one were written by another machine, or before there were seals. */
  readonly foreign: number;
  /** True if the line of the last event lacks its newline. */
  readonly unended?: boolean;
  /** What a crash left after the complete lines, if anything. */
  readonly torn?: TornEnd;
}

/** What follows the complete lines of a log. */
export interface TornEnd {
  readonly bytes: number;
  /** True for unwritten blocks of the file system, false for the beginning of a line. */
  readonly isZeros: boolean;
}

/** Maximum length of a chain of parent logs. */
export const maxParents = 100;
/** Explains in messages that reading stopped at the damage. */
export const onlyBefore = 'the events before it are shown, and the file is not changed';
const newline = 10;
const maxHeaderBytes = 8192;
const headerStart = '{"waymark":';

/** The path of the log, under its current name or that of earlier versions. */
export function existingLogPath(file: string): string {
  if (!file.endsWith(`${path.sep}${logName}`) || fs.existsSync(file)) return file;
  const earlier = path.join(path.dirname(file), earlierName);
  return fs.existsSync(earlier) ? earlier : file;
}

export const logName = 'session.waymark.jsonl';
const earlierName = 'events.jsonl';

/** Reads a log without changing it. `upTo`: the last event to read. Throws if the file exists and cannot be read. */
export const readLog = (file: string, key: KeyObject | undefined, upTo = Infinity): ReadLog =>
  atOnce(logReading(file, key, upTo));

/** Like `readLog`, in pieces of one line each. `forks`: the logs that led to this one, from the one to read. */
export function* logReading(
  file: string,
  key: KeyObject | undefined,
  upTo = Infinity,
  forks: readonly string[] = [],
): Pieces<ReadLog> {
  const existing = existingLogPath(file);
  const bytes = yield existing;
  return yield* new Reading({ file: existing, bytes, chain: [...forks, existing] }, key, upTo).result();
}

interface OpenedLog {
  readonly file: string;
  readonly bytes: Buffer;
  /** The logs that continue this one, and this log as the last. */
  readonly chain: readonly string[];
}

/** One pass over a log. */
class Reading {
  private readonly events: Event[] = [];
  private header: LogHeader | undefined;
  private problem: string | undefined;
  private intactCount = Infinity;
  private offset = 0;
  private hash = '';
  private foreign = 0;
  private sealed = false;
  private unended = false;
  private torn: TornEnd | undefined;

  constructor(
    private readonly log: OpenedLog,
    private readonly key: KeyObject | undefined,
    private readonly upTo: number,
  ) {}

  *result(): Pieces<ReadLog> {
    const { bytes } = this.log;
    while (this.events.length <= this.upTo) {
      const end = bytes.indexOf(newline, this.offset);
      if (end === -1) {
        const rest = bytes.subarray(this.offset);
        this.takePartialLine(rest);
        if (rest.length > 0 && !this.unended) this.torn = { bytes: rest.length, isZeros: this.hasOnlyZerosLeft() };
        break;
      }
      yield;
      const line = bytes.subarray(this.offset, end);
      const goesOn = this.header ? this.takeEvent(line, this.header) : yield* this.takeFirstLine(line);
      if (!goesOn) break;
      this.offset = end + 1;
    }
    return this.toReadLog();
  }

  private toReadLog(): ReadLog {
    const { events, header, problem, hash, foreign, offset, unended, torn } = this;
    return {
      events,
      header,
      hash,
      foreign,
      size: offset,
      intactCount: Math.min(this.intactCount, events.length),
      ...(problem !== undefined && { problem }),
      ...(unended && { unended }),
      ...(torn && { torn }),
    };
  }

  /** Returns false if nothing more can be read. */
  private takeEvent(line: Buffer, { waymark }: LogHeader): boolean {
    return isFramed(waymark) ? this.takeFramedEvent(line) : this.takePlainEvent(line);
  }

  /** Takes the header. Returns false if nothing more can be read. */
  private *takeFirstLine(line: Buffer): Pieces<boolean> {
    if (this.hasOnlyZerosLeft()) return false;
    const frame = readFrame(line);
    const header = headerIn(parseJson(line.toString('utf8')));
    if (header && (frame || !isFramed(header.waymark))) return yield* this.takeHeader(header, frame);
    // Only the first line may be damaged; the following events may be intact.
    const { bytes } = this.log;
    const secondStart = this.offset + line.length + 1;
    const secondEnd = bytes.indexOf(newline, secondStart);
    const second = readFrame(bytes.subarray(secondStart, secondEnd === -1 ? bytes.length : secondEnd));
    if (!second || !second.content.toString('latin1').startsWith('{"seq":0,'))
      return this.fail(
        header || second
          ? 'The first line of the log is damaged, so the log cannot be shown. The file is not changed'
          : 'This is not a Waymark log',
      );
    this.header = { waymark: currentVersion };
    this.blame('The first line of the log is damaged. Its events are shown, and the file is not changed', Infinity);
    return true;
  }

  private *takeHeader(header: LogHeader, frame: Frame | undefined): Pieces<boolean> {
    this.header = header;
    if (frame) this.hash = frame.hash;
    if (header.waymark > currentVersion)
      this.blame(
        `This session was written by a newer version of Waymark (format ${header.waymark}), so it is read-only. Update Waymark to continue it`,
      );
    if (header.parent && frame && !(yield* this.takeParent(header.parent, frame))) return false;
    this.sealed = frame !== undefined && isSealed(frame, this.key);
    if (!this.sealed) this.foreign = this.events.length;
    if (!header.parent && frame && !follows(frame, ''))
      this.blame('The log was changed outside Waymark, starting at its first line');
    return true;
  }

  /** Takes the events of the log that this one continues. Returns false if nothing more can be read. */
  private *takeParent({ file, seq, hash }: LogParent, frame: Frame): Pieces<boolean> {
    const { chain } = this.log;
    const parentFile = path.resolve(path.dirname(this.log.file), file);
    const isEndless = chain.length > maxParents || chain.includes(existingLogPath(parentFile));
    const parent = isEndless ? undefined : yield* readParent(parentFile, this.key, seq, chain);
    if (parent?.problem !== undefined && parent.events.length > 0 && parent.events.length <= seq) {
      this.takeEventsOf(parent);
      this.intactCount = parent.intactCount;
      return this.fail(
        `This session was forked from another one, whose log is damaged at event ${parent.events.length}; ${onlyBefore}`,
      );
    }
    if (!parent || parent.events.length !== seq + 1 || parent.hash !== hash)
      return this.fail(
        'This session was forked from another one, whose log was deleted or changed, so its events cannot be shown. Nothing was changed',
      );
    this.takeEventsOf(parent);
    if (parent.intactCount <= seq) {
      this.problem = parent.problem;
      this.intactCount = parent.intactCount;
    }
    if (!follows(frame, hash)) this.blame('The log was changed outside Waymark, starting at its first line');
    return true;
  }

  private takeEventsOf({ events, foreign }: ReadLog): void {
    for (const event of events) this.events.push(event);
    this.foreign = foreign;
  }

  private takeFramedEvent(line: Buffer): boolean {
    if (this.hasOnlyZerosLeft()) return false;
    const frame = readFrame(line);
    const event = frame && this.eventIn(`${frame.content.toString('utf8')}}`);
    if (!event) return this.fail(`The log is damaged at event ${this.events.length}; ${onlyBefore}`);
    if (!follows(frame, this.hash) && this.hash !== '')
      this.blame(`The log was changed outside Waymark at event ${event.seq}. Approvals in it do not count`);
    const sealed = isSealed(frame, this.key);
    if (this.sealed && !sealed)
      this.blame(
        `From event ${event.seq} on, this log was not written on this machine, or it was changed. Approvals in it do not count`,
      );
    this.sealed = sealed;
    this.hash = frame.hash;
    this.events.push(event);
    if (!sealed) this.foreign = this.events.length;
    return true;
  }

  private takePlainEvent(line: Buffer): boolean {
    const event = this.eventIn(line.toString('utf8'));
    if (!event) return this.fail(`The log is damaged at event ${this.events.length}; ${onlyBefore}`);
    this.events.push(event);
    this.foreign = this.events.length;
    return true;
  }

  private eventIn(text: string): Event | undefined {
    const { event, unknown } = readEvent(text, this.events.length, { newer: this.header!.waymark > 1 });
    if (event && unknown)
      this.blame(
        'This session contains events from a newer version of Waymark, so it is read-only. Update Waymark to continue it',
      );
    return event;
  }

  /**
   * A partial line of an interrupted write is not damage. A last line that lacks only its newline counts as complete.
   */
  private takePartialLine(rest: Buffer): void {
    const mayBeHeader = headerStart.startsWith(rest.toString('latin1', 0, headerStart.length));
    const isZeros = rest.length > 0 && this.hasOnlyZerosLeft();
    if (!this.header && isZeros)
      this.fail(
        `This log has no events, only zeros (${withCommas(rest.length)} bytes), as a crash leaves files behind. The file is not changed`,
      );
    if (!this.header && !mayBeHeader && !isZeros) this.fail('This is not a Waymark log');
    if (!this.header || !isFramed(this.header.waymark) || this.problem !== undefined) return;
    const line = [rest, rest.subarray(0, -1)].find(readFrame);
    if (!line || !this.takeFramedEvent(line)) return;
    this.unended = true;
    this.offset += line.length;
  }

  /** Returns whether only zeros follow, or nothing. Some file systems fill unwritten blocks with zeros. */
  private hasOnlyZerosLeft(): boolean {
    return this.log.bytes.subarray(this.offset).every((byte) => byte === 0);
  }

  /** Records the first problem. `intactCount`: the events from there on are not trusted. */
  private blame(what: string, intactCount = this.events.length): void {
    this.intactCount = Math.min(this.intactCount, intactCount);
    this.problem ??= `${what}. The file is ${this.log.file}.`;
  }

  /** Records a problem after which nothing more can be read. */
  private fail(what: string): false {
    this.blame(what);
    return false;
  }
}

function* readParent(
  file: string,
  key: KeyObject | undefined,
  seq: number,
  forks: readonly string[],
): Pieces<ReadLog | undefined> {
  try {
    return yield* logReading(file, key, seq, forks);
  } catch {
    return undefined;
  }
}

/** Returns the header of a file, or undefined if it has none. */
export function readHeader(file: string): LogHeader | undefined {
  let descriptor;
  try {
    // Does not wait for the writer of a pipe.
    descriptor = fs.openSync(existingLogPath(file), fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    const bytes = Buffer.alloc(maxHeaderBytes);
    const read = bytes.subarray(0, fs.readSync(descriptor, bytes, 0, maxHeaderBytes, 0));
    return headerIn(parseJson(read.toString('utf8', 0, Math.max(0, read.indexOf(newline)))));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/**
 * Parses the event of a line, if it has the expected number. If the line may be of a newer version (`newer`), an
 * unknown event is replaced by a notice (`unknown`), so that the following ones can be read.
 */
export function readEvent(
  text: string,
  seq: number,
  { newer }: { readonly newer: boolean },
): { event?: Event; unknown?: boolean } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {};
  }
  const { success, data } = Event.safeParse(value);
  if (success) return data.seq === seq ? { event: data } : {};
  if (!newer || typeof value !== 'object' || value === null || !('seq' in value && 'at' in value && 'type' in value))
    return {};
  const { seq: writtenSeq, at, type } = value;
  if (writtenSeq !== seq || typeof at !== 'number' || typeof type !== 'string') return {};
  return {
    event: {
      seq,
      at,
      type: 'notice',
      level: 'warning',
      text: `An event from a newer version of Waymark (${type.slice(0, 40)}) cannot be shown.`,
    },
    unknown: true,
  };
}
