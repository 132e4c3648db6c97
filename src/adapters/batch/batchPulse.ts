import fs from 'node:fs';
import path from 'node:path';
import { LiveProgress } from '../../core/batch/liveProgress';
import { isLocked } from '../storage/fileLock';

/** What a batch can be told from another process. `drain`: begin no further task; `stop`: end those that run, too. */
export const batchWords = ['drain', 'stop'] as const;
export type BatchWord = (typeof batchWords)[number];

const progressFile = (folder: string): string => path.join(folder, 'progress.json');
const wordFile = (folder: string): string => path.join(folder, '.told');

export interface Pulse {
  /** Writes how it ended. */
  end(): void;
}

const everyMs = 1000;

/**
 * Tells whoever watches the folder of a batch how far it came, and calls `heed` with what they tell the batch. A folder
 * that cannot be written now is written a second later: watching is no reason to end a batch.
 */
export function startPulse(folder: string, progress: () => LiveProgress, heed: (word: BatchWord) => void): Pulse {
  let last = '';
  const write = (): void => {
    const now = progress();
    const { seconds: _, updated_at: __, ...changing } = now;
    const text = JSON.stringify(changing);
    // The seconds alone are written, too: they show that the batch lives.
    if (text === last && Date.now() - wroteAt < 5 * everyMs) return;
    try {
      const draft = `${progressFile(folder)}.new`;
      fs.writeFileSync(draft, `${JSON.stringify(now, null, 2)}\n`, { mode: 0o600 });
      fs.renameSync(draft, progressFile(folder));
      last = text;
      wroteAt = Date.now();
    } catch {
      // A full disk, or a folder that is gone: what matters is written elsewhere, and tells it.
    }
  };
  let wroteAt = 0;
  fs.rmSync(wordFile(folder), { force: true });
  const beat = setInterval(() => {
    const word = takenWord(folder);
    if (word !== undefined) heed(word);
    write();
  }, everyMs);
  write();
  return {
    end() {
      clearInterval(beat);
      fs.rmSync(wordFile(folder), { force: true });
      write();
    },
  };
}

function takenWord(folder: string): BatchWord | undefined {
  try {
    const told = fs.readFileSync(wordFile(folder), 'utf8').trim();
    fs.rmSync(wordFile(folder), { force: true });
    return batchWords.find((word) => word === told);
  } catch {
    return undefined;
  }
}

/**
 * Tells the batch that works in a folder a word, which it hears within a second or two. Throws an
 * `Error` in words where none works there.
 */
export function tellBatch(folder: string, word: BatchWord): void {
  if (!isBatchAlive(folder)) throw new Error(`No batch works in ${folder}.`);
  const draft = `${wordFile(folder)}.${process.pid}.new`;
  fs.writeFileSync(draft, word, { mode: 0o600 });
  fs.renameSync(draft, wordFile(folder));
}

/** Whether a batch works in a folder at this moment. */
export const isBatchAlive = (folder: string): boolean => isLocked(path.join(folder, '.lock'));

/** How far the batch in a folder came; undefined where nothing tells it. */
export function readProgress(folder: string): LiveProgress | undefined {
  try {
    return LiveProgress.safeParse(JSON.parse(fs.readFileSync(progressFile(folder), 'utf8'))).data;
  } catch {
    return undefined;
  }
}
