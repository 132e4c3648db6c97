import fs from 'node:fs';
import path from 'node:path';
import { JournalEntry } from '../../core/changes/journalEntry';
import { makeFolder, syncFile } from '../storage/durableFile';

/** The journal of checkpoints of the run with the log `log`: it lies beside the log. */
export const journalOf = (log: string): string => `${log}.changes.jsonl`;

export interface ReadJournal {
  readonly entries: readonly JournalEntry[];
  /** What could not be read, in words for a person. */
  readonly problems: readonly string[];
}

/** Reads a journal; an empty one where there is none. A last line that was cut off while it was written is passed over. */
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
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    if (line === '') continue;
    const entry = parsed(line);
    if (entry) entries.push(entry);
    else if (at < lines.length - 1) problems.push(`Line ${at + 1} of ${file} is damaged.`);
  }
  return { entries, problems };
}

function parsed(line: string): JournalEntry | undefined {
  try {
    return JournalEntry.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Adds entries to a journal; each is on disk when the call returns. Throws what the disk says. */
export function appendToJournal(file: string, ...entries: readonly JournalEntry[]): void {
  makeFolder(path.dirname(file));
  const isCut = endsInMiddleOfLine(file);
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  fs.appendFileSync(file, isCut ? `\n${text}` : text, { mode: 0o600 });
  syncFile(file);
}

function endsInMiddleOfLine(file: string): boolean {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return false;
  const descriptor = fs.openSync(file, 'r');
  try {
    const last = Buffer.alloc(1);
    fs.readSync(descriptor, last, 0, 1, size - 1);
    return last[0] !== 10;
  } finally {
    fs.closeSync(descriptor);
  }
}
