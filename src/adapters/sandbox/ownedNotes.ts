import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isRecord } from '../../core/text/fields';
import { isAlive, isOwner, thisProcess, type Owner } from '../storage/fileLock';
import { stateFolder } from '../storage/stateFolder';

/**
 * Something that Waymark creates and removes again. It is recorded before it is created, so that the next start can
 * clean up after a process that was killed. The records are invisible inside a sandbox.
 */
export interface OwnedNote {
  readonly place: string;
  readonly kind: 'folder' | 'file' | 'temporary';
  /** Who made it. */
  readonly owner: Required<Owner>;
  /** The content of a file. */
  readonly content?: string;
  /** Which file or folder it is, known once it is made. */
  readonly identity?: string;
}

/** Checked by hand: every run reads notes as it ends, and to load zod takes longer than all the rest of that. */
function isNote(read: unknown): read is OwnedNote {
  if (!isRecord(read)) return false;
  const { place, kind, owner, content, identity } = read;
  return (
    typeof place === 'string' &&
    (kind === 'folder' || kind === 'file' || kind === 'temporary') &&
    isOwner(owner) &&
    owner.place !== undefined &&
    [content, identity].every((each) => each === undefined || typeof each === 'string')
  );
}

const folderOfNotes = (): string => path.join(stateFolder(), 'sandbox');

/** One note for each place, so that two windows do not overwrite each other's. */
const fileOf = (place: string): string => path.join(folderOfNotes(), createHash('sha256').update(place).digest('hex'));

/**
 * Records that `place` is about to be created. Without a record it is left behind if this process is killed, and so it
 * may be where power is lost soon after.
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

/**
 * Adds to a note which file or folder it is, in a line of its own: a file that takes the place of another one is
 * written to the disk at once by some file systems, and to remove it waits for that. Another process that made the same
 * place may have removed the note meanwhile: then it is written anew.
 */
export function noteIdentity(note: Omit<OwnedNote, 'owner'>, identity: string): void {
  let opened: number | undefined;
  try {
    opened = fs.openSync(fileOf(note.place), fs.constants.O_WRONLY | fs.constants.O_APPEND);
    fs.writeSync(opened, `\n${JSON.stringify({ identity })}`);
  } catch {
    writeNote({ ...note, identity });
  } finally {
    if (opened !== undefined) fs.closeSync(opened);
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
    const [note = '', identity = '{}'] = fs.readFileSync(file, 'utf8').split('\n');
    const read: unknown = { ...(JSON.parse(note) as object), ...identityIn(identity) };
    return isNote(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Nothing where whoever wrote it was killed meanwhile. */
function identityIn(line: string): object {
  try {
    return JSON.parse(line) as object;
  } catch {
    return {};
  }
}
