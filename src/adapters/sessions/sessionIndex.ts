import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { fileSynced, writeDurably } from '../storage/durableFile';
import { acquireLock } from '../storage/fileLock';
import { settingsOf } from '../../core/log/runSettings';
import { statusOf } from '../../core/log/status';
import type { History } from '../../core/log/projection';
import { sessionSpending } from '../../core/log/spending';
import type { EventOf } from '../../protocol/events/event';
import type { Status } from '../../protocol/panel/panel';

const Summary: z.ZodType<SessionSummary> = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(['empty', 'ready', 'waiting_for_confirmation', 'waiting_for_answer', 'idle', 'paused', 'finished']),
  steps: z.number(),
  cost: z.number().nullable(),
  updatedAt: z.number(),
  end: z.enum(['submitted', 'limit_exceeded', 'failed', 'stopped']).exactOptional(),
  files: z.number().exactOptional(),
  seconds: z.number().exactOptional(),
  parent: z.string().exactOptional(),
  fork: z.object({ session: z.string(), seq: z.number() }).exactOptional(),
  unsound: z.boolean().exactOptional(),
});

const Entry = z.object({
  id: z.string(),
  /** Absent if only the existence of the session is known. */
  summary: Summary.optional(),
  /** State of its log: size in bytes, and the hash of the last line. */
  size: z.number().optional(),
  hash: z.string().optional(),
  /** When its log file last changed, in ms since 1970. */
  changedAt: z.number().optional(),
  /** True if a process is writing its log, or died while writing: the log may be newer than the summary. */
  open: z.boolean().optional(),
  /** True if it was deleted. */
  gone: z.boolean().optional(),
});
/** One session, and the state of its log to which the summary belongs. */
export type IndexEntry = z.infer<typeof Entry>;

/** Writers check the length of the index after each growth by this many bytes. */
const lookEveryBytes = 1024 * 1024;
/** Lines allowed per existing session, plus `spareLines`, before the file is rewritten. */
const maxLines = 3;
const spareLines = 200;

/**
 * What is known of all sessions, in one file with a line each; the last line about a session counts. Windows append to
 * it and never rewrite what others appended. It may be lost, torn or wrong: `Sessions` reads the logs again if it lacks
 * or doubts a line.
 */
export class SessionIndex {
  private readonly file: string;
  private readonly entries = new Map<string, IndexEntry>();
  private lastRead = { inode: 0, size: 0 };
  private lines = 0;
  private wasRead = false;

  constructor(folder: string) {
    this.file = path.join(folder, 'index.jsonl');
  }

  /** Returns the entries on disk; reads only what was appended since the last call. */
  read(): ReadonlyMap<string, IndexEntry> {
    this.wasRead = true;
    let descriptor;
    try {
      descriptor = fs.openSync(this.file, 'r');
      const { ino, size } = fs.fstatSync(descriptor);
      if (ino !== this.lastRead.inode || size < this.lastRead.size) this.forget();
      const buffer = Buffer.alloc(size - this.lastRead.size);
      const bytes = buffer.subarray(0, fs.readSync(descriptor, buffer, 0, buffer.length, this.lastRead.size));
      const whole = bytes.lastIndexOf(10) + 1; // the rest is still being written
      for (const line of bytes.toString('utf8', 0, whole).split('\n')) this.take(line);
      this.lastRead = { inode: ino, size: this.lastRead.size + whole };
    } catch {
      this.forget(); // the logs contain everything
    } finally {
      if (descriptor !== undefined) fs.closeSync(descriptor);
    }
    return this.entries;
  }

  /** `isUrgent`: begins to sync at once. Otherwise the system writes it to the disk at some time. */
  add(entries: readonly IndexEntry[], { isUrgent = false }: { readonly isUrgent?: boolean } = {}): void {
    if (entries.length === 0) return;
    fs.mkdirSync(path.dirname(this.file), { recursive: true, mode: 0o700 });
    // The leading newline ends a line that another process may have left incomplete.
    const lines = `\n${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`;
    fs.appendFileSync(this.file, lines, { mode: 0o600 });
    if (isUrgent) void fileSynced(this.file).catch(() => undefined);
    // A caller that only appends, such as a run, need not read the rest.
    const { size } = fs.statSync(this.file);
    const isDue = Math.floor(size / lookEveryBytes) > Math.floor((size - Buffer.byteLength(lines)) / lookEveryBytes);
    if (!this.wasRead && !isDue) return;
    this.read();
    if (this.lines > maxLines * this.entries.size + spareLines) this.shorten();
  }

  private take(line: string): void {
    if (line === '') return;
    this.lines++;
    let entry;
    try {
      entry = Entry.safeParse(JSON.parse(line)).data;
    } catch {
      /* torn */
    }
    if (entry) this.entries.set(entry.id, entry);
  }

  /**
   * Under the lock nobody else rewrites it. A line appended between reading and renaming is lost, and its log is read
   * again.
   */
  private shorten(): void {
    const lock = acquireLock(`${this.file}.lock`);
    if (!lock) return;
    try {
      this.read();
      writeDurably(this.file, [
        `${[...this.entries.values()]
          .filter(({ gone }) => !gone)
          .map((entry) => JSON.stringify(entry))
          .join('\n')}\n`,
      ]);
      this.read();
    } finally {
      lock.release();
    }
  }

  private forget(): void {
    this.entries.clear();
    this.lastRead = { inode: 0, size: 0 };
    this.lines = 0;
  }
}

/**
 * One entry of the session list. All of it is read from the log; the index beside the logs only saves reading them
 * again.
 */
export interface SessionSummary {
  readonly id: string;
  readonly title: string;
  readonly status: Status;
  readonly steps: number;
  readonly cost: number | null;
  /** How a finished session ended. */
  readonly end?: EventOf<'finished'>['status'];
  /** Number of files that its edits changed; absent if there are none. */
  readonly files?: number;
  /** Working time in seconds, without the time spent waiting for the user. */
  readonly seconds?: number;
  /** Time of the last event, in ms since 1970. */
  readonly updatedAt: number;
  /** The session for which this one works; absent for a fork of such a session that the user started. */
  readonly parent?: string;
  /** The session from which this one was forked, after its event `seq`. */
  readonly fork?: { readonly session: string; readonly seq: number };
  /**
   * True if its log was damaged, changed, truncated or replaced. The other fields are what was known before, if
   * anything.
   */
  readonly unsound?: boolean;
}

/** Returns undefined for a log without a task. */
export function summarise(id: string, history: History, fork?: SessionSummary['fork']): SessionSummary | undefined {
  const settings = settingsOf(history);
  if (!settings) return undefined;
  const { steps, usage, seconds } = sessionSpending(history);
  const last = history.at(-1)!;
  const status = statusOf(history);
  // What a person undid or applied after the end does not change how the run ended.
  const end = status === 'finished' ? history.findLast((event) => event.type === 'finished') : undefined;
  const files = changedFiles(history);
  const parent = history.find((event) => event.type === 'task_started')?.parent?.session;
  return {
    id,
    title: settings.title,
    status,
    steps,
    cost: usage.cost,
    updatedAt: last.at,
    ...(end !== undefined && { end: end.status }),
    ...(files > 0 && { files }),
    ...(seconds >= 1 && { seconds: Math.round(seconds) }),
    ...(parent !== undefined && !fork && { parent }),
    ...(fork && { fork }),
  };
}

/** Returns how many files edits changed. */
function changedFiles(history: History): number {
  const paths = new Set<string>();
  for (const event of history)
    if (event.type === 'observation' && event.details?.kind === 'edit')
      for (const { path } of event.details.changes) paths.add(path);
  return paths.size;
}
