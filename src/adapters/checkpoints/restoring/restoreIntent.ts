import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { JournalEntry } from '../../../core/changes/journalEntry';
import { FileDelta } from '../../../core/changes/snapshot';
import type { CheckpointStore } from '../checkpointStore';

/** What a restore is about to do, as it is stored until the restore has ended. */
export const RestoreIntent = z.object({
  owner: z.object({ pid: z.number(), start: z.string(), place: z.string().optional() }),
  journal: z.string(),
  /** The folders of the run. */
  folders: z.array(z.string()),
  /** The journal entry that records the completion. */
  entry: JournalEntry,
  files: z.array(FileDelta),
  /** Temporary files. */
  drafts: z.array(z.string()),
  /** Folders that were made writable for the restore, with their earlier modes. */
  opened: z.array(z.object({ path: z.string(), mode: z.number() })).default([]),
});
export type RestoreIntent = z.infer<typeof RestoreIntent>;

/** Where the intents of a store are, and the lock of its restores. */
export const restoresFolder = ({ folder }: CheckpointStore): string => path.join(folder, 'restores');

/** Returns the names of complete intents. Deletes old ones that are incomplete. */
export function intentFilesIn(folder: string): string[] {
  try {
    const names = fs.readdirSync(folder);
    // Intents that were only partially written when the program was killed: nothing had begun.
    for (const name of names.filter((each) => each.endsWith('.new')))
      if (isOld(path.join(folder, name))) fs.rmSync(path.join(folder, name), { force: true });
    return names.filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

/** Returns undefined if the file is damaged or was only partially written. */
export function readIntent(file: string): RestoreIntent | undefined {
  try {
    return RestoreIntent.safeParse(JSON.parse(fs.readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Returns whether a file was not written for a minute, so that no process is still writing it. */
export const isOld = (file: string): boolean =>
  (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < Date.now() - 60_000;
