import fs from 'node:fs';
import path from 'node:path';
import { FileProblem, type FileBytes, type FileSnapshot } from '../../core/ports/files';
import { errorCode, fileProblemOf } from './fileProblems';
import { holdFolder, type HeldFolder, type Holding } from './heldFolder';
import { decodeText, type DecodedText } from './textEncoding';
import { bytesVersion, textVersion } from './textVersion';
import type { WorkspacePath } from './workspacePaths';

export const maxFileBytes = 10 * 1024 * 1024;

/** A file as it was read, with what is needed to write it back in the same format and to detect changes. */
export interface DiskFile {
  readonly decoded: DecodedText;
  readonly stat: fs.Stats;
  readonly snapshot: FileSnapshot;
}

/** Reads a text file and its format. Throws `FileProblem`. */
export function readDiskFile(place: WorkspacePath, holding: Holding): DiskFile {
  return inHeldFolder(place, holding, (held) => readHeldFile(held, path.basename(place.absolute), place.display));
}

/** Reads a file of at most `most` bytes. */
export function readDiskBytes(place: WorkspacePath, holding: Holding, most: number): FileBytes {
  return inHeldFolder(place, holding, (held) => {
    const { bytes } = bytesIn(held, path.basename(place.absolute), place.display, most);
    return { path: place.display, bytes, version: bytesVersion(bytes) };
  });
}

function inHeldFolder<Answer>(place: WorkspacePath, holding: Holding, read: (held: HeldFolder) => Answer): Answer {
  if (place.absolute === place.folder) return readThroughItself(place);
  try {
    const held = holdFolder(place.folder, path.dirname(place.absolute), holding);
    try {
      return read(held);
    } finally {
      held.close();
    }
  } catch (thrown) {
    throw fileProblemOf(thrown, place.display);
  }
}

/** Reads `name` in a held folder. Throws `FileProblem` or the system's own error. */
export function readHeldFile(held: HeldFolder, name: string, display: string): DiskFile {
  const { bytes, stat } = bytesIn(held, name, display, maxFileBytes);
  const decoded = decodeText(bytes);
  if (decoded === 'binary')
    throw new FileProblem(
      'binary',
      `${display} is binary (${formatSize(stat.size)}) and was not read. A command can inspect it, for example with "file" or "xxd".`,
    );
  if (decoded === 'unknown_encoding')
    throw new FileProblem(
      'binary',
      `${display} is neither UTF-8, UTF-16 nor Latin-1, and writing it back would damage it. A command can convert it, for example with "iconv".`,
    );
  const snapshot = { path: display, text: decoded.text, version: textVersion(decoded.text) };
  return { decoded, stat, snapshot: isReadOnly(stat) ? { ...snapshot, readOnly: true } : snapshot };
}

/** True if the mode lets nobody write the file. */
export const isReadOnly = ({ mode }: Pick<fs.Stats, 'mode'>): boolean => (mode & 0o222) === 0;

function bytesIn(
  held: HeldFolder,
  name: string,
  display: string,
  most: number,
): { readonly bytes: Buffer; readonly stat: fs.Stats } {
  const spelled = namesAlike(held, name, display)[0] ?? held.pathOf(name);
  refuseSpecial(fs.lstatSync(spelled), display);
  const descriptor = openRegular(spelled);
  try {
    const stat = fs.fstatSync(descriptor);
    refuseSpecial(stat, display);
    if (stat.size > most) throw tooLarge(display, stat.size, most);
    const bytes = readUpTo(descriptor, stat.size, most);
    held.verify();
    if (bytes.length > most) throw tooLarge(display, bytes.length, most);
    return { bytes, stat };
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * Finds the file for a name with U+FFFD. A name that is not valid UTF-8 is listed with U+FFFD in place of its invalid
 * bytes. If no file has the name as written, this returns the raw bytes of the name that is listed that way. Throws
 * `FileProblem` if there are several.
 */
export function namesAlike(held: HeldFolder, name: string, display: string): Buffer[] {
  if (!name.includes('\ufffd') || fs.lstatSync(held.pathOf(name), { throwIfNoEntry: false })) return [];
  const alike = fs.readdirSync(held.pathOf('.'), { encoding: 'buffer' }).filter((raw) => raw.toString() === name);
  if (alike.length > 1)
    throw new FileProblem(
      'special',
      `${alike.length} files are listed as ${display}, because their names are not valid UTF-8. A command can tell them apart, for example with "ls -b".`,
    );
  return alike.map((raw) => Buffer.concat([Buffer.from(held.pathOf('.')), Buffer.from('/'), raw]));
}

/** O_NONBLOCK: opening a pipe that was swapped in must not wait for a writer. */
function openRegular(spelled: string | Buffer): number {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  try {
    return fs.openSync(spelled, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  } catch (thrown) {
    if (errorCode(thrown) === 'ELOOP')
      throw new FileProblem('outside', 'The file became a link while it was being opened. Nothing was read.');
    throw thrown;
  }
}

function refuseSpecial(stat: fs.Stats, display: string): void {
  if (stat.isDirectory()) throw new FileProblem('folder', `${display} is a folder. List it instead.`);
  if (stat.isSymbolicLink())
    throw new FileProblem('outside', `${display} became a link while it was being opened. Nothing was read.`);
  if (!stat.isFile())
    throw new FileProblem('special', `${display} is a pipe, socket or device, not a regular file, and was not opened.`);
}

/** If a file grows in the meantime, it is read only to one byte past the limit. */
function readUpTo(descriptor: number, expected: number, most: number): Buffer {
  const chunks: Buffer[] = [];
  let total = 0;
  for (let size = expected + 1; total <= most; size = 65_536) {
    const chunk = Buffer.allocUnsafe(size);
    const read = fs.readSync(descriptor, chunk, 0, size, null);
    total += read;
    chunks.push(chunk.subarray(0, read));
    if (read === 0 || (total <= expected && read < size)) break;
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function readThroughItself(place: WorkspacePath): never {
  throw new FileProblem('folder', `${place.display} is a folder. List it instead.`);
}

function tooLarge(display: string, bytes: number, most: number): FileProblem {
  return new FileProblem(
    'too_large',
    `${display} has ${formatSize(bytes)}; the limit is ${Math.round(most / 1_048_576)} MB. Search it, or print a part with a command such as "sed -n '1,200p'".`,
  );
}

function formatSize(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`;
  if (bytes < 1_048_576) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}
