import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { FileProblem, type FileSnapshot, type FileWrite } from '../../core/ports/files';
import { isReadOnly, namesAlike, readHeldFile, type DiskFile } from './diskRead';
import { draftName } from './drafts';
import { errorCode, fileProblemOf } from './fileProblems';
import { holdFolder, removeCreatedFolders, type HeldFolder, type Holding } from './heldFolder';
import { encodeText, signsWithoutBytes } from './textEncoding';
import { textVersion } from './textVersion';
import type { WorkspacePath } from './workspacePaths';

const sync = promisify(fs.fdatasync);

/** A change in progress: checked, then staged beside its file, then moved into place. */
interface Staged {
  readonly place: WorkspacePath;
  readonly change: FileWrite;
  readonly folder: HeldFolder;
  /** Name of the file in the held folder. */
  readonly name: string;
  /** Folders that were created for it. */
  readonly created: string[];
  readonly before: DiskFile | undefined;
  /** Name of the new content in the held folder. Absent before staging, and for a deletion. */
  temporary?: string;
  /** Name of a second link to the old content, or of a copy, if it must be possible to take the change back. */
  backup?: string;
  /** True while the change is in place. */
  placed?: boolean;
}

/** Writes all changes or none. No file is touched before every change is checked and every new content is on disk. */
export async function writeAllOrNothing(
  changes: readonly { change: FileWrite; place: WorkspacePath }[],
  holding: Holding,
): Promise<FileSnapshot[]> {
  refuseTwice(changes.map(({ place }) => place));
  const staged: Staged[] = [];
  try {
    for (const { change, place } of changes)
      staged.push(await withFileProblem(place, () => check(change, place, holding)));
    for (const one of staged) await withFileProblem(one.place, () => stage(one, { keepsBackup: staged.length > 1 }));
    for (const one of staged) await withFileProblem(one.place, () => placeStaged(one));
    return staged.flatMap(({ place, before, change: { text } }) => {
      if (text === null) return [];
      const readOnly = before !== undefined && isReadOnly(before.stat);
      return [
        {
          path: place.display,
          text: withUnixLineEnds(text),
          version: textVersion(withUnixLineEnds(text)),
          ...(readOnly && { readOnly }),
        },
      ];
    });
  } catch (thrown) {
    for (const one of [...staged].reverse()) takeBack(one, holding);
    throw thrown;
  } finally {
    for (const one of staged) removeStaged(one);
  }
}

/** Throws what `work` throws as a `FileProblem` of the place. */
async function withFileProblem<Answer>(
  { display }: WorkspacePath,
  work: () => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (thrown) {
    throw fileProblemOf(thrown, display);
  }
}

/** Checks that a change is possible, and opens its folder. Creates the folder of a new file. */
function check(change: FileWrite, place: WorkspacePath, holding: Holding): Staged {
  if (place.absolute === place.folder)
    throw new FileProblem('folder', `${place.display} is a folder. Name a file in it.`);
  const created: string[] = [];
  const makesFile = change.text !== null && change.expected === null;
  try {
    const folder = holdFolder(place.folder, path.dirname(place.absolute), holding, makesFile ? created : undefined);
    try {
      const name = path.basename(place.absolute);
      if (namesAlike(folder, name, place.display).length > 0) throw unwritableName(place.display);
      const before = fs.lstatSync(folder.pathOf(name), { throwIfNoEntry: false })
        ? readHeldFile(folder, name, place.display)
        : undefined;
      refuseUnexpected(change, before, place.display);
      return { place, change, folder, name, created, before };
    } catch (thrown) {
      folder.close();
      throw thrown;
    }
  } catch (thrown) {
    removeCreatedFolders(place.folder, created, holding);
    throw errorCode(thrown) === 'ENOENT' && !makesFile ? goneProblem(place.display) : thrown;
  }
}

/** Throws a `FileProblem` if the file is not in the state that the change expects. */
function refuseUnexpected({ text, expected }: FileWrite, before: DiskFile | undefined, display: string): void {
  if (expected === null) {
    if (before)
      throw new FileProblem(
        'exists',
        `${display} already exists and was not overwritten. Read it first, then change it.`,
      );
    if (text === null) throw new FileProblem('missing', `There is no file ${display} to delete.`);
  } else {
    if (!before) throw goneProblem(display);
    if (before.snapshot.version !== expected) throw changedProblem(display);
  }
}

/** Writes the new content beside the file. `keepsBackup`: another change of the same call may fail. */
async function stage(file: Staged, { keepsBackup }: { readonly keepsBackup: boolean }): Promise<void> {
  const { change, folder, name, before, place } = file;
  if (keepsBackup && before) {
    file.backup = draftName();
    try {
      fs.linkSync(folder.pathOf(name), folder.pathOf(file.backup));
    } catch {
      fs.copyFileSync(folder.pathOf(name), folder.pathOf(file.backup), fs.constants.COPYFILE_EXCL);
    }
  }
  if (change.text === null) return;
  const unencodable = signsWithoutBytes(change.text, before?.decoded);
  if (unencodable !== '')
    throw new FileProblem(
      'not_permitted',
      `${place.display} is written in Latin-1 (windows-1252), which has no ${shownSigns(unencodable)}. Use other characters, or convert the file with a command such as "iconv" first.`,
    );
  const bytes = await encodeText(change.text, before?.decoded);
  if (!bytes)
    throw new FileProblem(
      'not_permitted',
      `The text for ${place.display} contains half of a character (a lone surrogate), which cannot be written to a file. Send it again without it.`,
    );
  file.temporary = draftName();
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
  const descriptor = fs.openSync(folder.pathOf(file.temporary), O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), 0o666);
  try {
    folder.verify();
    if (before) keepOwnerAndMode(descriptor, before.stat);
    for (let written = 0; written < bytes.length;) written += fs.writeSync(descriptor, bytes, written);
    await sync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Returns the first few characters, quoted. */
function shownSigns(signs: string): string {
  const all = [...signs];
  const some = all.slice(0, 5).map((sign) => `"${sign}"`);
  return some.join(', ') + (all.length > some.length ? ', …' : '');
}

/** Sets the owner first, because that clears the setuid bits. A file of another user stays writable; only its owner changes. */
function keepOwnerAndMode(descriptor: number, { uid, gid, mode }: fs.Stats): void {
  const own = fs.fstatSync(descriptor);
  if (own.uid !== uid || own.gid !== gid) {
    try {
      fs.fchownSync(descriptor, uid, gid);
    } catch {
      // Only root may give files away.
    }
  }
  if ((own.mode & 0o7777) !== (mode & 0o7777)) fs.fchmodSync(descriptor, mode & 0o7777);
}

function placeStaged(file: Staged): void {
  const { folder, name, before, place, temporary } = file;
  folder.verify();
  if (before && !isSameFile(before.stat, fs.lstatSync(folder.pathOf(name), { throwIfNoEntry: false })))
    throw changedProblem(place.display);
  if (temporary === undefined) fs.unlinkSync(folder.pathOf(name));
  else if (before) fs.renameSync(folder.pathOf(temporary), folder.pathOf(name));
  else placeNew(folder.pathOf(temporary), folder.pathOf(name), place.display);
  file.placed = true;
}

/**
 * Moves a new file into place with `link`, which fails if the name was taken in the meantime; `rename` would overwrite.
 * Some file systems have no hard links.
 */
function placeNew(temporary: string, target: string, display: string): void {
  try {
    fs.linkSync(temporary, target);
  } catch (thrown) {
    if (errorCode(thrown) === 'EEXIST' || fs.lstatSync(target, { throwIfNoEntry: false }))
      throw new FileProblem('exists', `Another program created ${display} in the meantime, so it was not overwritten.`);
    fs.renameSync(temporary, target);
  }
}

/** Restores the old content, and deletes what was created. */
function takeBack(file: Staged, holding: Holding): void {
  const { folder, name, backup, before, created, place } = file;
  try {
    if (file.placed && backup !== undefined) fs.renameSync(folder.pathOf(backup), folder.pathOf(name));
    else if (file.placed && !before) fs.unlinkSync(folder.pathOf(name));
  } catch {
    // The folder is gone or read-only by now: the backup stays where it is.
  }
  for (const leftover of [file.temporary, file.placed ? undefined : backup])
    if (leftover !== undefined) fs.rmSync(folder.pathOf(leftover), { force: true });
  removeCreatedFolders(place.folder, created, holding);
  file.placed = false;
}

/** Deletes temporary files and backups that are no longer needed, and closes the folder. */
function removeStaged({ folder, temporary, backup, placed }: Staged): void {
  try {
    if (placed)
      for (const name of [temporary, backup]) if (name !== undefined) fs.rmSync(folder.pathOf(name), { force: true });
  } finally {
    folder.close();
  }
}

function refuseTwice(places: readonly WorkspacePath[]): void {
  const twice = places.find(
    (place, index) => places.findIndex(({ absolute }) => absolute === place.absolute) !== index,
  );
  if (twice) throw new FileProblem('changed', `${twice.display} is changed twice in one call. Combine the changes.`);
}

function isSameFile(before: fs.Stats, now: fs.Stats | undefined): boolean {
  return (
    now !== undefined &&
    now.ino === before.ino &&
    now.dev === before.dev &&
    now.size === before.size &&
    now.mtimeMs === before.mtimeMs
  );
}

const withUnixLineEnds = (text: string): string => (text.includes('\r\n') ? text.replace(/(?<!\r)\r+\n/g, '\n') : text);
const goneProblem = (display: string): FileProblem =>
  new FileProblem('changed', `${display} no longer exists: it was deleted or renamed since it was read.`);
const changedProblem = (display: string): FileProblem =>
  new FileProblem('changed', `${display} has changed since it was read and was not overwritten. Read it again.`);

const unwritableName = (display: string): FileProblem =>
  new FileProblem(
    'special',
    `The name of ${display} is not valid UTF-8. The file can be read but not changed; rename it with a command first.`,
  );
