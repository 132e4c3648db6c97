import fs from 'node:fs';
import path from 'node:path';
import type { EventStore } from '../core/agent/conversation';
import { Event } from '../protocol/event';
import { acquireLock, type Lock } from './fileLock';

/** The first line of every log: what the file is, for this and later versions. */
const HEADER = { waymark: 1 } as const;

export interface OpenedLog {
  readonly events: Event[];
  /** What is not as it should be, in words for a person; the log is read-only when it says so. */
  readonly problem?: string;
  /** Absent when another process writes the log, when it is damaged, or when it is of a newer version. */
  readonly store?: EventLog;
}

/**
 * The log of one session: one JSON event a line, append-only. A torn last line is cut off and kept aside; whatever else is wrong
 * leaves the file as it is and opens it read-only up to the damage. Throws only when the file cannot be read or made.
 */
export function openEventLog(file: string): OpenedLog {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const lock = acquireLock(`${file}.lock`);
  try {
    const { events, problem, size } = readEventLog(file, lock !== undefined);
    if (problem !== undefined || !lock) {
      lock?.release();
      return { events, problem: problem ?? 'This session is open in another window, so it can only be read here.' };
    }
    return { events, store: new EventLog(file, size, lock) };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** Reads a log without taking it. `repair` cuts a torn last line off; `size` is the length of what is whole, in bytes. */
export function readEventLog(file: string, repair = false): { events: Event[]; problem?: string; size: number } {
  const bytes = fs.existsSync(file) ? fs.readFileSync(file) : Buffer.alloc(0);
  const size = bytes.lastIndexOf(10) + 1;
  if (size < bytes.length && repair) {
    fs.writeFileSync(`${file}.torn-${Date.now()}`, bytes.subarray(size), { mode: 0o600 });
    fs.truncateSync(file, size);
  }
  const [header, ...lines] = bytes.toString('utf8', 0, size).split('\n').slice(0, -1);
  const events: Event[] = [];
  if (header === undefined) return { events, size };
  const version = parsed(header);
  if (typeof version !== 'object' || version === null || !('waymark' in version)) return { events, size, problem: `${file} is not a Waymark log.` };
  if (version.waymark !== HEADER.waymark) return { events, size, problem: `This session was written by another version of Waymark (format ${String(version.waymark)}), so it can only be read.` };
  for (const line of lines) {
    const event = Event.safeParse(parsed(line));
    if (!event.success || event.data.seq !== events.length) {
      return { events, size, problem: `The log is damaged at event ${events.length}; what comes before is shown, and nothing is changed. The file is ${file}.` };
    }
    events.push(event.data);
  }
  return { events, size };
}

/** One writer. Events that come while a write is under way are written and synced together. */
export class EventLog implements EventStore {
  private readonly descriptor: number;
  private waiting: string[] = [];
  private flushing: Promise<void> | undefined;
  private failure: Error | undefined;
  private closed = false;

  constructor(readonly file: string, private size: number, private readonly lock: Lock) {
    this.descriptor = fs.openSync(file, 'a', 0o600);
    if (size === 0) this.waiting.push(`${JSON.stringify(HEADER)}\n`);
  }

  /** After `close` events are no longer kept: whatever reports late is not part of the log. */
  append(event: Event): void {
    if (this.closed) return;
    this.waiting.push(`${JSON.stringify(event)}\n`);
    this.flushing ??= this.flush();
    this.flushing.catch(() => undefined); // `durable` tells
  }

  async durable(): Promise<void> {
    if (this.failure && !this.flushing) this.flushing = this.flush();
    while (this.flushing) await this.flushing;
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.durable().catch(() => undefined);
    fs.closeSync(this.descriptor);
    this.lock.release();
  }

  /** A failed write is cut off again and its lines stay waiting, so that a later try leaves no hole and no half line. */
  private async flush(): Promise<void> {
    await undefined; // a burst of events is one write
    const lines = this.waiting;
    this.waiting = [];
    try {
      const bytes = Buffer.from(lines.join(''));
      await writeAll(this.descriptor, bytes);
      await sync(this.descriptor);
      this.size += bytes.length;
      this.failure = undefined;
    } catch (error) {
      this.waiting.unshift(...lines);
      try { fs.ftruncateSync(this.descriptor, this.size); } catch { /* the next open cuts the torn line */ }
      this.failure = new Error(`The session's log cannot be written (${(error as Error).message}). Nothing more is run until it can. Free some space or check the folder ${path.dirname(this.file)}.`, { cause: error });
      throw this.failure;
    } finally {
      this.flushing = this.waiting.length > 0 && !this.failure ? this.flush() : undefined;
      this.flushing?.catch(() => undefined);
    }
  }
}

async function writeAll(descriptor: number, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    at += await new Promise<number>((resolve, reject) => fs.write(descriptor, bytes, at, bytes.length - at, null, (error, written) => (error ? reject(error) : resolve(written))));
  }
}

const sync = (descriptor: number) => new Promise<void>((resolve, reject) => fs.fdatasync(descriptor, error => (error ? reject(error) : resolve())));

function parsed(line: string): unknown {
  try { return JSON.parse(line); } catch { return undefined; }
}
