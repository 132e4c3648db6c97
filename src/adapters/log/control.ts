import fs from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { makeFolder } from '../storage/durableFile';
import { isLocked } from '../storage/fileLock';
import { stateFolder } from '../storage/stateFolder';
import { placeOf } from './readLog';

/** What a run can be told from outside. */
export const controlWords = ['pause', 'resume', 'step', 'stop'] as const;
export type ControlWord = (typeof controlWords)[number];

/** How often a folder is looked at where its file system tells nothing of changes. */
const lookEvery = 500;

/** How long a run may take to hear a word. */
const patience = 20_000;

/** Where words for the run of a log are put. It lies where no command of the agent may write. */
function folderOf(log: string): string {
  const file = fs.existsSync(log) ? fs.realpathSync(placeOf(log)) : path.resolve(log);
  return path.join(stateFolder(), 'control', createHash('sha256').update(file).digest('hex').slice(0, 24));
}

/**
 * Calls `heed` with each word that comes for the run of a log, in the order in which they came. Returns what ends that. Where the state
 * folder cannot be written, a run is not controlled from outside.
 */
export function heedControl(log: string, heed: (word: ControlWord) => void): () => void {
  const folder = folderOf(log);
  try {
    fs.rmSync(folder, { recursive: true, force: true });
    makeFolder(folder);
  } catch {
    return () => undefined;
  }
  const look = (): void => {
    for (const name of waitingIn(folder)) {
      const word = controlWords.find((known) => name.endsWith(`.${known}`));
      // Others are still being written.
      if (word === undefined) continue;
      fs.rmSync(path.join(folder, name), { force: true });
      heed(word);
    }
  };
  let watcher: fs.FSWatcher | undefined;
  try {
    watcher = fs.watch(folder, look).on('error', () => watcher?.close());
  } catch {
    // The looks in between find what nobody told.
  }
  const looking = setInterval(look, lookEvery);
  return () => {
    watcher?.close();
    clearInterval(looking);
    fs.rmSync(folder, { recursive: true, force: true });
  };
}

/** The names of words in the order of their times, which stand in front. */
function waitingIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Tells the run of a log a word. Resolves when the run has heard it; throws an `Error` in words where none does. */
export async function sendControl(log: string, word: ControlWord): Promise<void> {
  const file = path.resolve(log);
  if (!fs.existsSync(file)) throw new Error(`There is no log ${file}.`);
  const nobody = `No run of Waymark has ${file} open, so there is nothing to control. Continue it with: waymark run … --log ${file}`;
  const folder = folderOf(file);
  if (!isOpen(file)) throw new Error(nobody);
  if (!fs.existsSync(folder))
    throw new Error(`The session of ${file} is open in a window. Use the buttons of that window.`);
  const sent = path.join(folder, `${String(Date.now()).padStart(15, '0')}-${crypto.randomUUID().slice(0, 8)}.${word}`);
  fs.writeFileSync(`${sent}.new`, '');
  fs.renameSync(`${sent}.new`, sent);
  const deadline = Date.now() + patience;
  while (fs.existsSync(sent)) {
    if (!isOpen(file) || Date.now() > deadline) {
      fs.rmSync(sent, { force: true });
      throw new Error(isOpen(file) ? `The run of ${file} did not hear it within ${patience / 1000} seconds.` : nobody);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const isOpen = (file: string): boolean => isLocked(`${file}.lock`) || isLocked(`${placeOf(file)}.lock`);
