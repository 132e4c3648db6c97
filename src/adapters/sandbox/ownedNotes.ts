import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isRecord } from '../../core/text/parseJson';
import { makeFolders } from '../storage/durableFile';
import { isAlive, isOwner, thisProcess, type Owner } from '../storage/fileLock';
import { stateFolder } from '../storage/stateFolder';

/**
 * Something that Waymark creates and deletes again. It is recorded before it is created, so that the next start can
 * clean up after a process that was killed. The records are invisible inside a sandbox.
 */
export interface OwnedNote {
  readonly place: string;
  readonly kind: 'folder' | 'file' | 'temporary';
  /** Process that created it. */
  readonly owner: Required<Owner>;
  /** Content, for a file. */
  readonly content?: string;
  /** Identity of the file or folder, known once it is created. */
  readonly identity?: string;
}

/** Validated by hand: every run reads notes at its end, and loading zod would take longer than all the rest of that. */
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
 * Records that `place` is about to be created. Without a record it is left behind if this process is killed; the same
 * may happen if power fails soon after.
 */
export function writeNote(note: Omit<OwnedNote, 'owner'>): void {
  try {
    makeFolders(folderOfNotes());
    const file = fileOf(note.place);
    const unfinished = `${file}.${randomBytes(4).toString('hex')}`;
    fs.writeFileSync(unfinished, JSON.stringify({ ...note, owner: thisProcess() }), { mode: 0o600 });
    fs.renameSync(unfinished, file);
  } catch {
    /* see above */
  }
}

/**
 * Appends the identity to a note as a separate line: some file systems flush a replaced file to disk at once, and
 * deleting it waits for that. Another process that created the same place may have deleted the note meanwhile: then it
 * is written again.
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

/** Deletes the note about a place. Never throws. */
export function forgetNote(place: string): void {
  try {
    fs.rmSync(fileOf(place), { force: true });
  } catch {
    /* the folder of notes does not exist or is not writable */
  }
}

/**
 * Returns notes of processes that have ended. Skips those of other containers: whether their processes are alive cannot
 * be determined here.
 */
export function notesOfEndedProcesses(): OwnedNote[] {
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

/** Returns nothing if its writer was killed meanwhile. */
function identityIn(line: string): object {
  try {
    return JSON.parse(line) as object;
  } catch {
    return {};
  }
}
