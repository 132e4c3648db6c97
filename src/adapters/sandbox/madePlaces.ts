import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { roomForOpenFiles } from '../../core/text/openFiles';
import { namesIn } from '../storage/namesIn';
import { forgetNote, noteIdentity, notesOfTheDead, readNote, writeNote, type OwnedNote } from './ownedNotes';

/**
 * Makes `place`, a folder, or a file of `content`. Whether it is there only for sandboxes: it was made now, or one that
 * was killed left it. What a person had there before is not; that is told by notes in the state folder.
 */
export function madeForSandbox(place: string, content?: string): boolean {
  const note = {
    place,
    kind: content === undefined ? ('folder' as const) : ('file' as const),
    ...(content !== undefined && { content }),
  };
  if (kindOf(place) !== 'missing') {
    if (!wasLeft(place, content)) return false;
    writeNote({ ...note, identity: identityOf(place) });
    return true;
  }
  writeNote(note);
  try {
    if (content === undefined) fs.mkdirSync(place);
    else fs.writeFileSync(place, content, { flag: 'wx' });
  } catch {
    forgetNote(place);
    return false; // the folder is read-only anyway
  }
  noteIdentity(note, identityOf(place));
  return true;
}

/** Removes what was made for a sandbox, unless something came into it or another sandbox still needs it. */
export function removeMade(made: Iterable<string>): void {
  const places = [...made];
  const mounted = mountedAmong(places);
  for (const place of places) {
    if (mounted.has(place)) continue;
    const isFolder = kindOf(place) === 'folder';
    try {
      if (isFolder) fs.rmdirSync(place);
      else if (isAsMade(place)) fs.unlinkSync(place);
    } catch {
      /* no longer empty: it has become somebody's */
    }
    forgetNote(place);
  }
}

/**
 * A private folder for temporary files below that one, or below another one if that cannot be written. If this process
 * is killed, the next start removes it. Throws in words for a person if there is none.
 */
export function makeTemporary(prefix: string): string {
  const name = `${prefix}${randomBytes(6).toString('hex')}`;
  const bases = [...new Set([os.tmpdir(), '/tmp', '/var/tmp'])].filter(
    (base) => base === os.tmpdir() || process.platform !== 'win32',
  );
  const problems: string[] = [];
  let remedy: string | undefined;
  for (const base of bases) {
    try {
      return makeIn(path.join(fs.realpathSync(base), name));
    } catch (thrown) {
      const problem = thrown as NodeJS.ErrnoException;
      problems.push(`${base}: ${plainly(problem)}`);
      remedy ??= limitRemedies[problem.code ?? ''];
    }
  }
  const told = problems.join('; ');
  const otherRemedy = 'Free some space there, or set TMPDIR to a folder that can be written.';
  throw new Error(`No folder for temporary files can be written (${told}). ${remedy ?? otherRemedy}`);
}

/** What helps where a limit of the account is the reason: no other folder does. */
const limitRemedies: Readonly<Record<string, string>> = {
  EFBIG:
    'Raise the limit for the size of files where Waymark is started, for example with "ulimit -f unlimited", and try again.',
  EMFILE: `${roomForOpenFiles('EMFILE')}, and try again.`,
  ENFILE: `${roomForOpenFiles('ENFILE')}, and try again.`,
};

/** Tries to write there, too: a full disk takes a folder and no file. */
function makeIn(place: string): string {
  const note = { place, kind: 'temporary' } as const;
  writeNote(note);
  try {
    fs.mkdirSync(place, { mode: 0o700 });
    const trial = path.join(place, trialName);
    fs.writeFileSync(trial, Buffer.alloc(leastRoom));
    fs.rmSync(trial);
  } catch (problem) {
    removeTemporary(place);
    throw problem;
  }
  noteIdentity(note, identityOf(place));
  return place;
}

const trialName = 'trial';
/** Bytes that a shell's own files need at least. */
const leastRoom = 64 * 1024;

const plainWords: Readonly<Record<string, string>> = {
  ENOSPC: 'it is full',
  EDQUOT: 'it is full',
  EROFS: 'it is read-only',
  ENOENT: 'it is missing',
  ENOTDIR: 'it is not a folder',
  EACCES: 'this account may not write it',
  EFBIG: 'files may not get so large (ulimit -f)',
  EMFILE: 'too many files are open (ulimit -n)',
  ENFILE: 'too many files are open on the whole machine',
};
const plainly = ({ code, message }: NodeJS.ErrnoException): string => plainWords[code ?? ''] ?? message;

export function removeTemporary(place: string): void {
  try {
    fs.rmSync(place, { recursive: true, force: true });
  } catch (problem) {
    // Below what is not a folder there is nothing.
    if ((problem as NodeJS.ErrnoException).code !== 'ENOTDIR') throw problem;
  }
  forgetNote(place);
}

/** From now on it is the person's: nobody tidies it. */
export const keepTemporary = (place: string): void => forgetNote(place);

let tidied = false;

/**
 * Takes away what processes left that were killed, where it is exactly as it was made. Once in the life of this
 * process.
 */
export function tidyUp(): void {
  if (tidied) return;
  tidied = true;
  // The last made first: folders hold one another.
  const left = notesOfTheDead().sort((a, b) => b.place.length - a.place.length);
  for (const note of left) {
    try {
      tidy(note);
    } catch {
      /* it belongs to somebody else by now, or cannot be changed: it is left */
    }
  }
}

function tidy(note: OwnedNote): void {
  const { place, kind } = note;
  if (kindOf(place) === 'missing') return forgetNote(place);
  // A sandbox of another process needs it; that takes it away.
  if (isMounted(place)) return;
  const isOurs = kind === 'temporary' ? isTemporaryOf(note) : wasLeft(place, note.content);
  if (!isOurs) return forgetNote(place);
  if (kind === 'temporary') return removeTemporary(place);
  if (kind === 'folder') fs.rmdirSync(place);
  else fs.unlinkSync(place);
  forgetNote(place);
}

/** One whose maker was killed before it could note which folder it is holds at most what tries the disk. */
function isTemporaryOf({ place, identity }: OwnedNote): boolean {
  if (identity !== undefined) return isAsMade(place);
  return kindOf(place) === 'folder' && namesIn(place).every((name) => name === trialName);
}

export function kindOf(place: string): 'file' | 'folder' | 'other' | 'missing' {
  let found: fs.Stats;
  try {
    found = fs.lstatSync(place);
  } catch {
    return 'missing';
  }
  return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
}

/** The entries of a folder with their kind; empty if it cannot be read. */
export function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Another folder of the same name has another identity, and so has a file after a change. */
function identityOf(place: string): string {
  const { ino, birthtimeMs, mtimeMs, size } = fs.lstatSync(place);
  return JSON.stringify(kindOf(place) === 'folder' ? [ino, birthtimeMs] : [ino, birthtimeMs, mtimeMs, size]);
}

/** A process that was killed while creating it could not record what it became. Then its content tells. */
function isAsMade(place: string): boolean {
  const note = readNote(place);
  if (!note) return false;
  return note.identity === undefined ? looksAsPlanned(note) : note.identity === identityOf(place);
}

function looksAsPlanned({ place, kind, content }: OwnedNote): boolean {
  if (kind === 'file') return kindOf(place) === 'file' && [content, ''].includes(fs.readFileSync(place, 'utf8'));
  return kindOf(place) === 'folder' && namesIn(place).length === 0;
}

function wasLeft(place: string, content?: string): boolean {
  if (!isAsMade(place)) return false;
  return content === undefined ? kindOf(place) === 'folder' && namesIn(place).length === 0 : kindOf(place) === 'file';
}

/** Whether something is mounted on `place` for any process that can be seen. Removing it would lift its guard. */
const isMounted = (place: string): boolean => mountedAmong([place]).has(place);

/** On which of the places something is mounted. What processes see together is read once. */
function mountedAmong(places: readonly string[]): Set<string> {
  const mounted = new Set<string>();
  if (places.length === 0) return mounted;
  const seen = new Set<string>();
  for (const pid of namesIn('/proc').filter((name) => /^\d+$/.test(name))) {
    const space = linkAt(`/proc/${pid}/ns/mnt`);
    if (space !== undefined && seen.has(space)) continue;
    const table = textAt(`/proc/${pid}/mountinfo`);
    if (table === undefined) continue;
    if (space !== undefined) seen.add(space);
    for (const place of places) if (table.includes(asInTable(place))) mounted.add(place);
  }
  return mounted;
}

/** A place as the table of mounts writes it. */
function asInTable(place: string): string {
  const octal = (character: string): string => character.charCodeAt(0).toString(8).padStart(3, '0');
  return ` ${place.replace(/[ \t\n\\]/g, (character) => `\\${octal(character)}`)} `;
}

function linkAt(place: string): string | undefined {
  try {
    return fs.readlinkSync(place);
  } catch {
    return undefined;
  }
}

function textAt(place: string): string | undefined {
  try {
    return fs.readFileSync(place, 'utf8');
  } catch {
    return undefined;
  }
}
