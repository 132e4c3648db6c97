import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

/** Not every system can sync folders. These errors say so. */
const cannotSync = new Set(['EPERM', 'EACCES', 'EISDIR', 'EINVAL', 'EBADF', 'ENOTSUP']);

function ignoreIfUnsupported(error: unknown): void {
  if (!cannotSync.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
}

/** Makes the entries of a folder durable: creations, renames and deletions. Not every system supports this. */
export function syncFolder(folder: string): void {
  let descriptor;
  try {
    descriptor = fs.openSync(folder, 'r');
    fs.fsyncSync(descriptor);
  } catch (error) {
    ignoreIfUnsupported(error);
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** Same as `syncFolder`, without blocking. */
const folderSynced = (folder: string): Promise<void> => synced(folder, promisify(fs.fsync));

/** Same as `syncFile`, without blocking. */
export const fileSynced = (file: string): Promise<void> => synced(file, promisify(fs.fdatasync));

async function synced(path: string, sync: (descriptor: number) => Promise<void>): Promise<void> {
  let descriptor;
  try {
    descriptor = fs.openSync(path, 'r');
    await sync(descriptor);
  } catch (error) {
    ignoreIfUnsupported(error);
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** Makes a file's content durable, no matter who wrote it. Some systems cannot do so for a file opened read-only. */
export function syncFile(file: string): void {
  const descriptor = fs.openSync(file, 'r');
  try {
    fs.fdatasyncSync(descriptor);
  } catch (error) {
    ignoreIfUnsupported(error);
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * Creates a folder and its missing parents, accessible only to their owner, and returns the outermost one that it
 * created. One by one: Node's recursive `mkdir` reports a read-only disk as a missing folder, and never ends in /proc.
 */
export function makeFolders(folder: string): string | undefined {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
    return folder;
  } catch (thrown) {
    if (fs.existsSync(folder) && fs.statSync(folder).isDirectory()) return undefined;
    const parent = path.dirname(folder);
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT' || fs.existsSync(parent)) throw thrown;
    const outer = makeFolders(parent);
    const own = makeFolders(folder);
    return outer ?? own;
  }
}

/** Creates the folder and makes its name durable. Created folders are accessible only to their owner. */
export function makeFolder(folder: string): void {
  for (const parent of makeUnsyncedFolder(folder)) syncFolder(parent);
}

/** Folders with new entries that a power failure could still take away. They are synced beside each other. */
export class UnsyncedFolders {
  /** By folder, a token of its last new entry. */
  readonly #folders = new Map<string, symbol>();

  /** Creates the folder, and remembers where its name is not durable yet. */
  make(folder: string): void {
    for (const parent of makeUnsyncedFolder(folder)) this.add(parent);
  }

  /** Call it after an entry was added to the folder. */
  add(folder: string): void {
    this.#folders.set(folder, Symbol());
  }

  /** Resolves when the entries are durable. If a folder cannot be synced, rejects and remembers it for the next time. */
  async sync(): Promise<void> {
    const eachSynced = Array.from(this.#folders, async ([folder, last]) => {
      await folderSynced(folder);
      // An entry that was added since then may not be durable.
      if (this.#folders.get(folder) === last) this.#folders.delete(folder);
    });
    await Promise.all(eachSynced);
  }
}

/** Creates the folder. Returns the folders to sync to make its name durable, innermost first. */
function makeUnsyncedFolder(folder: string): string[] {
  const whole = path.resolve(folder);
  const made = makeFolders(whole);
  const toSync: string[] = [];
  if (made !== undefined)
    for (let ancestor = whole; ancestor.length >= made.length; ancestor = path.dirname(ancestor))
      toSync.push(path.dirname(ancestor));
  return toSync;
}

/**
 * Returns where to write if a path names a device such as /dev/null, a pipe, a socket, or an open file of this process
 * such as /dev/stdout: a path or a descriptor. Undefined for other paths. A file must never take its place.
 */
export function deviceAt(file: string): string | number | undefined {
  const there = fs.statSync(file, { throwIfNoEntry: false });
  if (!there || there.isDirectory()) return undefined;
  if (there.isFile()) return openFileAt(path.resolve(file));
  // A socket cannot be opened by its path.
  return there.isSocket() ? (openFileAt(path.resolve(file)) ?? file) : file;
}

/**
 * Writes to what `deviceAt` returned. Throws an `Error` with a message for people for a pipe that nobody reads: opening
 * it would block this process, also for Ctrl-C, until somebody does.
 */
export function writeToDevice(device: string | number, data: string | Buffer): void {
  const isPipe = typeof device === 'string' && fs.statSync(device).isFIFO();
  if (!isPipe) return fs.writeFileSync(device, data);
  const probe = openReadPipe(device);
  try {
    fs.writeFileSync(device, data);
  } finally {
    fs.closeSync(probe);
  }
}

/** In ms: a reader that was started together with this program may be a little later. */
const readerMs = 3000;
const pollMs = 20;

/** Opens a pipe that somebody reads. */
function openReadPipe(pipe: string): number {
  const { O_WRONLY, O_NONBLOCK } = fs.constants;
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    try {
      return fs.openSync(pipe, O_WRONLY | O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
      if (waitedMs >= readerMs)
        throw new Error(`No program reads the pipe ${pipe}. Start the one that reads it, and try again.`, {
          cause: error,
        });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
    }
  }
}

/** Most links that a path may lead through. */
const maxLinks = 40;

/** Returns the descriptor of the open file that a path names: /dev/stdout is a link to one. */
function openFileAt(place: string): number | undefined {
  for (let links = 0; links < maxLinks; links++) {
    const descriptor = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(place)?.[1];
    if (descriptor !== undefined) return Number(descriptor);
    if (!fs.lstatSync(place).isSymbolicLink()) return undefined;
    place = path.resolve(path.dirname(place), fs.readlinkSync(place));
  }
  return undefined;
}

/**
 * Writes a file atomically and durably, replacing an existing one. Concurrent writers use separate drafts. A device only
 * receives the text.
 */
export function writeDurably(file: string, parts: Iterable<string | Buffer>): void {
  const device = deviceAt(file);
  if (device !== undefined) return writeToDevice(device, Buffer.concat(Array.from(parts, (part) => Buffer.from(part))));
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.new`;
  const descriptor = fs.openSync(draft, 'wx', 0o600);
  try {
    try {
      for (const part of parts) fs.writeFileSync(descriptor, part);
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(draft, file);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(path.dirname(file));
}

/**
 * Deletes drafts of a file that killed processes left behind. The caller must hold a lock, so that nobody else writes
 * the file.
 */
export function deleteAbandonedDrafts(file: string): void {
  const [folder, beginning] = [path.dirname(file), `${path.basename(file)}.`];
  for (const name of fs.readdirSync(folder)) {
    const isDraft = name.startsWith(beginning) && name.endsWith('.new');
    if (isDraft) fs.rmSync(path.join(folder, name), { force: true });
  }
}
