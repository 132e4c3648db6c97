import type { KeyObject } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { EventStore } from '../../core/ports/eventStore';
import type { Event } from '../../protocol/events/event';
import { LogWriteFailed } from '../../core/session/durableRetry';
import { roomForOpenFiles } from '../../core/text/errorMessage';
import { makeFolder, type UnsyncedFolders } from '../storage/durableFile';
import type { Lock } from '../storage/fileLock';
import { ChangedOutside, LogFile } from './logFile';
import { framedLine } from '../storage/frame';

/** The end of a log: its size in bytes, and the hash of its last line. */
export interface LogPosition {
  readonly size: number;
  readonly hash: string;
}

/** The size and last hash of the log when writing begins. */
interface LogStart {
  readonly file: string;
  /** Called when the first line is written: creating a new machine key takes several syncs. */
  readonly key: () => KeyObject | undefined;
  /** Number of acknowledged bytes, and the hash of their last line. */
  readonly size: number;
  readonly hash: string;
  /** Folders that were created for it and must be durable before the first event counts as written. */
  readonly unsyncedFolders: UnsyncedFolders;
  /** Lines to write before the first event, as JSON objects: a header, and notices about an older log. */
  readonly first: readonly string[];
  /** Prepares the file for appending, once before the first write. Returns its new size and last hash. */
  readonly prepare?: () => LogPosition | undefined;
  /** Returns undefined if another process holds the lock. Throws if no lock can be created. */
  readonly lock: () => Lock | undefined;
}

/** Time after a failed write until the next attempt. */
const retryAfterMs = 2000;
/**
 * Time that an event waits for others if nobody waits for it. Before an action that may have effects runs, all
 * events up to its `action_started` are durable (its checkpoint is made in the meantime), so that an action that may
 * have begun is never run again. Events are also durable before a run rests, and before they are shown or printed.
 * Nothing in between needs an answer from the disk: a result and the reply that follows share the sync of the next
 * action. A power failure in this time loses only text that nobody has seen; for an action without a result, the log
 * says that its outcome is unknown.
 */
const lingerMs = 20;

/** A line to write, and a callback for when it is written. Lines before the first event have no callback. */
interface WaitingLine {
  readonly object: string;
  readonly settled?: OnSettled;
}

type OnSettled = (failure?: Error) => void;

/** Problems that persist until somebody fixes them. */
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
  // Missing folders are created, so this means that none can be created there.
  'ENOENT',
]);

/**
 * The only writer of a log. Every event is on disk when `durable` resolves. Events that arrive during a write, or
 * within a few milliseconds, are written and synced together. Failures lose nothing: the events stay queued, and each
 * `durable` retries.
 */
export class EventLog implements EventStore {
  private waiting: WaitingLine[];
  /** Number of appended events, and how many of them are on disk. */
  private appended = 0;
  private settledCount = 0;
  private flushTimer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> | undefined;
  private failed: Error | undefined;
  private closed = false;
  private size: number;
  private hash: string;
  private open: LogFile | undefined;
  private prepared = false;
  private retryTimer: NodeJS.Timeout | undefined;

  /** `lock`: undefined if it is not acquired yet. */
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

  /** Why the last write failed, as a message for people; undefined if it succeeded. */
  get failure(): Error | undefined {
    return this.failed;
  }

  /** What is on disk: size in bytes, and the hash of the last line. */
  get position(): LogPosition {
    return { size: this.size, hash: this.hash };
  }

  /** After `close`, events are dropped: late reports are not part of the log. */
  append(event: Event, settled: OnSettled = () => undefined): void {
    if (this.closed) return;
    this.waiting.push({ object: JSON.stringify(event), settled });
    this.appended++;
    // Callers that wait for `durable` receive the error.
    if (!this.flushing) this.flushTimer ??= setTimeout(() => void this.flushNow().catch(() => undefined), lingerMs);
  }

  async durable(): Promise<void> {
    const wanted = this.appended;
    do await this.flushNow();
    while (this.settledCount < wanted);
  }

  /** Prepares the file for appending even if no event was appended. Rejects like `durable`. */
  async settle(): Promise<void> {
    if (!this.prepared) this.flushing ??= this.flush();
    await this.durable();
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.retryTimer);
    await this.durable().catch(() => undefined);
    this.open?.close();
    this.lock?.release();
  }

  /** Resolves when the current write has ended. If there is none and events are queued, a write begins at once. */
  private async flushNow(): Promise<void> {
    if (this.waiting.length > 0) this.flushing ??= this.flush();
    await this.flushing;
  }

  private async flush(): Promise<void> {
    await undefined; // Writes a burst of events at once.
    clearTimeout(this.flushTimer);
    this.flushTimer = undefined;
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

  private async write(lines: readonly WaitingLine[]): Promise<void> {
    try {
      const file = this.openForAppending();
      let { hash } = this;
      const key = this.start.key();
      const bytes = Buffer.from(
        lines
          .map(({ object }) => {
            const next = framedLine(object, hash, key);
            hash = next.hash;
            return next.line;
          })
          .join(''),
      );
      const foldersSynced = this.start.unsyncedFolders.sync();
      // Reported below, once the file is not being written any more.
      foldersSynced.catch(() => undefined);
      await file.append(bytes);
      await foldersSynced;
      this.size += bytes.length;
      this.hash = hash;
      this.failed = undefined;
    } catch (error) {
      this.waiting.unshift(...lines);
      this.open?.cutTo(this.size);
      this.open?.close();
      this.open = undefined; // The file is checked again before the next attempt.
      this.failed = writeFailure(error as NodeJS.ErrnoException, path.dirname(this.file));
      // A run at rest triggers no writes, so its last events are retried on a timer.
      clearTimeout(this.retryTimer);
      if (!this.closed)
        this.retryTimer = setTimeout(() => void this.durable().catch(() => undefined), retryAfterMs).unref();
      this.waiting.find(({ settled }) => settled)?.settled?.(this.failed);
      throw this.failed;
    }
  }

  /**
   * Returns the file, open at the end of the acknowledged bytes. Creates or restores it if it is missing. Throws if it
   * cannot be opened or another program changed it.
   */
  private openForAppending(): LogFile {
    if (this.open?.isGone()) this.restore(this.open);
    if (!this.open) {
      const { unsyncedFolders } = this.start;
      unsyncedFolders.make(path.dirname(this.file));
      this.lock ??= this.start.lock();
      if (!this.lock) throw new Error('another window is writing it');
      if (!this.prepared) {
        const end = this.start.prepare?.();
        this.size = end?.size ?? this.size;
        this.hash = end?.hash ?? this.hash;
        this.prepared = true;
      }
      const isNew = !fs.existsSync(this.file);
      if (isNew && this.size > 0) throw new Error('it was moved or deleted');
      this.open = new LogFile(this.file);
      if (isNew) unsyncedFolders.add(path.dirname(this.file));
      this.open.goOnFrom(this.size, this.hash);
    }
    const size = this.open.size();
    if (size !== this.size) throw new ChangedOutside('another program changed the file', { lasting: size < this.size });
    return this.open;
  }

  /** The file was deleted: writes the contents that this process still has open to a new file. */
  private restore(open: LogFile): void {
    makeFolder(path.dirname(this.file));
    this.lock?.release();
    this.lock = undefined;
    open.copyTo(this.file, this.size);
    open.close();
    this.open = undefined;
  }
}

/** Says what a person can do. `lasting`: the problem persists until somebody fixes it. */
function remedyFor(code: string | undefined, lasting: boolean, folder: string): string {
  if (code === 'EFBIG') return 'Raise the file size limit, for example with "ulimit -f unlimited".';
  if (code === 'EMFILE' || code === 'ENFILE') return `${roomForOpenFiles(code)}.`;
  if (code === 'ENOENT') return `The folder ${folder} cannot be created. Choose another one for the log.`;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `Free some space on the disk that contains the folder ${folder}; the run then continues by itself.`;
  return lasting
    ? `Check the write permissions of the folder ${folder}.`
    : `Free some space or check the folder ${folder}.`;
}

const remedyForChange = ({ lasting }: ChangedOutside): string =>
  lasting ? 'Close this session and open it again to see what is left of it.' : 'What was added to it is removed.';

function writeFailure(error: NodeJS.ErrnoException, folder: string): LogWriteFailed {
  const changed = error instanceof ChangedOutside ? error : undefined;
  const lasting = changed?.lasting ?? lastingCodes.has(error.code ?? '');
  // Without the system call and its path: the name of the lock differs at each attempt, and equal messages are shown
  // only once.
  const why = error.message.replace(/, [a-z]+(?: '[^']*')?(?: -> '[^']*')?$/s, '');
  const remedy = changed ? remedyForChange(changed) : remedyFor(error.code, lasting, folder);
  return new LogWriteFailed(
    `The session's log cannot be written (${why}). Nothing else runs until it can. ${remedy}`,
    lasting,
    { cause: error },
  );
}
