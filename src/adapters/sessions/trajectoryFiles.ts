import fs from 'node:fs';
import path from 'node:path';
import type { TrajectoryFile } from '../../core/trajectory/format';
import { decodeText } from '../files/textEncoding';
import type { Pieces } from '../log/pieces';
import { openFlags } from '../storage/lenientReads';

/** Maximum size of all files together, in bytes. */
const maxBytes = 400 * 1024 * 1024;
const maxFiles = 50_000;
const tooMuch = 'a trajectory of that size cannot be shown.';

/**
 * Reads the files of an OpenHands conversation, sorted by path: its state and one file per event. Parses each and lets
 * other work run in between. Throws an `Error` with a message for people if one is not a file, or if they are too many or too large.
 */
export function* conversationFiles(folder: string, parse: (file: TrajectoryFile) => unknown): Pieces<TrajectoryFile[]> {
  const state = filesOf(folder, '').filter((name) => name === 'base_state.json');
  const events = filesOf(folder, 'events').filter((name) => name.endsWith('.json'));
  const names = [...state, ...events].sort();
  if (names.length > maxFiles) throw new Error(`${folder} contains more than ${maxFiles} files; ${tooMuch}`);
  const files: TrajectoryFile[] = [];
  let left = maxBytes;
  for (const name of names) {
    const bytes = readFile(path.join(folder, name), (size) => {
      if ((left -= size) < 0)
        throw new Error(`The files in ${folder} are larger than ${maxBytes / 1024 / 1024} MB in total; ${tooMuch}`);
    });
    const file = { path: name, text: decodeTrajectory(bytes) };
    parse(file);
    files.push(file);
    yield;
  }
  return files;
}

/** Reads one file; `name` is its path in the trajectory. Throws an `Error` with a message for people. */
export const trajectoryFile = (file: string, name: string): TrajectoryFile => ({
  path: name,
  text: decodeTrajectory(readFile(file, (size) => refuseLarge(file, size))),
});

/** Throws an `Error` with a message for people if a trajectory of `size` bytes is too large to be read. */
export function refuseLarge(file: string, size: number): void {
  if (size > maxBytes) throw new Error(`${file} is larger than ${maxBytes / 1024 / 1024} MB; ${tooMuch}`);
}

/** Returns the paths of the entries of a subfolder, relative to `folder`; none if it does not exist. */
function filesOf(folder: string, subfolder: string): string[] {
  try {
    return fs.readdirSync(path.join(folder, subfolder)).map((name) => path.posix.join(subfolder, name));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** Reads a file after `check` has accepted its size. */
function readFile(file: string, check: (size: number) => void): Buffer {
  const descriptor = fs.openSync(file, openFlags);
  try {
    const stat = fs.fstatSync(descriptor);
    if (!stat.isFile()) throw new Error(`${file} is not a file, so it cannot be read. Remove it from its folder.`);
    check(stat.size);
    return readWhole(descriptor, stat.size);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Reads an open file of that size. Takes fewer system calls than `readFileSync`, which counts for many small files. */
function readWhole(descriptor: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const count = fs.readSync(descriptor, bytes, length, size - length, null);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

/** Decodes UTF-8, or the encodings of redirected PowerShell output. */
function decodeTrajectory(bytes: Buffer): string {
  const wide =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
      ? decodeText(bytes)
      : undefined;
  return typeof wide === 'object' ? wide.text : bytes.toString('utf8').replace(/^\uFEFF/, '');
}
