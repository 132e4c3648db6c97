import fs, { type Stats } from 'node:fs';
import path from 'node:path';
import { specialStamp, type FileState } from '../../core/changes/snapshot';
import { matchingRules, secretReads } from '../../core/risk/pathRules';
import { isLivingDraft } from '../files/drafts';
import { secrets } from '../../core/secrets/secrets';

/**
 * Defines what checkpoints leave out. Folders of package managers and builds can be recreated by their programs and may
 * contain more files than everything else. Edits of a tool in such folders are still recorded.
 */

/** Names of folders that are left out, except where people wrote their contents (see `PackageFolders`). */
export const leftOutFolders: readonly string[] = [
  'node_modules',
  'bower_components',
  '.venv',
  'venv',
  '__pycache__',
  '.tox',
  '.nox',
  '.gradle',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.turbo',
  '.parcel-cache',
  '.pnpm-store',
  '.terraform',
  'Pods',
  'DerivedData',
];

/** File that builds and test runners put into folders that can be recreated: https://bford.info/cachedir/ */
export const cacheTag = 'CACHEDIR.TAG';
const maxTagBytes = 64 * 1024;
const cacheSignature = 'Signature: 8a477f597d28d172789f06886806bc55';

/** Returns whether a file is a valid cache tag. Its name alone is not sufficient. */
export function isTaggedCache(tag: string): boolean {
  try {
    const stat = fs.lstatSync(tag, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > maxTagBytes) return false;
    return readPlainFile(tag, stat.size)?.toString('latin1', 0, cacheSignature.length) === cacheSignature;
  } catch {
    return false;
  }
}

const leftOut = new Set(leftOutFolders);

/** Limits of what is copied. Sizes are in bytes. */
export interface CheckpointLimits {
  /** Maximum size of a file to copy. A larger file is recorded but not copied. */
  readonly maxFileBytes: number;
  /** Maximum total size of changed files copied by one scan. Further files are recorded but not copied. */
  readonly maxBytes: number;
  /** The same limit for the first scan of a folder. */
  readonly maxInitialBytes: number;
  /** Maximum number of entries. In a larger folder only edits of tools are recorded. */
  readonly maxEntries: number;
  /** Maximum time that a command waits for the first scan of its folder, in ms. */
  readonly maxWaitMs: number;
}

const megabyte = 1024 * 1024;

export const defaultLimits: CheckpointLimits = {
  maxFileBytes: 25 * megabyte,
  maxBytes: 256 * megabyte,
  maxInitialBytes: 2000 * megabyte,
  maxEntries: 400_000,
  maxWaitMs: 5000,
};

/** Returns whether a name is never scanned: Git data, folders that can be recreated, and drafts of Waymark. */
export const isLeftOut = (name: string, isFolder: boolean): boolean =>
  name === '.git' || (isFolder ? leftOut.has(name) : isLivingDraft(name));

/** Returns whether a folder between `folder` and `file` is left out by its name. */
export function isBelowLeftOut(folder: string, file: string): boolean {
  const parts = path.relative(folder, file).split(path.sep);
  return parts.some((name, at) => isLeftOut(name, at < parts.length - 1));
}

/** Returns whether a file, given by its relative path, typically contains secrets. Such files are never copied. */
const holdsSecrets = (relative: string): boolean => matchingRules(relative, secretReads).length > 0;

/** Returns whether a file contains a known secret, regardless of its name. */
function holdsKnownSecret(bytes: Buffer): boolean {
  if (secrets.version === 0) return false;
  return secrets.isIn(bytes.toString(secrets.hasOnlyAscii ? 'latin1' : 'utf8'));
}

/** Returns whether a content may be copied that is not in a file yet. */
export const mayKeepContent = (bytes: Buffer, { maxFileBytes }: Pick<CheckpointLimits, 'maxFileBytes'>): boolean =>
  bytes.length <= maxFileBytes && !holdsKnownSecret(bytes);

/** Returns whether a file of this size may be copied. The path is relative to the folder of the run. */
export const mayCover = (
  relative: string,
  size: number,
  { maxFileBytes }: Pick<CheckpointLimits, 'maxFileBytes'>,
): boolean => size <= maxFileBytes && !holdsSecrets(relative);

/**
 * Reads the content of a file. Returns undefined if it is recorded but not copied, because it is too large, contains
 * secrets or may not be read. `relative`: its path relative to the folder of the run. The buffer is valid until the
 * next call. Throws other errors of the disk.
 */
export function readCovered(
  file: string,
  relative: string,
  stat: Stats,
  limits: Pick<CheckpointLimits, 'maxFileBytes'>,
): Buffer | undefined {
  if (!mayCover(relative, stat.size, limits)) return undefined;
  try {
    const bytes = readPlainFile(file, stat.size);
    return bytes && !holdsKnownSecret(bytes) ? bytes : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM' || code === 'EIO') return undefined;
    if (code === 'ENOENT' && hasRawName(file)) return undefined;
    throw error;
  }
}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;

/** A reused buffer for files up to this size. */
const scratch = Buffer.allocUnsafeSlow(256 * 1024);

/**
 * Reads a file of about `size` bytes with as few system calls as possible. The buffer is valid until the next call.
 * Returns undefined if the file became a link or a pipe in the meantime.
 */
function readPlainFile(file: string, size: number): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') return undefined;
    throw error;
  }
  try {
    if (size < scratch.length) {
      // One extra byte shows whether the file grew in the meantime. The size of a pipe or device is unknown.
      const read = fs.readSync(descriptor, scratch, 0, size + 1, 0);
      if (read === size) return scratch.subarray(0, size);
    }
    return fs.fstatSync(descriptor).isFile() ? fs.readFileSync(descriptor) : undefined;
  } catch (error) {
    // Pipes do not support reading from an offset.
    if ((error as NodeJS.ErrnoException).code === 'ESPIPE') return undefined;
    throw error;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Identifies a state of a file that is not copied. */
export const fileStamp = ({ mtimeMs, ctimeMs, ino }: Pick<Stats, 'mtimeMs' | 'ctimeMs' | 'ino'>): string =>
  `${mtimeMs}-${ctimeMs}-${ino}`;

/** True for named pipes, sockets and devices. Opening one may wait forever. */
export const isSpecialFile = (stat: Stats): boolean => !stat.isFile() && !stat.isDirectory() && !stat.isSymbolicLink();

/** The state of a file that is recorded but not copied. Using a pipe or socket does not change its state. */
export const unkeptState = (stat: Stats): FileState => {
  const mode = stat.mode & 0o7777;
  return isSpecialFile(stat)
    ? { kind: 'file', mode, size: 0, stamp: specialStamp(stat) }
    : { kind: 'file', mode, size: stat.size, stamp: fileStamp(stat) };
};

/** The state of a link. A target whose bytes are not UTF-8 could not be restored, so the link counts as not copied. */
export function linkState(file: string, stat: Stats): FileState {
  const target = fs.readlinkSync(file);
  return target.includes(replacement) ? unkeptState(stat) : { kind: 'link', target };
}

/**
 * Stands for invalid bytes in names that are not UTF-8, which old programs and archives create. Node.js replaces each
 * such byte with U+FFFD. A file cannot be opened by the resulting name, so it is recorded but not copied.
 */
const replacement = '\ufffd';

/** Returns whether a path may belong to a file whose name is not UTF-8. */
const hasRawName = (file: string): boolean => path.basename(file).includes(replacement);

/**
 * Returns the stat of such a path, or undefined if it does not exist. Folders count as files, since they could be
 * neither entered nor recreated. Throws the error of the disk.
 */
export function statByRawName(file: string): fs.Stats | undefined {
  if (!hasRawName(file)) return undefined;
  const folder = path.dirname(file);
  const name = path.basename(file);
  // Several names may be the same after the replacement: the latest change of any of them counts.
  const stats = fs
    .readdirSync(folder, { encoding: 'buffer' })
    .filter((each) => each.toString('utf8') === name)
    .map((raw) => Buffer.concat([Buffer.from(`${folder}${path.sep}`), raw]))
    .flatMap((place) => fs.lstatSync(place, { throwIfNoEntry: false }) ?? []);
  const stat = stats.sort((a, b) => b.ctimeMs - a.ctimeMs)[0];
  return stat && Object.assign(stat, { isFile: () => true, isDirectory: () => false, isSymbolicLink: () => false });
}
