import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { JournalEntry } from '../../core/changes/journalEntry';
import { follows, framed, isSealed, readFrame } from '../storage/frame';
import { machineKey } from '../storage/machineKey';
import { makeFolder, syncFile } from '../storage/durableFile';

/** The journal of checkpoints of the run with the log `log`, stored beside the log. */
export const journalOf = (log: string): string => `${log}.changes.jsonl`;

export interface ReadJournal {
  readonly entries: readonly JournalEntry[];
  /** What could not be read, in words for a person. */
  readonly problems: readonly string[];
}

/**
 * Reads a journal; a missing one is empty. A last line that was cut off during a write is skipped. Only lines that this
 * machine sealed count: a journal decides which files are restored, and anybody could put one beside a log.
 */
export const readJournal = (file: string): ReadJournal => new JournalReader(file).read();

/** Reads a journal that grows: each time only what came since. */
export class JournalReader {
  private entries: JournalEntry[] = [];
  private problems: string[] = [];
  private foreignLines = 0;
  /** Complete lines that were read, and the bytes of them. */
  private linesRead = 0;
  private bytesRead = 0;
  /** The last of them: where they are others now, another file has taken the name. */
  private lastBytes = Buffer.alloc(0);

  constructor(private readonly file: string) {}

  /** What the journal says now. What it said before is the beginning of that, unless the file was replaced. */
  read(): ReadJournal {
    let added: Buffer;
    try {
      added = this.addedBytes();
    } catch (error) {
      this.forget();
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { entries: [], problems: [] };
      return { entries: [], problems: [`${this.file} cannot be read: ${(error as Error).message}.`] };
    }
    const complete = added.lastIndexOf(newline) + 1;
    // Entries that were handed out before do not change.
    if (complete > 0) this.entries = [...this.entries];
    for (const line of added.toString('utf8', 0, complete).split('\n').slice(0, -1)) this.addLine(line);
    this.bytesRead += complete;
    if (complete > 0) this.lastBytes = Buffer.from(added.subarray(Math.max(0, complete - endingBytes), complete));
    // A last line without an end is whole where only its newline is missing; it is read again the next time.
    const last = complete < added.length ? parsed(added.toString('utf8', complete)) : undefined;
    const isLastForeign = last === 'foreign';
    const entries = last !== undefined && last !== 'foreign' ? [...this.entries, last] : this.entries;
    return { entries, problems: this.problemsWith(isLastForeign) };
  }

  private addLine(line: string): void {
    this.linesRead++;
    if (line === '') return;
    const entry = parsed(line);
    if (entry === 'foreign') this.foreignLines++;
    else if (entry) this.entries.push(entry);
    else this.problems.push(`Line ${this.linesRead} of ${this.file} is damaged.`);
  }

  private problemsWith(isLastForeign: boolean): string[] {
    if (this.foreignLines === 0 && !isLastForeign) return [...this.problems];
    const words = 'was not written by Waymark on this machine, so nothing that it says is shown or undone.';
    return [...this.problems, `${this.file} ${words}`];
  }

  /** What came behind the complete lines that were read. */
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

/** So many bytes at the end of a line tell it from every other: its checksum and its seal. */
const endingBytes = 100;

/** Bytes of a file; fewer where it ends before. */
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

/** Undefined for a damaged line. */
function parsed(line: string): JournalEntry | 'foreign' | undefined {
  const frame = readFrame(Buffer.from(line));
  try {
    const entry = JournalEntry.safeParse(JSON.parse(line)).data;
    if (!entry || !frame) return entry && 'foreign';
    return isSealed(frame, machineKey()) && follows(frame, '') ? entry : 'foreign';
  } catch {
    return undefined;
  }
}

/** The line of an entry, with its newline. */
const sealed = (entry: JournalEntry): string => framed(JSON.stringify(entry), '', machineKey()).line;

/** Adds entries to a journal; each is on disk when the call returns. Throws what the disk says. */
export function appendToJournal(file: string, ...entries: readonly JournalEntry[]): void {
  makeFolder(path.dirname(file));
  const isCut = endsInMiddleOfLine(file);
  const text = entries.map(sealed).join('');
  fs.appendFileSync(file, isCut ? `\n${text}` : text, { mode: 0o600 });
  syncFile(file);
}

/** What is added within so many milliseconds shares a sync. */
const lingerMs = 50;

/**
 * The journal of a run that is open. Entries survive the end of this process at once, and a power failure a moment
 * later: nothing waits for the disk, because syncing the journal would delay the sync of the log.
 */
export class JournalWriter {
  private descriptor: number | undefined;
  /** Where the file ended after this writer wrote to it last. */
  private end = 0;
  private othersWrote = false;
  private soon: NodeJS.Timeout | undefined;
  private syncing: Promise<void> | undefined;
  private failure: Error | undefined;

  constructor(private readonly file: string) {}

  /** Throws what the disk says, also of what was added before. */
  append(entry: JournalEntry): void {
    if (this.failure) throw this.failure;
    const descriptor = this.opened();
    const { size } = fs.fstatSync(descriptor);
    // Somebody else may have written to it and been cut off.
    if (size !== this.end) this.othersWrote = true;
    const isCut = size !== this.end && size > 0 && lastByte(descriptor, size) !== newline;
    const bytes = Buffer.from(`${isCut ? '\n' : ''}${sealed(entry)}`);
    for (let written = 0; written < bytes.length;) written += fs.writeSync(descriptor, bytes, written);
    this.end = size + bytes.length;
    this.syncSoon();
  }

  /** Whether somebody else wrote to the journal since this was asked last: what a person kept or undid, for one. */
  haveOthersWritten(): boolean {
    if (this.descriptor === undefined) return false;
    const have = this.othersWrote || fs.fstatSync(this.descriptor).size !== this.end;
    this.othersWrote = false;
    return have;
  }

  /** Resolves when all that was added survives a power failure. Rejects with what the disk says. */
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

  /** One at a time. What comes from now on is for the next one. */
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
      // Not every system can.
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
