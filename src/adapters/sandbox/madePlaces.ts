import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { roomForOpenFiles } from '../../core/text/errorMessage';
import { makeFolders } from '../storage/durableFile';
import { namesIn } from '../storage/lenientReads';
import { stateFolder } from '../storage/stateFolder';
import { forgetNote, noteIdentity, notesOfEndedProcesses, readNote, writeNote, type OwnedNote } from './ownedNotes';
import { isReallyWithin } from '../storage/diskPaths';

/**
 * Creates `place`, a folder, or a file with `content`. Returns whether it exists only for sandboxes: it was just
 * created, or left by one that was killed. Notes in the state folder tell it apart from what the user had there before.
 */
export function madeForSandbox(place: string, content?: string): boolean {
  const note = {
    place,
    kind: content === undefined ? ('folder' as const) : ('file' as const),
    ...(content !== undefined && { content }),
  };
  if (entryKindAt(place) !== 'missing') {
    if (!isLeftBehind(place, content)) return false;
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

/** Number of sandboxes of this process that need a place. */
const needed = new Map<string, number>();

/** Returns whether a sandbox of this process made a place that is not the user's, and nothing was added to it. */
export function existsOnlyForSandbox(place: string): boolean {
  if (!needed.has(place)) return false;
  return entryKindAt(place) === 'folder' ? namesIn(place).length === 0 : isAsMade(place);
}

/** The places that exist only for one sandbox, and possibly for others of this process as well. */
export class MadePlaces {
  readonly #places = new Set<string>();

  get all(): ReadonlySet<string> {
    return this.#places;
  }

  /** Adds places for which `madeForSandbox` returned true. */
  add(places: Iterable<string>): void {
    for (const place of places) {
      if (this.#places.has(place)) continue;
      this.#places.add(place);
      needed.set(place, (needed.get(place) ?? 0) + 1);
    }
  }

  /** Deletes them, last one first, unless something was added to them or another sandbox still needs them. */
  remove(): void {
    const places = [...this.#places].reverse();
    this.#places.clear();
    const unneeded = places.filter((place) => {
      const others = needed.get(place)! - 1;
      if (others > 0) needed.set(place, others);
      else needed.delete(place);
      // A sandbox that is starting has mounted nothing yet.
      return others === 0;
    });
    removeMade(unneeded);
  }
}

function removeMade(places: readonly string[]): void {
  const mounted = mountPointsAmong(places);
  for (const place of places) {
    if (mounted.has(place)) continue;
    const isFolder = entryKindAt(place) === 'folder';
    try {
      if (isFolder) fs.rmdirSync(place);
      else if (isAsMade(place)) fs.unlinkSync(place);
    } catch {
      /* not empty: somebody uses it */
    }
    forgetNote(place);
  }
}

/**
 * Creates a private folder for temporary files below the system's, or below another one if that is not writable. If
 * this process is killed, the next start deletes it. `hidden`: below the state folder, which no sandbox shows, if that
 * is writable. `notIn`: commands in a sandbox can write these folders, so that it should be outside of them. Throws an
 * `Error` with a message for people if none can be created.
 */
export function makeTemporary(
  prefix: string,
  { hidden = false, notIn = [] }: { readonly hidden?: boolean; readonly notIn?: readonly string[] } = {},
): string {
  const name = `${prefix}${randomBytes(6).toString('hex')}`;
  const all = [...new Set([os.tmpdir(), '/tmp', '/var/tmp'])].filter(
    (base) => base === os.tmpdir() || process.platform !== 'win32',
  );
  const apart = all.filter((base) => !notIn.some((folder) => isReallyWithin(base, folder)));
  const bases = [...(hidden ? hiddenBase() : []), ...(apart.length > 0 ? apart : all)];
  const problems: string[] = [];
  let remedy: string | undefined;
  for (const base of bases) {
    try {
      return makeIn(path.join(fs.realpathSync(base), name));
    } catch (thrown) {
      const problem = thrown as NodeJS.ErrnoException;
      problems.push(`${base}: ${errorWords(problem)}`);
      remedy ??= limitRemedies[problem.code ?? ''];
    }
  }
  const reasons = problems.join('; ');
  const otherRemedy = 'Free some space there, or set TMPDIR to a writable folder.';
  throw new Error(`No folder for temporary files can be written (${reasons}). ${remedy ?? otherRemedy}`);
}

/** Returns the folder for temporary files that no sandbox shows. */
function hiddenBase(): string[] {
  const base = path.join(stateFolder(), 'terminals');
  try {
    makeFolders(base);
    return [base];
  } catch {
    return [];
  }
}

/** Remedies if a limit of the account is the reason: no other folder helps. */
const limitRemedies: Readonly<Record<string, string>> = {
  EFBIG: 'Raise the file size limit where Waymark is started, for example with "ulimit -f unlimited", and try again.',
  EMFILE: `${roomForOpenFiles('EMFILE')}, and try again.`,
  ENFILE: `${roomForOpenFiles('ENFILE')}, and try again.`,
};

/** Also tests writing: a full disk may accept a folder but no file. */
function makeIn(place: string): string {
  const note = { place, kind: 'temporary' } as const;
  writeNote(note);
  try {
    fs.mkdirSync(place, { mode: 0o700 });
    const trial = path.join(place, trialName);
    fs.writeFileSync(trial, Buffer.alloc(minFreeBytes));
    fs.rmSync(trial);
  } catch (problem) {
    removeTemporary(place);
    throw problem;
  }
  noteIdentity(note, identityOf(place));
  return place;
}

const trialName = 'trial';
/** Minimum free bytes for a shell's own files. */
const minFreeBytes = 64 * 1024;

const plainWords: Readonly<Record<string, string>> = {
  ENOSPC: 'it is full',
  EDQUOT: 'it is full',
  EROFS: 'it is read-only',
  ENOENT: 'it is missing',
  ENOTDIR: 'it is not a folder',
  EACCES: 'this account has no permission to write it',
  EFBIG: 'the file size limit was reached (ulimit -f)',
  EMFILE: 'too many files are open (ulimit -n)',
  ENFILE: 'too many files are open on the whole machine',
};
const errorWords = ({ code, message }: NodeJS.ErrnoException): string => plainWords[code ?? ''] ?? message;

/**
 * Deletes a temporary place with everything in it, and its note. Throws file system errors, except that a missing place
 * counts as deleted.
 */
export function removeTemporary(place: string): void {
  try {
    fs.rmSync(place, { recursive: true, force: true });
  } catch (problem) {
    // A path below a non-folder does not exist.
    if ((problem as NodeJS.ErrnoException).code !== 'ENOTDIR') throw problem;
  }
  forgetNote(place);
}

/** Keeps the folder for the user: it is not cleaned up later. */
export const keepTemporary = (place: string): void => forgetNote(place);

let tidied = false;

/** Deletes what killed processes left behind, if it is unchanged. Runs once per process. */
export function tidyUp(): void {
  if (tidied) return;
  tidied = true;
  // Last one first: folders may be nested.
  const left = notesOfEndedProcesses().sort((a, b) => b.place.length - a.place.length);
  for (const note of left) {
    try {
      removeOrForget(note);
    } catch {
      /* somebody else uses it, or it cannot be changed: keep it */
    }
  }
}

function removeOrForget(note: OwnedNote): void {
  const { place, kind } = note;
  if (entryKindAt(place) === 'missing') return forgetNote(place);
  // A sandbox of another process needs it, and deletes it later.
  if (isMounted(place)) return;
  const isOurs = kind === 'temporary' ? isTemporaryOf(note) : isLeftBehind(place, note.content);
  if (!isOurs) return forgetNote(place);
  if (kind === 'temporary') return removeTemporary(place);
  if (kind === 'folder') fs.rmdirSync(place);
  else fs.unlinkSync(place);
  forgetNote(place);
}

/**
 * If its creator was killed before it noted the folder's identity, the folder contains at most the file of the disk
 * test.
 */
function isTemporaryOf({ place, identity }: OwnedNote): boolean {
  if (identity !== undefined) return isAsMade(place);
  return entryKindAt(place) === 'folder' && namesIn(place).every((name) => name === trialName);
}

/** Returns what is at a place. Links are not followed and count as `other`. */
export function entryKindAt(place: string): 'file' | 'folder' | 'other' | 'missing' {
  let found: fs.Stats;
  try {
    found = fs.lstatSync(place);
  } catch {
    return 'missing';
  }
  if (found.isFile()) return 'file';
  return found.isDirectory() ? 'folder' : 'other';
}

/** Returns a text that differs for another folder of the same name, and for a file after a change. */
function identityOf(place: string): string {
  const { ino, birthtimeMs, mtimeMs, size } = fs.lstatSync(place);
  return JSON.stringify(entryKindAt(place) === 'folder' ? [ino, birthtimeMs] : [ino, birthtimeMs, mtimeMs, size]);
}

/** A process that was killed while creating it could not record its identity. Then its content decides. */
function isAsMade(place: string): boolean {
  const note = readNote(place);
  if (!note) return false;
  return note.identity === undefined ? looksAsPlanned(note) : note.identity === identityOf(place);
}

function looksAsPlanned({ place, kind, content }: OwnedNote): boolean {
  if (kind === 'file') return entryKindAt(place) === 'file' && [content, ''].includes(fs.readFileSync(place, 'utf8'));
  return entryKindAt(place) === 'folder' && namesIn(place).length === 0;
}

function isLeftBehind(place: string, content?: string): boolean {
  if (!isAsMade(place)) return false;
  return content === undefined
    ? entryKindAt(place) === 'folder' && namesIn(place).length === 0
    : entryKindAt(place) === 'file';
}

/** Returns whether something is mounted on `place` for any visible process. Removing it would lift its guard. */
const isMounted = (place: string): boolean => mountPointsAmong([place]).has(place);

/** Returns the places on which something is mounted. A mount namespace shared by several processes is read once. */
function mountPointsAmong(places: readonly string[]): Set<string> {
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

/** Escapes a path as the mount table does. */
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
