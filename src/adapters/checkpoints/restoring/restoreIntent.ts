import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { JournalEntry } from '../../../core/changes/journalEntry';
import { FileDelta } from '../../../core/changes/snapshot';
import { parseJson } from '../../../core/text/parseJson';
import { textIfThere } from '../../storage/lenientReads';
import type { CheckpointStore } from '../checkpointStore';

/** What a restore is about to do, as it is stored until the restore has ended. */
export const RestoreIntent = z.object({
  owner: z.object({ pid: z.number(), start: z.string(), place: z.string().optional() }),
  journal: z.string(),
  /** The folders of the run. */
  folders: z.array(z.string()),
  /** See `RunPlaces`. */
  areReal: z.boolean().default(false),
  /** The journal entry that records the completion. */
  entry: JournalEntry,
  files: z.array(FileDelta),
  /** Temporary files. */
  drafts: z.array(z.string()),
  /** Folders of the run that did not exist any more and are created. */
  created: z.array(z.string()).default([]),
  /** Folders that were made writable for the restore, with their earlier modes. */
  opened: z.array(z.object({ path: z.string(), mode: z.number() })).default([]),
});
export type RestoreIntent = z.infer<typeof RestoreIntent>;

/** Where the intents of a store are, and the lock of its restores. */
export const restoresFolder = ({ folder }: CheckpointStore): string => path.join(folder, 'restores');

/** Returns the names of complete intents. Deletes old ones that are incomplete. Throws errors of the disk. */
export function intentFilesIn(folder: string): string[] {
  const names = namesIn(folder);
  // Intents that were only partially written when the program was killed: nothing had begun.
  for (const name of names.filter((each) => each.endsWith('.new')))
    if (isOld(path.join(folder, name))) fs.rmSync(path.join(folder, name), { force: true });
  return names.filter((name) => name.endsWith('.json'));
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** `gone`: the restore has ended meanwhile. `damaged`: or written by another version. `unreadable`: an error of the disk. */
export type StoredIntent =
  | { readonly status: 'read'; readonly intent: RestoreIntent }
  | { readonly status: 'gone' | 'damaged' }
  | { readonly status: 'unreadable'; readonly error: Error };

export function readIntent(file: string): StoredIntent {
  let text: string | undefined;
  try {
    text = textIfThere(file);
  } catch (error) {
    return { status: 'unreadable', error: error as Error };
  }
  if (text === undefined) return { status: 'gone' };
  const intent = RestoreIntent.safeParse(parseJson(text)).data;
  return intent ? { status: 'read', intent } : { status: 'damaged' };
}

/** Returns whether a file was not written for a minute, so that no process is still writing it. */
const isOld = (file: string): boolean =>
  (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < Date.now() - 60_000;
