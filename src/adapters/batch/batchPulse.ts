import fs from 'node:fs';
import path from 'node:path';
import { LiveProgress } from '../../core/batch/batchProgress';
import { isLocked } from '../storage/fileLock';

/**
 * Requests that another process can send to a batch. `drain`: start no further task; `stop`: also end the running ones.
 */
const batchWords = ['drain', 'stop'] as const;
/** One of these requests. */
export type BatchWord = (typeof batchWords)[number];

const progressFile = (folder: string): string => path.join(folder, 'progress.json');
const wordFile = (folder: string): string => path.join(folder, '.told');

/** The regular reports and checks of a running batch. */
interface Pulse {
  /** Stops them, and writes how the batch ended. */
  end(): void;
}

/** Interval between two checks for requests. */
const beatMs = 1000;
/** Number of beats after which the progress is written even if only the time changed, to show that the batch is alive. */
const maxSilentBeats = 5;

/**
 * Publishes the progress of a batch in its folder, and calls `onWord` with the requests that others send to the batch. If
 * the folder cannot be written, the write is retried a second later: a failed write never ends a batch.
 */
export function startPulse(folder: string, progress: () => LiveProgress, onWord: (word: BatchWord) => void): Pulse {
  let lastText = '';
  let wroteAt = -Infinity;
  const write = (): void => {
    const now = progress();
    const text = JSON.stringify({ ...now, seconds: undefined, updated_at: undefined });
    if (text === lastText && performance.now() - wroteAt < maxSilentBeats * beatMs) return;
    try {
      const draft = `${progressFile(folder)}.new`;
      fs.writeFileSync(draft, `${JSON.stringify(now, null, 2)}\n`, { mode: 0o600 });
      fs.renameSync(draft, progressFile(folder));
      lastText = text;
      wroteAt = performance.now();
    } catch {
      // The disk is full or the folder was deleted. Results are written elsewhere, and that write reports the problem.
    }
  };
  fs.rmSync(wordFile(folder), { force: true });
  const beat = setInterval(() => {
    const word = takeWord(folder);
    if (word !== undefined) onWord(word);
    write();
  }, beatMs);
  write();
  return {
    end() {
      clearInterval(beat);
      fs.rmSync(wordFile(folder), { force: true });
      write();
    },
  };
}

/** Reads and deletes the request to a batch, if there is one. */
function takeWord(folder: string): BatchWord | undefined {
  try {
    const request = fs.readFileSync(wordFile(folder), 'utf8').trim();
    fs.rmSync(wordFile(folder), { force: true });
    return batchWords.find((word) => word === request);
  } catch {
    return undefined;
  }
}

/**
 * Sends a request to the batch that runs in a folder, which receives it within a second or two. Throws an `Error` with
 * a message for people if no batch runs there.
 */
export function sendToBatch(folder: string, word: BatchWord): void {
  if (!isBatchAlive(folder)) throw new Error(`No batch is running in ${folder}.`);
  const draft = `${wordFile(folder)}.${process.pid}.new`;
  fs.writeFileSync(draft, word, { mode: 0o600 });
  fs.renameSync(draft, wordFile(folder));
}

/** Returns whether a batch is running in a folder. */
export const isBatchAlive = (folder: string): boolean => isLocked(path.join(folder, '.lock'));

/** Returns the progress of the batch in a folder, or undefined if it does not report its progress. */
export function readProgress(folder: string): LiveProgress | undefined {
  try {
    return LiveProgress.safeParse(JSON.parse(fs.readFileSync(progressFile(folder), 'utf8'))).data;
  } catch {
    return undefined;
  }
}
