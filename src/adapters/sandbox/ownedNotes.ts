import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { isAlive, thisProcess } from '../storage/fileLock';
import { stateFolder } from '../storage/stateFolder';

/**
 * What Waymark made and takes away again. It is written down before it is made, so that whoever starts next can tidy up
 * after a process that was killed. No sandbox sees the notes.
 */
const noteShape = z.object({
  place: z.string(),
  kind: z.enum(['folder', 'file', 'temporary']),
  /** Who made it. */
  owner: z.object({ pid: z.number(), start: z.string(), place: z.string() }),
  /** What stands in a file. */
  content: z.string().optional(),
  /** Which file or folder it is, known once it is made. */
  identity: z.string().optional(),
});
export type OwnedNote = z.infer<typeof noteShape>;

const folderOfNotes = (): string => path.join(stateFolder(), 'sandbox');

/** One note for each place, so that two windows do not overwrite each other's. */
const fileOf = (place: string): string => path.join(folderOfNotes(), createHash('sha256').update(place).digest('hex'));

/**
 * Notes that `place` is about to be made, or with its identity that it was. Without a
 * note it stays when this process is killed.
 */
export function writeNote(note: Omit<OwnedNote, 'owner'>): void {
  try {
    fs.mkdirSync(folderOfNotes(), { recursive: true, mode: 0o700 });
    const file = fileOf(note.place);
    const unfinished = `${file}.${randomBytes(4).toString('hex')}`;
    fs.writeFileSync(unfinished, JSON.stringify({ ...note, owner: thisProcess() }), { mode: 0o600 });
    fs.renameSync(unfinished, file);
  } catch {
    /* see above */
  }
}

export const readNote = (place: string): OwnedNote | undefined => noteIn(fileOf(place));

export function forgetNote(place: string): void {
  try {
    fs.rmSync(fileOf(place), { force: true });
  } catch {
    /* there is no folder for notes here, or it cannot be written */
  }
}

/**
 * Notes of processes that are gone. Those of other containers are left: whether their
 * processes live cannot be seen from here.
 */
export function notesOfTheDead(): OwnedNote[] {
  let files: string[];
  try {
    files = fs.readdirSync(folderOfNotes());
  } catch {
    return [];
  }
  return files
    .flatMap((name) => noteIn(path.join(folderOfNotes(), name)) ?? [])
    .filter(({ owner }) => isAlive(owner) === false);
}

function noteIn(file: string): OwnedNote | undefined {
  try {
    return noteShape.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
