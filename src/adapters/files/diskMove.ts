import fs from 'node:fs';
import path from 'node:path';
import { secrets } from '../../core/secrets/secrets';
import { MASK } from '../../core/secrets/secretShapes';
import { FileProblem } from '../../core/ports/files';
import { readHeldFile } from './diskRead';
import { errorCode, fileProblemOf } from './fileProblems';
import { holdFolder, removeCreatedFolders, type HeldFolder, type Holding } from './heldFolder';
import type { WorkspacePath, WorkspacePaths } from './workspacePaths';

/**
 * What was read of a file before it is moved or deleted. `expected`: the version of its text, or null if it is not
 * text.
 */
interface MovedFile {
  readonly place: WorkspacePath;
  readonly expected: string | null;
}

/**
 * Resolves the path of a file itself. Throws `FileProblem` for a link, which the resolver would follow: the file that
 * is deleted or moved must be the one that was named and judged.
 */
export function placeOfItself(paths: WorkspacePaths, spelled: string): WorkspacePath {
  const place = paths.resolve(spelled, 'write');
  const parent = paths.resolve(path.dirname(spelled), 'write');
  const [named, own] = [path.basename(spelled), path.basename(place.absolute)];
  const isNamed = named === own || (named.includes(MASK) && secrets.mask(own) === named);
  if (path.dirname(place.absolute) === parent.absolute && isNamed) return place;
  throw new FileProblem(
    'special',
    `${spelled} is a link to ${place.display}, or another spelling of it. Name ${place.display}, or use a command on the link.`,
  );
}

/** Deletes one file. Throws `FileProblem`: missing, folder, special, changed. */
export function removeOnDisk({ place, expected }: MovedFile, holding: Holding): void {
  inParent(place, holding, (held, name) => {
    checkedFile(held, name, place, expected);
    fs.unlinkSync(held.pathOf(name));
  });
}

/**
 * Moves one file and creates the parent folders. Never overwrites. The contents and the mode of the file stay the same.
 */
export function moveOnDisk({ place, expected }: MovedFile, to: WorkspacePath, holding: Holding): void {
  inParent(place, holding, (held, name) => {
    const stat = checkedFile(held, name, place, expected);
    const created: string[] = [];
    try {
      const target = holdFolder(to.folder, path.dirname(to.absolute), holding, created);
      try {
        moveInto(held.pathOf(name), target, to, stat);
      } finally {
        target.close();
      }
    } catch (thrown) {
      removeCreatedFolders(to.folder, created, holding);
      throw fileProblemOf(thrown, to.display);
    }
  });
}

function moveInto(source: string, target: HeldFolder, to: WorkspacePath, stat: fs.Stats): void {
  const destination = target.pathOf(path.basename(to.absolute));
  const there = fs.lstatSync(destination, { throwIfNoEntry: false });
  const isSameFile = there?.ino === stat.ino && there.dev === stat.dev && there.isFile();
  if (there && !isSameFile) throw takenProblem(to);
  target.verify();
  if (isSameFile) {
    // Changes only the case of the name, on a case-insensitive disk.
    fs.renameSync(source, destination);
    return;
  }
  try {
    // A link fails if the name was taken in the meantime; a rename would overwrite.
    fs.linkSync(source, destination);
  } catch (thrown) {
    if (errorCode(thrown) === 'EEXIST') throw takenProblem(to);
    // Another disk, or a file system without hard links.
    fs.copyFileSync(source, destination, fs.constants.COPYFILE_EXCL);
  }
  try {
    fs.unlinkSync(source);
  } catch (thrown) {
    fs.rmSync(destination, { force: true });
    throw thrown;
  }
}

const takenProblem = ({ display }: WorkspacePath): FileProblem =>
  new FileProblem('exists', `${display} already exists, so nothing was moved. Choose another name.`);

function inParent(place: WorkspacePath, holding: Holding, work: (held: HeldFolder, name: string) => void): void {
  if (place.absolute === place.folder) throw folderProblem(place);
  try {
    const held = holdFolder(place.folder, path.dirname(place.absolute), holding);
    try {
      work(held, path.basename(place.absolute));
    } finally {
      held.close();
    }
  } catch (thrown) {
    throw fileProblemOf(thrown, place.display);
  }
}

/** Throws if it is not a regular file, or has changed since it was read. */
function checkedFile(held: HeldFolder, name: string, place: WorkspacePath, expected: string | null): fs.Stats {
  const stat = fs.lstatSync(held.pathOf(name));
  if (stat.isDirectory()) throw folderProblem(place);
  if (!stat.isFile())
    throw new FileProblem('special', `${place.display} is a link, pipe, socket or device. Use a command on it.`);
  if (expected !== null && readHeldFile(held, name, place.display).snapshot.version !== expected)
    throw new FileProblem('changed', `${place.display} changed a moment ago, so it was not touched. Read it again.`);
  held.verify();
  return stat;
}

const folderProblem = ({ display }: WorkspacePath): FileProblem =>
  new FileProblem('folder', `${display} is a folder. This tool takes one file; use a command for folders.`);
