import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { JournalEntry } from '../../core/changes/journalEntry';
import { follows, framed, isSealed, readFrame } from '../storage/frame';
import { machineKey } from '../storage/machineKey';
import { makeFolder, syncFile } from '../storage/durableFile';

/** The journal of checkpoints of the run with the log `log`: it lies beside the log. */
export const journalOf = (log: string): string => `${log}.changes.jsonl`;

export interface ReadJournal {
  readonly entries: readonly JournalEntry[];
  /** What could not be read, in words for a person. */
  readonly problems: readonly string[];
}

/**
 * Reads a journal; an empty one where there is none. A last line that was cut off while it was written is
 * passed over. Only lines that this machine sealed count: what a journal says decides which files are
 * restored, and anybody can put one beside a log.
 */
export function readJournal(file: string): ReadJournal {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { entries: [], problems: [] };
    return { entries: [], problems: [`${file} cannot be read: ${(error as Error).message}.`] };
  }
  const entries: JournalEntry[] = [];
  const problems: string[] = [];
  let foreign = 0;
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    if (line === '') continue;
    const entry = parsed(line);
    if (entry === 'foreign') foreign++;
    else if (entry) entries.push(entry);
    else if (at < lines.length - 1) problems.push(`Line ${at + 1} of ${file} is damaged.`);
  }
  if (foreign > 0)
    problems.push(`${file} was not written by Waymark on this machine, so nothing that it says is shown or undone.`);
  return { entries, problems };
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

/**
 * The journal of a run that goes on. What is added survives the end of this process at once, and a power failure a
 * moment later: the disk is waited for by nobody.
 */
export class JournalWriter {
  private descriptor: number | undefined;
  /** Where the file ended after this writer wrote to it last. */
  private end = 0;
  private syncing: Promise<void> | undefined;
  private hasMoreToSync = false;
  private failure: Error | undefined;

  constructor(private readonly file: string) {}

  /** Throws what the disk says, also of what was added before. */
  append(entry: JournalEntry): void {
    if (this.failure) throw this.failure;
    const descriptor = this.opened();
    const { size } = fs.fstatSync(descriptor);
    // Somebody else may have written to it and been cut off.
    const isCut = size !== this.end && size > 0 && lastByte(descriptor, size) !== newline;
    const bytes = Buffer.from(`${isCut ? '\n' : ''}${sealed(entry)}`);
    for (let written = 0; written < bytes.length;) written += fs.writeSync(descriptor, bytes, written);
    this.end = size + bytes.length;
    this.syncSoon(descriptor);
  }

  /** Resolves when all that was added survives a power failure. */
  async close(): Promise<void> {
    await this.syncing;
    if (this.descriptor !== undefined) fs.closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  private opened(): number {
    if (this.descriptor !== undefined) return this.descriptor;
    makeFolder(path.dirname(this.file));
    return (this.descriptor = fs.openSync(this.file, 'a+', 0o600));
  }

  /** One at a time: what comes meanwhile shares the next one. */
  private syncSoon(descriptor: number): void {
    this.hasMoreToSync = true;
    this.syncing ??= this.syncAll(descriptor).finally(() => {
      this.syncing = undefined;
    });
  }

  private async syncAll(descriptor: number): Promise<void> {
    while (this.hasMoreToSync) {
      this.hasMoreToSync = false;
      try {
        await dataSynced(descriptor);
      } catch (error) {
        // Not every system can.
        if (!['EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) this.failure = error as Error;
        return;
      }
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
