import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { JournalEntry } from '../../core/changes/journalEntry';
import { runToEnd, type InPieces } from '../../core/text/slices';
import { follows, framedLine, isSealed, readFrame } from '../storage/frame';
import { machineKey } from '../storage/machineKey';
import { makeFolder, syncFile } from '../storage/durableFile';

/** Path of the checkpoint journal of the run with the log `log`, stored beside the log. */
export const journalOf = (log: string): string => `${log}.changes.jsonl`;

/** A journal as read from its file. */
export interface ReadJournal {
  readonly entries: readonly JournalEntry[];
  /** What could not be read, as a message for people. */
  readonly problems: readonly string[];
  /** Why the file cannot be read although it exists, as a message for people. It may have entries. */
  readonly unread?: string;
}

/**
 * Reads a journal; a missing one is empty. A partially written last line is skipped. Only lines that this machine
 * sealed count: a journal decides which files are restored, and anybody could put one beside a log.
 */
export const readJournal = (file: string): ReadJournal => new JournalReader(file).read();

/** Reads a growing journal: each time only the lines added since the last time. */
export class JournalReader {
  private entries: JournalEntry[] = [];
  private problems: string[] = [];
  private foreignLines = 0;
  /** Number of complete lines read, and their length in bytes. */
  private linesRead = 0;
  private bytesRead = 0;
  /** Their last bytes. If these differ later, the file was replaced. */
  private lastBytes = Buffer.alloc(0);

  constructor(private readonly file: string) {}

  /** Returns the current entries of the journal. They begin with the earlier ones, unless the file was replaced. */
  read(): ReadJournal {
    return runToEnd(this.readInPieces());
  }

  /** Same in pieces, for many or long journals. Finish it before the next call. */
  *readInPieces(): InPieces<ReadJournal> {
    let added: Buffer;
    try {
      added = this.addedBytes();
    } catch (error) {
      this.forget();
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { entries: [], problems: [] };
      const unread = `${this.file} cannot be read: ${(error as Error).message}.`;
      return { entries: [], problems: [unread], unread };
    }
    const complete = added.lastIndexOf(newline) + 1;
    const key = machineKey();
    // Arrays that were returned before must not change.
    if (complete > 0) this.entries = [...this.entries];
    for (const line of added.toString('utf8', 0, complete).split('\n').slice(0, -1)) {
      this.addLine(line, key);
      yield;
    }
    this.bytesRead += complete;
    if (complete > 0) this.lastBytes = Buffer.from(added.subarray(Math.max(0, complete - endingBytes), complete));
    // A last line without a newline counts if it is otherwise complete; it is read again the next time.
    const last = complete < added.length ? parseEntry(added.toString('utf8', complete), key) : undefined;
    const isLastForeign = last === 'foreign';
    const entries = last !== undefined && last !== 'foreign' ? [...this.entries, last] : this.entries;
    return { entries, problems: this.problemsWith(isLastForeign) };
  }

  private addLine(line: string, key: ReturnType<typeof machineKey>): void {
    this.linesRead++;
    if (line === '') return;
    const entry = parseEntry(line, key);
    if (entry === 'foreign') this.foreignLines++;
    else if (entry) this.entries.push(entry);
    else this.problems.push(`Line ${this.linesRead} of ${this.file} is damaged.`);
  }

  private problemsWith(isLastForeign: boolean): string[] {
    if (this.foreignLines === 0 && !isLastForeign) return [...this.problems];
    const words = 'was not written by Waymark on this machine, so its changes are neither shown nor undone.';
    return [...this.problems, `${this.file} ${words}`];
  }

  /** Returns the bytes after the complete lines that were read. */
  private addedBytes(): Buffer {
    const descriptor = fs.openSync(this.file, 'r');
    try {
      const known = this.bytesRead - this.lastBytes.length;
      const isSameFile = bytesAt(descriptor, known, this.lastBytes.length).equals(this.lastBytes);
      if (!isSameFile) this.forget();
      return bytesAt(descriptor, this.bytesRead, fs.fstatSync(descriptor).size - this.bytesRead);
    } finally {
      fs.closeSync(descriptor);
    }
  }

  private forget(): void {
    this.entries = [];
    this.problems = [];
    this.foreignLines = 0;
    this.linesRead = 0;
    this.bytesRead = 0;
    this.lastBytes = Buffer.alloc(0);
  }
}

/** Number of bytes at the end of a line that identify it: its checksum and its seal. */
const endingBytes = 100;

/** Reads bytes of a file; fewer if it ends before. */
function bytesAt(descriptor: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, length));
  let filled = 0;
  while (filled < bytes.length) {
    const read = fs.readSync(descriptor, bytes, filled, bytes.length - filled, from + filled);
    if (read === 0) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
}

/** `key`: that of this machine. Returns undefined for a damaged line. */
function parseEntry(line: string, key: ReturnType<typeof machineKey>): JournalEntry | 'foreign' | undefined {
  const frame = readFrame(Buffer.from(line));
  try {
    const entry = JournalEntry.safeParse(JSON.parse(line)).data;
    if (!entry || !frame) return entry && 'foreign';
    return isSealed(frame, key) && follows(frame, '') ? entry : 'foreign';
  } catch {
    return undefined;
  }
}

/** The sealed line of an entry, with its newline. */
const sealed = (entry: JournalEntry): string => framedLine(JSON.stringify(entry), '', machineKey()).line;

/** Appends entries to a journal. They are on disk when the call returns. Throws the error of the disk. */
export function appendToJournal(file: string, ...entries: readonly JournalEntry[]): void {
  makeFolder(path.dirname(file));
  const isCut = endsInMiddleOfLine(file);
  const text = entries.map(sealed).join('');
  fs.appendFileSync(file, isCut ? `\n${text}` : text, { mode: 0o600 });
  syncFile(file);
}

/** Entries that are appended within this time share one sync, in ms. */
const lingerMs = 50;

/**
 * The journal of an open run. Entries survive the end of this process at once, and a power failure a moment later:
 * nothing waits for the disk, because syncing the journal would delay the sync of the log.
 */
export class JournalWriter {
  private descriptor: number | undefined;
  /** Size of the file after the last write of this writer. */
  private end = 0;
  private othersWrote = false;
  private soon: NodeJS.Timeout | undefined;
  private syncing: Promise<void> | undefined;
  private failure: Error | undefined;

  constructor(private readonly file: string) {}

  /** Throws the error of the disk, including errors of earlier syncs. */
  append(entry: JournalEntry): void {
    if (this.failure) throw this.failure;
    const descriptor = this.opened();
    const { size } = fs.fstatSync(descriptor);
    // Another process may have written to it and left a partial line.
    if (size !== this.end) this.othersWrote = true;
    const isCut = size !== this.end && size > 0 && lastByte(descriptor, size) !== newline;
    const bytes = Buffer.from(`${isCut ? '\n' : ''}${sealed(entry)}`);
    for (let written = 0; written < bytes.length;) written += fs.writeSync(descriptor, bytes, written);
    this.end = size + bytes.length;
    this.syncSoon();
  }

  /**
   * Returns whether another process has written to the journal since the last call, for example because the user kept
   * or undid changes.
   */
  haveOthersWritten(): boolean {
    if (this.descriptor === undefined) return false;
    const have = this.othersWrote || fs.fstatSync(this.descriptor).size !== this.end;
    this.othersWrote = false;
    return have;
  }

  /** Resolves when all entries survive a power failure. Rejects with the error of the disk. */
  async close(): Promise<void> {
    if (this.soon) this.beginSync();
    await this.syncing;
    if (this.descriptor !== undefined) fs.closeSync(this.descriptor);
    this.descriptor = undefined;
    if (this.failure) throw this.failure;
  }

  private opened(): number {
    if (this.descriptor !== undefined) return this.descriptor;
    makeFolder(path.dirname(this.file));
    return (this.descriptor = fs.openSync(this.file, 'a+', 0o600));
  }

  private syncSoon(): void {
    this.soon ??= setTimeout(() => this.beginSync(), lingerMs).unref();
  }

  /** Starts a sync after the current one. Later entries are left to the next one. */
  private beginSync(): void {
    clearTimeout(this.soon);
    this.soon = undefined;
    this.syncing = (this.syncing ?? Promise.resolve()).then(() => this.sync());
  }

  private async sync(): Promise<void> {
    if (this.descriptor === undefined) return;
    try {
      await dataSynced(this.descriptor);
    } catch (error) {
      // Not every file system supports it.
      if (!['EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) this.failure = error as Error;
    }
  }
}

const dataSynced = promisify(fs.fdatasync);
const newline = 10;

function lastByte(descriptor: number, size: number): number | undefined {
  const last = Buffer.alloc(1);
  fs.readSync(descriptor, last, 0, 1, size - 1);
  return last[0];
}

function endsInMiddleOfLine(file: string): boolean {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return false;
  const descriptor = fs.openSync(file, 'r');
  try {
    return lastByte(descriptor, size) !== newline;
  } finally {
    fs.closeSync(descriptor);
  }
}
