import fs from 'node:fs';
import path from 'node:path';
import type { Event } from '../../protocol/events/event';
import { isLocked } from '../storage/fileLock';
import { follows, readFrame } from '../storage/frame';
import type { LogPosition } from './eventLogWriter';
import { existingLogPath, readEvent } from './readLog';

/** How far a log was read that another process writes. */
export interface ReadPosition extends LogPosition {
  readonly file: string;
  /** Number of events read, including those of parent logs. */
  readonly count: number;
}

/** Told about a log that another process writes. */
export interface LogFollower {
  onEvent(event: Event): void;
  /** Nothing more can be followed: the other process released the log, or the log was changed. Called once. */
  onEnd(): void;
}

/** Interval in ms between checks of a file system that does not report changes. */
const pollMs = 2_000;
/** Number of these checks until the owner of an existing lock is checked. */
const lockCheckPolls = 5;
const newline = 10;

/**
 * Reads the events that another process appends to a log, from `from` on. Reads only new bytes, and checks each line as
 * usual. Returns a function that stops.
 */
export function followLog(from: ReadPosition, follower: LogFollower): () => void {
  const file = existingLogPath(from.file);
  const locks = [...new Set([`${from.file}.lock`, `${file}.lock`])];
  let { size, hash, count } = from;
  let isOver = false;
  let watcher: fs.FSWatcher | undefined;
  const stop = (): void => {
    isOver = true;
    clearInterval(polling);
    watcher?.close();
  };
  const end = (): void => {
    if (isOver) return;
    stop();
    follower.onEnd();
  };
  let polls = 0;
  /** An existing lock is checked less often: it may name a dead process, and asking for it takes long on some systems. */
  const isReleased = (): boolean =>
    !locks.some((lock) => fs.existsSync(lock)) || (polls % lockCheckPolls === 1 && !locks.some(isLocked));
  /** Passes on the event of a line. Returns false if the line does not continue what was read. */
  const take = (line: Buffer): boolean => {
    // The last line that was read may have lacked its newline.
    if (line.length === 0) return true;
    const frame = readFrame(line);
    if (!frame || (hash !== '' && !follows(frame, hash))) return false;
    const { event } = readEvent(`${frame.content.toString('utf8')}}`, count, { newer: true });
    if (!event) return false;
    hash = frame.hash;
    count++;
    follower.onEvent(event);
    return true;
  };
  const look = (): void => {
    if (isOver) return;
    try {
      // Before reading, so that nothing written before the release is missed.
      const isFree = isReleased();
      const bytes = bytesAfter(file, size);
      if (!bytes) return end();
      let lineStart = 0;
      for (
        let lineEnd = bytes.indexOf(newline);
        !isOver && lineEnd !== -1;
        lineEnd = bytes.indexOf(newline, lineStart)
      ) {
        if (!take(bytes.subarray(lineStart, lineEnd))) return end();
        size += lineEnd + 1 - lineStart;
        lineStart = lineEnd + 1;
      }
      if (isFree) end();
    } catch {
      end();
    }
  };
  const polling = setInterval(() => {
    polls++;
    look();
  }, pollMs);
  polling.unref();
  try {
    const names = [file, ...locks].map((watched) => path.basename(watched));
    watcher = fs
      .watch(path.dirname(file), (_kind, name) => {
        if (name === null || names.includes(name)) look();
      })
      .on('error', () => watcher?.close());
  } catch {
    // The periodic check finds events without a change notification.
  }
  // What was written since the log was read.
  setImmediate(look);
  return stop;
}

/** Returns what follows the first `size` bytes of a file, or undefined if it is shorter than that. */
function bytesAfter(file: string, size: number): Buffer | undefined {
  const descriptor = fs.openSync(file, 'r');
  try {
    const length = fs.fstatSync(descriptor).size - size;
    if (length < 0) return undefined;
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, length, size));
  } finally {
    fs.closeSync(descriptor);
  }
}
