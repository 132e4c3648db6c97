import fs from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { controlWords, type ControlWord } from '../../core/session/outsideControl';
import { makeFolders } from '../storage/durableFile';
import { isLocked } from '../storage/fileLock';
import { namesIn } from '../storage/lenientReads';
import { stateFolder } from '../storage/stateFolder';
import { existingLogPath } from './readLog';

/** Interval in ms between checks of a folder whose file system does not report changes. */
const pollMs = 2_000;

/** Time limit in ms for a run to receive a control word. */
const receiveTimeoutMs = 20_000;

/** Time limit in ms for a run to create its control folder after it opened its log. */
const folderTimeoutMs = 3_000;

/** The file in which a run explains why it did not follow a control word. */
const answerTo = (sent: string): string => `${sent}.answer`;

/** The folder for control words to the run of a log. Commands of the agent cannot write there. */
function controlFolder(log: string): string {
  return path.join(stateFolder(), 'control', createHash('sha256').update(realPlaceOf(log)).digest('hex').slice(0, 24));
}

/** Resolves a log to a unique path, regardless of links and of whether it exists yet. */
function realPlaceOf(log: string): string {
  if (fs.existsSync(log)) return fs.realpathSync(existingLogPath(log));
  const folder = path.dirname(path.resolve(log));
  return path.join(fs.existsSync(folder) ? fs.realpathSync(folder) : folder, path.basename(log));
}

/** Returns whether only this user can write there. */
function isOurs(place: string): boolean {
  const { uid, mode } = fs.lstatSync(place);
  const own = process.getuid?.();
  const writableByOthers = (mode & 0o022) !== 0;
  return own === undefined || (uid === own && !writableByOthers);
}

/**
 * Calls `onWord` with each control word that arrives for the run of a log, in order. If `onWord` returns a text, nothing
 * was done, and the text tells the sender why. Returns a function that stops listening. If the state folder cannot be
 * written, or is writable by others, a run cannot be controlled from outside.
 */
export function watchControl(log: string, onWord: (word: ControlWord) => string | undefined): () => void {
  const folder = controlFolder(log);
  try {
    fs.rmSync(folder, { recursive: true, force: true });
    // Not synced: it is deleted when the run ends, and need not survive a power failure.
    makeFolders(folder);
    if (![folder, path.dirname(folder)].every(isOurs)) throw new Error('Other accounts can write it.');
  } catch {
    removeFolder(folder);
    return () => undefined;
  }
  const readWords = (): void => {
    // File names begin with a timestamp, so sorting gives the order of arrival.
    for (const name of namesIn(folder).sort()) {
      const word = controlWords.find((known) => name.endsWith(`.${known}`));
      // Other files are partially written or are answers.
      if (word === undefined) continue;
      const sent = path.join(folder, name);
      const answer = onWord(word);
      if (answer !== undefined) fs.writeFileSync(answerTo(sent), answer, { mode: 0o600 });
      // The sender waits until the file is deleted.
      fs.rmSync(sent, { force: true });
    }
  };
  let watcher: fs.FSWatcher | undefined;
  try {
    watcher = fs.watch(folder, readWords).on('error', () => watcher?.close());
  } catch {
    // The periodic check finds words without a change notification.
  }
  const looking = setInterval(readWords, pollMs);
  return () => {
    watcher?.close();
    clearInterval(looking);
    removeFolder(folder);
  };
}

/**
 * If the folder cannot be removed, for example without a free file descriptor, the next run with this log removes it.
 */
function removeFolder(folder: string): void {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch {
    // A run does not fail because of it.
  }
}

/**
 * Sends a control word to the run of a log, in a command line or a window. Resolves when the run has received it.
 * Throws an `Error` with a message for people if no run does, or if the run refuses.
 */
export async function sendControl(log: string, word: ControlWord): Promise<void> {
  const file = path.resolve(log);
  if (!fs.existsSync(file)) throw new Error(`There is no log ${file}.`);
  if (!isOpen(file)) throw new Error(notOpenWords(file));
  const folder = controlFolder(file);
  await waitUntil(() => fs.existsSync(folder), file, {
    seconds: folderTimeoutMs / 1000,
    otherwise: `The process that has ${file} open cannot be controlled from outside. It may be an earlier version of Waymark, or other accounts can write its state folder.`,
  });
  const sent = path.join(folder, `${String(Date.now()).padStart(15, '0')}-${crypto.randomUUID().slice(0, 8)}.${word}`);
  fs.writeFileSync(`${sent}.new`, '', { mode: 0o600 });
  fs.renameSync(`${sent}.new`, sent);
  try {
    await waitUntil(() => !fs.existsSync(sent), file, {
      seconds: receiveTimeoutMs / 1000,
      otherwise: `The run of ${file} did not respond within ${receiveTimeoutMs / 1000} seconds.`,
    });
    const answer = answerTo(sent);
    if (fs.existsSync(answer)) throw new Error(fs.readFileSync(answer, 'utf8'));
  } finally {
    fs.rmSync(sent, { force: true });
    fs.rmSync(answerTo(sent), { force: true });
  }
}

/**
 * Waits for a condition while a process has the log open. Throws an `Error` with a message for people if no process has
 * it open, or on a timeout.
 */
async function waitUntil(
  isSo: () => boolean,
  file: string,
  { seconds, otherwise }: { readonly seconds: number; readonly otherwise: string },
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!isSo()) {
    if (!isOpen(file)) throw new Error(notOpenWords(file));
    if (performance.now() > deadline) throw new Error(otherwise);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const isOpen = (file: string): boolean => isLocked(`${file}.lock`) || isLocked(`${existingLogPath(file)}.lock`);

const notOpenWords = (file: string): string =>
  `No Waymark run has ${file} open, so there is nothing to control. Continue it with: waymark run … --log ${file}`;
