import type { KeyObject } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { EventStore } from '../../core/ports/eventStore';
import type { Event } from '../../protocol/events/event';
import { UnkeptLog } from '../../core/session/durableRetry';
import { roomForOpenFiles } from '../../core/text/openFiles';
import { makeFolder, syncFolder } from '../storage/durableFile';
import type { Lock } from '../storage/fileLock';
import { LogFile } from './logFile';
import { framed } from '../storage/frame';

export interface LogStand {
  readonly size: number;
  readonly hash: string;
}

/** The size and last hash of the log when writing begins. */
export interface LogStart {
  readonly file: string;
  /** Asked for when the first line is written: a new key of the machine takes several syncs. */
  readonly key: () => KeyObject | undefined;
  /** Bytes that are acknowledged, and the hash of the last line of them. */
  readonly size: number;
  readonly hash: string;
  /** Lines to be written before the first event, as JSON objects: a header, and what is said about an older log. */
  readonly first: readonly string[];
  /** Brings the file into the form that grows; done once, before the first write. Says where the log stands then. */
  readonly prepare?: () => { size: number; hash: string } | undefined;
  /** Undefined where another process holds it. Throws where no lock can be made. */
  readonly lock: () => Lock | undefined;
}

/** Milliseconds. */
const retryAfter = 2000;
/**
 * Milliseconds that an event waits for company where nobody waits for it. Which events wait for the disk: before an
 * action that may have effects runs, all up to its `action_started` are durable, so that what may have begun is never
 * run again (its checkpoint is made meanwhile); so are all before a run rests, and each before it is shown or printed.
 * Nothing in between needs an answer of the disk: a result and the reply that follows at once share the sync of the
 * next action. Who loses power in these milliseconds loses words that nobody was shown, and of an action without its
 * result the log says that its outcome is unknown.
 */
const linger = 20;

/** A line to write, and whom to tell when it is written; nobody is told of lines before the first event. */
interface Waiting {
  readonly object: string;
  readonly settled?: Settled;
}

type Settled = (failure?: Error) => void;

/** Problems that do not go away by themselves: somebody has to fix them. */
const lastingCodes = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EEXIST',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'EFBIG',
  // Folders that are missing are made: there, none can be.
  'ENOENT',
]);

/**
 * One writer. Every event is on disk when `durable` resolves; those that come while a write is under
 * way, or within a few milliseconds, are written and synced together. Whatever fails loses nothing: the
 * events wait, and each `durable` tries again.
 */
export class EventLog implements EventStore {
  private waiting: Waiting[];
  /** Events that were appended, and how many of them are on disk. */
  private appended = 0;
  private settledCount = 0;
  private soon: NodeJS.Timeout | undefined;
  private flushing: Promise<void> | undefined;
  private failed: Error | undefined;
  private closed = false;
  private size: number;
  private hash: string;
  private open: LogFile | undefined;
  private prepared = false;
  private again: NodeJS.Timeout | undefined;

  /** `lock`: undefined where it has still to be taken. */
  constructor(
    private readonly start: LogStart,
    private lock: Lock | undefined,
  ) {
    this.size = start.size;
    this.hash = start.hash;
    this.waiting = start.first.map((object) => ({ object }));
  }

  get file(): string {
    return this.start.file;
  }

  /** Why the last write failed, in words for a person; undefined while all is well. */
  get failure(): Error | undefined {
    return this.failed;
  }

  /** How far the log is on disk: bytes, and the hash of the last line. */
  get stand(): LogStand {
    return { size: this.size, hash: this.hash };
  }

  /** After `close` events are no longer kept: whatever reports late is not part of the log. */
  append(event: Event, settled: Settled = () => undefined): void {
    if (this.closed) return;
    this.waiting.push({ object: JSON.stringify(event), settled });
    this.appended++;
    // Whoever waits for `durable` gets the error.
    if (!this.flushing) this.soon ??= setTimeout(() => void this.flushNow().catch(() => undefined), linger);
  }

  async durable(): Promise<void> {
    const wanted = this.appended;
    do await this.flushNow();
    while (this.settledCount < wanted);
  }

  /** Brings the file into the form that grows, also where no event was appended. Rejects like `durable`. */
  async settle(): Promise<void> {
    if (!this.prepared) this.flushing ??= this.flush();
    await this.durable();
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.again);
    await this.durable().catch(() => undefined);
    this.open?.close();
    this.lock?.release();
  }

  /** Resolves when the write that is under way has ended; where there is none, and something waits, it begins now. */
  private async flushNow(): Promise<void> {
    if (this.waiting.length > 0) this.flushing ??= this.flush();
    await this.flushing;
  }

  private async flush(): Promise<void> {
    await undefined; // a burst of events is one write
    clearTimeout(this.soon);
    this.soon = undefined;
    const lines = this.waiting;
    this.waiting = [];
    try {
      await this.write(lines);
      for (const { settled } of lines) {
        if (!settled) continue;
        this.settledCount++;
        settled();
      }
    } finally {
      this.flushing = this.waiting.length > 0 && !this.failed ? this.flush() : undefined;
      this.flushing?.catch(() => undefined);
    }
  }

  private async write(lines: readonly Waiting[]): Promise<void> {
    try {
      const file = this.ready();
      let { hash } = this;
      const key = this.start.key();
      const bytes = Buffer.from(
        lines
          .map(({ object }) => {
            const next = framed(object, hash, key);
            hash = next.hash;
            return next.line;
          })
          .join(''),
      );
      await file.append(bytes);
      this.size += bytes.length;
      this.hash = hash;
      this.failed = undefined;
    } catch (error) {
      this.waiting.unshift(...lines);
      this.open?.cutTo(this.size);
      this.open?.close();
      this.open = undefined; // what is on disk is looked at again before the next try
      this.failed = unwritten(error as NodeJS.ErrnoException, path.dirname(this.file));
      // A run at rest asks for nothing: what it said last is kept as soon as it can be.
      clearTimeout(this.again);
      if (!this.closed) this.again = setTimeout(() => void this.durable().catch(() => undefined), retryAfter).unref();
      this.waiting.find(({ settled }) => settled)?.settled?.(this.failed);
      throw this.failed;
    }
  }

  /** The file, open at the end of what is acknowledged. */
  private ready(): LogFile {
    if (this.open?.isGone()) this.restore(this.open);
    if (!this.open) {
      makeFolder(path.dirname(this.file));
      this.lock ??= this.start.lock();
      if (!this.lock) throw new Error('another window writes it');
      if (!this.prepared) {
        const stands = this.start.prepare?.();
        if (stands) [this.size, this.hash] = [stands.size, stands.hash];
        this.prepared = true;
      }
      const isNew = !fs.existsSync(this.file);
      if (isNew && this.size > 0) throw new Error('it was moved or deleted');
      this.open = new LogFile(this.file);
      if (isNew) syncFolder(path.dirname(this.file));
      this.open.goOnFrom(this.size, this.hash);
    }
    if (this.open.size() !== this.size)
      throw new Error('another program changed the file; close this session and open it again');
    return this.open;
  }

  /** Somebody deleted the file: what this process still holds of it is put there again. */
  private restore(open: LogFile): void {
    makeFolder(path.dirname(this.file));
    this.lock?.release();
    this.lock = undefined;
    open.copyTo(this.file, this.size);
    open.close();
    this.open = undefined;
  }
}

function remedyFor(code: string | undefined, lasting: boolean, folder: string): string {
  if (code === 'EFBIG') return 'Raise the limit for the size of files, for example with "ulimit -f unlimited".';
  if (code === 'EMFILE' || code === 'ENFILE') return `${roomForOpenFiles(code)}.`;
  if (code === 'ENOENT') return `The folder ${folder} cannot be made: choose another one for the log.`;
  return lasting ? `Check who may write to the folder ${folder}.` : `Free some space or check the folder ${folder}.`;
}

function unwritten(error: NodeJS.ErrnoException, folder: string): UnkeptLog {
  const lasting = lastingCodes.has(error.code ?? '');
  // Not the call and its file: a lock has another name at each try, and the same words are told once.
  const why = error.message.replace(/, [a-z]+(?: '[^']*')?(?: -> '[^']*')?$/s, '');
  const remedy = remedyFor(error.code, lasting, folder);
  return new UnkeptLog(
    `The session's log cannot be written (${why}). Nothing more is run until it can. ${remedy}`,
    lasting,
    { cause: error },
  );
}
