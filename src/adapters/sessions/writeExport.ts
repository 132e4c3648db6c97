import fs from 'node:fs';
import path from 'node:path';
import type { TrajectoryFile, TrajectoryFormat, WriteContext } from '../../core/trajectory/format';
import { deviceAt, writeToDevice } from '../storage/durableFile';
import type { History } from '../../core/log/projection';
import { framedLine } from '../storage/frame';
import { newHeader } from '../log/header';
import { isCompleted, sharegpt } from '../../core/trajectory/formats/sharegpt';

/**
 * Writes an export: a single file as `out`, several into the folder `out`. It is atomic: written beside its target and
 * moved. Throws an `Error` with a message for people if something already exists and `force` is not set. `force`
 * replaces a file, or a folder that contains only such an export. A device such as /dev/stdout only receives the text.
 */
export function writeExport(files: readonly TrajectoryFile[], out: string, { force = false } = {}): void {
  const [only, ...more] = files;
  if (!only) throw new Error('There is nothing to write.');
  const target = path.resolve(out);
  const there = fs.lstatSync(target, { throwIfNoEntry: false });
  const isFolder = more.length > 0 || only.path.includes('/');
  const device = isFolder ? undefined : deviceAt(target);
  if (device !== undefined) return writeToDevice(device, only.text);
  const written = isFolder ? 'folder' : 'file';
  if (there && !force) throw new Error(`${target} already exists. Choose another place, or replace it with --force.`);
  if (there && there.isDirectory() !== isFolder)
    throw new Error(
      `${target} is ${there.isDirectory() ? 'a folder' : 'a file'}, but the export is a ${written}. Choose another place.`,
    );
  if (there && isFolder && !isExportedFolder(target))
    throw new Error(
      `${target} is a folder that contains more than an exported conversation, so it is not replaced, even with --force. Choose another place, or remove it first.`,
    );
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const staged = `${target}.new-${process.pid}`;
  try {
    for (const { path: name, text } of files)
      writeNewFile(isFolder ? path.join(staged, ...inside(name)) : staged, text);
    if (isFolder) moveFolder(staged, target, there !== undefined);
    else if (force) fs.renameSync(staged, target);
    else moveWithoutReplacing(staged, target);
  } finally {
    fs.rmSync(staged, { recursive: true, force: true });
  }
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

function writeNewFile(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const descriptor = fs.openSync(file, 'wx', 0o600);
  try {
    fs.writeFileSync(descriptor, text);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * Creating a hard link cannot replace a file that appeared meanwhile. Without hard links, the exclusive copy cannot
 * either.
 */
function moveWithoutReplacing(from: string, to: string): void {
  try {
    fs.linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new Error(`${to} already exists. Choose another place, or replace it with --force.`, { cause: error });
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
  }
}

/** Moves an existing folder aside first, and back if the new one cannot take its place. */
function moveFolder(from: string, to: string, replaces: boolean): void {
  if (!replaces) return fs.renameSync(from, to);
  const old = `${to}.old-${process.pid}`;
  fs.renameSync(to, old);
  try {
    fs.renameSync(from, to);
  } catch (error) {
    fs.renameSync(old, to);
    throw error;
  }
  fs.rmSync(old, { recursive: true, force: true });
}

/**
 * Returns a run in another format, as files to write. The lines of a Waymark log are chained, so that damage is
 * detected, but not sealed, so that nothing in it counts as consent where it is opened.
 */
export function exportedFiles({ write }: TrajectoryFormat, history: History, context: WriteContext): TrajectoryFile[] {
  return write!(history, context).map((file) =>
    file.path.endsWith('.waymark.jsonl') ? { ...file, text: bound(file.text) } : file,
  );
}

function bound(log: string): string {
  let hash = '';
  const [, ...events] = log.trimEnd().split('\n');
  return [JSON.stringify(newHeader()), ...events]
    .map((line) => {
      const next = framedLine(line, hash, undefined);
      ({ hash } = next);
      return next.line;
    })
    .join('');
}

/** The files to which Hermes Agent appends conversations, one line each. */
const files = { completed: 'trajectory_samples.jsonl', failed: 'failed_trajectories.jsonl' } as const;

/**
 * Appends a conversation to the matching file in a folder, as a line in the format of Hermes Agent. Returns the file.
 * Secrets are masked.
 */
export function saveTrajectory(history: History, folder: string, session: string, version: string): string {
  const [written] = sharegpt.write!(history, { session, version });
  const file = path.join(folder, isCompleted(history) ? files.completed : files.failed);
  fs.mkdirSync(folder, { recursive: true });
  // A single write of a whole line: several runs may append to the same file.
  fs.appendFileSync(file, written!.text, { mode: 0o600 });
  return file;
}
