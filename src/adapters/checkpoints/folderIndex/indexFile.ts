import fs from 'node:fs';
import { Slices } from '../../../core/text/slices';
import { deleteAbandonedDrafts, writeDurably } from '../../storage/durableFile';

/**
 * An entry of a folder at the last scan: path, kind, mode, size, times, inode, and the hash of a file or the target of
 * a link. A line with only the path means that the entry was removed.
 */
export type IndexLine = readonly [
  path: string,
  kind?: 'file' | 'link' | 'folder',
  mode?: number,
  size?: number,
  mtimeMs?: number,
  ctimeMs?: number,
  ino?: number,
  content?: string,
];

/** Number of characters to write at once. */
const partLength = 1 << 20;

/**
 * The file that keeps the index of a folder between sessions. If two lines have the same path, the later one counts.
 */
export class IndexFile {
  /** Number of lines in the file; infinite if it must be rewritten. */
  lines = 0;
  /** Why the file could not be read although it exists. */
  unread: Error | undefined;

  constructor(readonly path: string) {}

  /** Yields the stored entries, parents first. Stops at an unreadable line: everything after it is scanned again. */
  async *read(): AsyncGenerator<IndexLine> {
    let text: string;
    try {
      text = fs.readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.unread = error as Error;
      return;
    }
    const slices = new Slices();
    for (const line of text.split('\n')) {
      if (line === '') continue;
      if (slices.isOver) await slices.rest();
      try {
        const parsed = JSON.parse(line) as IndexLine;
        if (!Array.isArray(parsed) || typeof parsed[0] !== 'string') throw new Error('It is not a line of an index.');
        this.lines++;
        yield parsed;
      } catch {
        // Forces the file to be rewritten after the next scan.
        this.lines = Infinity;
        return;
      }
    }
  }

  append(lines: readonly IndexLine[]): void {
    this.lines += lines.length;
    fs.appendFileSync(this.path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
  }

  /** Replaces the whole file. Requires the lock of the folder. */
  async write(lines: Iterable<IndexLine>): Promise<void> {
    const parts: string[] = [];
    let part = '';
    let count = 0;
    const slices = new Slices();
    for (const line of lines) {
      part += `${JSON.stringify(line)}\n`;
      count++;
      if (slices.isOver) await slices.rest();
      if (part.length < partLength) continue;
      parts.push(part);
      part = '';
    }
    deleteAbandonedDrafts(this.path);
    writeDurably(this.path, [...parts, part]);
    this.lines = count;
  }
}
