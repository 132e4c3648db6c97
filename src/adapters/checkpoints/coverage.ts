import fs, { type Stats } from 'node:fs';
import path from 'node:path';
import type { FileState } from '../../core/changes/fileState';
import { hasRawName } from './rawNames';
import { rulesFor, secretReads } from '../../core/risk/pathRules';
import { isLivingDraft } from '../files/drafts';
import { secrets } from '../../core/secrets/secrets';

/**
 * What checkpoints leave out. Folders that package managers and builds fill are made again by their programs and may
 * hold more files than all the rest; a tool's edit of a file in them is kept all the same.
 */

/** Names of folders that are left out wherever they lie. */
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

/** Builds and test runners put this file into folders that can be made again: https://bford.info/cachedir/ */
export const cacheTag = 'CACHEDIR.TAG';
const largestTag = 64 * 1024;
const cacheSignature = 'Signature: 8a477f597d28d172789f06886806bc55';

/** Whether a file is such a tag. Its name alone says nothing. */
export function isTaggedCache(tag: string): boolean {
  try {
    const stat = fs.lstatSync(tag, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > largestTag) return false;
    return readPlainFile(tag, stat.size)?.toString('latin1', 0, cacheSignature.length) === cacheSignature;
  } catch {
    return false;
  }
}

const leftOut = new Set(leftOutFolders);

/** How much is kept; sizes in bytes. */
export interface CheckpointLimits {
  /** A larger file is noticed but not copied. */
  readonly largestFile: number;
  /** What one look copies of changed files; more is noticed but not copied. */
  readonly mostBytes: number;
  /** The same for the first look at a folder. */
  readonly mostBytesAtFirst: number;
  /** A folder with more entries is covered only where tools edit files. */
  readonly mostEntries: number;
  /** How long a command waits for the first look at its folder, in milliseconds. */
  readonly longestWait: number;
}

const megabyte = 1024 * 1024;

export const usualLimits: CheckpointLimits = {
  largestFile: 25 * megabyte,
  mostBytes: 256 * megabyte,
  mostBytesAtFirst: 2000 * megabyte,
  mostEntries: 400_000,
  longestWait: 5000,
};

/** Whether a name is never looked at: what Git keeps, what can be made again, and drafts of Waymark itself. */
export const isLeftOut = (name: string, isFolder: boolean): boolean =>
  name === '.git' || (isFolder ? leftOut.has(name) : isLivingDraft(name));

/** Whether one of the folders on the way from `folder` to `file` is left out by its name. */
export function isBelowLeftOut(folder: string, file: string): boolean {
  const parts = path.relative(folder, file).split(path.sep);
  return parts.some((name, at) => isLeftOut(name, at < parts.length - 1));
}

/** Whether a file, named from its folder, usually holds secrets: these are copied nowhere. */
export const holdsSecrets = (relative: string): boolean => rulesFor(relative, secretReads).length > 0;

/** Whether a file contains a known secret, whatever its name is. */
export function holdsKnownSecret(bytes: Buffer): boolean {
  if (secrets.version === 0) return false;
  return secrets.isIn(bytes.toString(secrets.hasOnlyAscii ? 'latin1' : 'utf8'));
}

/** Whether a file of that size may be copied, by its path from the folder of the run. */
export const mayCover = (
  relative: string,
  size: number,
  { largestFile }: Pick<CheckpointLimits, 'largestFile'>,
): boolean => size <= largestFile && !holdsSecrets(relative);

/**
 * The content of a file; undefined if it is noticed but not copied, because it is too large, contains secrets or may
 * not be read. `relative`: its path from the folder of the run. Valid until the next call. Throws other errors of the
 * disk.
 */
export function readCovered(
  file: string,
  relative: string,
  stat: Stats,
  limits: Pick<CheckpointLimits, 'largestFile'>,
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

/** Files up to this size are read into the same place of memory, one after the other. */
const scratch = Buffer.allocUnsafeSlow(256 * 1024);

/**
 * What a file of about `size` bytes holds, in as few calls of the system as can be; right until the next call.
 * Undefined where it became a link or a pipe since it was looked at.
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
      // One byte more tells whether it grew meanwhile. A pipe or device has no end to ask for.
      const read = fs.readSync(descriptor, scratch, 0, size + 1, 0);
      if (read === size) return scratch.subarray(0, size);
    }
    return fs.fstatSync(descriptor).isFile() ? fs.readFileSync(descriptor) : undefined;
  } catch (error) {
    // Pipes cannot be read from a place.
    if ((error as NodeJS.ErrnoException).code === 'ESPIPE') return undefined;
    throw error;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Tells one state of a file that is not copied from another. */
export const stampOf = ({ mtimeMs, ctimeMs, ino }: Pick<Stats, 'mtimeMs' | 'ctimeMs' | 'ino'>): string =>
  `${mtimeMs}-${ctimeMs}-${ino}`;

/** A file that is noticed but not copied. */
export const unkeptState = (stat: Stats): FileState => ({
  kind: 'file',
  mode: stat.mode & 0o7777,
  size: stat.size,
  stamp: stampOf(stat),
});
