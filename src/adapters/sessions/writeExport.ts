import fs from 'node:fs';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { writeAtOnce, type TrajectoryFile, type WriteContext, type WrittenFormat } from '../../core/trajectory/format';
import { type InPieces, runToEnd } from '../../core/text/slices';
import { errorCode, fileProblemOf } from '../files/fileProblems';
import { isLink, realPath } from '../storage/diskPaths';
import { deviceAt, writeToDevice } from '../storage/durableFile';
import type { History } from '../../core/log/projection';
import { framedLine } from '../storage/frame';
import { newHeader } from '../log/header';
import { isCompleted, sharegpt } from '../../core/trajectory/formats/sharegpt';

/** Something is where an export was to be written, and may not be replaced. */
export class TargetExists extends Error {
  /** What exists, for people: a path, or a link and what it leads to. */
  readonly what: string;

  constructor(target: string) {
    const real = isLink(target) ? realPath(target) : target;
    const what = real === target ? target : `${target}, a link to ${real},`;
    super(`${what} already exists. Choose another place.`);
    this.what = what;
  }
}

/**
 * Writes an export: a single file as `out`, several into the folder `out`. It is atomic: written beside its target and
 * moved. Resolves to the path that it wrote. Throws `TargetExists` if something already exists and `force` is not set, and
 * other errors with a message for people. `force` replaces a file, which keeps its mode, or a folder that contains only
 * such an export, but never `source`: the run that is exported. It replaces a link itself, because an agent may have made
 * it, unless `throughLink` is set: then what the link leads to, as a shell does, but a broken link is refused. A device
 * such as /dev/stdout only receives the text. Nothing waits for the disk meanwhile: a long run is many megabytes or
 * thousands of files.
 */
export async function writeExport(
  files: readonly TrajectoryFile[],
  out: string,
  {
    force = false,
    throughLink = false,
    source,
  }: { readonly force?: boolean; readonly throughLink?: boolean; readonly source?: string } = {},
): Promise<string> {
  const [only, ...more] = files;
  if (!only) throw new Error('There is nothing to write.');
  const named = path.resolve(out);
  const isFollowed = force && throughLink && isLink(named);
  if (isFollowed && !fs.existsSync(named))
    throw new Error(
      `${named} is a link to ${fs.readlinkSync(named)}, which does not exist or cannot be reached. Nothing was written. Remove the link, or choose another place.`,
    );
  const target = isFollowed ? realPath(named) : named;
  const isFolder = more.length > 0 || only.path.includes('/');
  let device: ReturnType<typeof deviceAt>;
  try {
    device = isFolder ? undefined : deviceAt(target);
    if (device !== undefined) {
      writeToDevice(device, only.text);
      return target;
    }
    if (source !== undefined && realPath(target) === realPath(path.resolve(source)))
      throw new Error(`${target} is the run that is exported, so it is not replaced. Choose another place.`);
    refuseToReplace(target, { isFolder, force });
    fs.mkdirSync(path.dirname(target), { recursive: true });
    await writeFiles(files, target, { isFolder, force });
    return target;
  } catch (error) {
    const code = errorCode(error);
    // That a reader of standard output went away is the caller's matter.
    const hasReaderLeft = device !== undefined && (code === 'EPIPE' || code === 'ECONNRESET');
    throw hasReaderLeft || code === undefined ? error : writeProblemOf(error, target);
  }
}

/** Turns an error of the operating system into a message for people. */
const writeProblemOf = (error: unknown, target: string): Error =>
  errorCode(error) === 'ENOENT'
    ? new Error(`${target} could not be written: its folder was deleted, or accepts no files. Choose another place.`)
    : fileProblemOf(error, target);

async function writeFiles(
  files: readonly TrajectoryFile[],
  target: string,
  { isFolder, force }: { readonly isFolder: boolean; readonly force: boolean },
): Promise<void> {
  // Two exports of one window may have the same target.
  const staged = `${target}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    for (let at = 0; at < files.length; at += filesAtOnce) {
      const some = files.slice(at, at + filesAtOnce);
      const ends = await Promise.allSettled(
        some.map(({ path: name, text }) => writeNewFile(isFolder ? path.join(staged, ...inside(name)) : staged, text)),
      );
      const failed = ends.find((end) => end.status === 'rejected');
      if (failed) throw failed.reason;
    }
    if (isFolder) await moveFolder(staged, target, force);
    else if (force) await replaceFile(staged, target);
    else await moveWithoutReplacing(staged, target);
  } finally {
    await fs.promises.rm(staged, { recursive: true, force: true });
  }
}

const filesAtOnce = 8;

/** A file that is replaced keeps its mode, so that whoever could read it still can. */
async function replaceFile(from: string, to: string): Promise<void> {
  const there = await fs.promises.lstat(to).catch(() => undefined);
  if (there?.isFile()) await fs.promises.chmod(from, there.mode & 0o777);
  await fs.promises.rename(from, to);
}

/** Throws an `Error` with a message for people if an export may not replace what is at the target. */
function refuseToReplace(
  target: string,
  { isFolder, force }: { readonly isFolder: boolean; readonly force: boolean },
): void {
  const there = fs.lstatSync(target, { throwIfNoEntry: false });
  if (!there) return;
  if (!force) throw new TargetExists(target);
  if (there.isDirectory() !== isFolder)
    throw new Error(
      `${target} is ${there.isDirectory() ? 'a folder' : 'a file'}, but the export is a ${isFolder ? 'folder' : 'file'}. Choose another place.`,
    );
  if (isFolder && !isExportedFolder(target))
    throw new Error(
      `${target} is a folder that contains more than an exported conversation, so it is not replaced, even with --force. Choose another place, or remove it first.`,
    );
}

/** Returns whether the folder contains the state and the events of a conversation and nothing else. */
function isExportedFolder(folder: string): boolean {
  const entries = fs.readdirSync(folder, { withFileTypes: true });
  const holdsState = entries.some((entry) => entry.name === 'base_state.json' && entry.isFile());
  const holdsEvents = entries.some((entry) => entry.name === 'events' && entry.isDirectory());
  return (
    entries.length === 2 &&
    holdsState &&
    holdsEvents &&
    fs
      .readdirSync(path.join(folder, 'events'), { withFileTypes: true })
      .every((entry) => entry.isFile() && /^event-\d+-.+\.json$/.test(entry.name))
  );
}

/** Returns the path below the folder of its conversation. */
const inside = (name: string): string[] =>
  name
    .split('/')
    .slice(1)
    .filter((part) => part !== '..' && part !== '');

async function writeNewFile(file: string, text: string): Promise<void> {
  await fs.promises.mkdir(path.dirname(file), { recursive: true });
  const handle = await fs.promises.open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Creating a hard link cannot replace a file that appeared meanwhile. Without hard links, the exclusive copy cannot
 * either.
 */
async function moveWithoutReplacing(from: string, to: string): Promise<void> {
  try {
    await fs.promises.link(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new TargetExists(to);
    await fs.promises.copyFile(from, to, fs.constants.COPYFILE_EXCL);
  }
}

/** Moves an existing folder aside first, and back if the new one cannot take its place. */
async function moveFolder(from: string, to: string, force: boolean): Promise<void> {
  // Something may have appeared there while the files were written.
  refuseToReplace(to, { isFolder: true, force });
  if (!fs.existsSync(to)) return fs.renameSync(from, to);
  const old = `${to}.old-${process.pid}`;
  fs.renameSync(to, old);
  try {
    fs.renameSync(from, to);
  } catch (error) {
    fs.renameSync(old, to);
    throw error;
  }
  await fs.promises.rm(old, { recursive: true, force: true });
}

/**
 * Returns a run in another format, as files to write. The lines of a Waymark log are chained, so that damage is
 * detected, but not sealed, so that nothing in it counts as consent where it is opened.
 */
export const exportedFiles = (...args: Parameters<typeof exportedFilesInPieces>): TrajectoryFile[] =>
  runToEnd(exportedFilesInPieces(...args));

/** Does the same, and yields after each event. */
export function* exportedFilesInPieces(
  { write }: WrittenFormat,
  history: History,
  context: WriteContext,
): InPieces<TrajectoryFile[]> {
  const files: TrajectoryFile[] = [];
  for (const file of yield* write(history, context))
    files.push(file.path.endsWith('.waymark.jsonl') ? { ...file, text: yield* bound(file.text) } : file);
  return files;
}

function* bound(log: string): InPieces<string> {
  let hash = '';
  const [, ...events] = log.trimEnd().split('\n');
  const lines: string[] = [];
  for (const text of [JSON.stringify(newHeader()), ...events]) {
    const next = framedLine(text, hash, undefined);
    ({ hash } = next);
    lines.push(next.line);
    yield;
  }
  return lines.join('');
}

/** The files to which Hermes Agent appends conversations, one line each. */
const files = { completed: 'trajectory_samples.jsonl', failed: 'failed_trajectories.jsonl' } as const;

/**
 * Appends a conversation to the matching file in a folder, as a line in the format of Hermes Agent. Returns the file.
 * Secrets are masked.
 */
export function saveTrajectory(history: History, folder: string, session: string, version: string): string {
  const [written] = writeAtOnce(sharegpt, history, { session, version });
  const file = path.join(folder, isCompleted(history) ? files.completed : files.failed);
  fs.mkdirSync(folder, { recursive: true });
  // A single write of a whole line: several runs may append to the same file.
  fs.appendFileSync(file, written!.text, { mode: 0o600 });
  return file;
}
