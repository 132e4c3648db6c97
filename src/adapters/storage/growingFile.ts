import fs from 'node:fs/promises';
import path from 'node:path';
import { makeFolders } from './durableFile';

/** A file of JSON lines to which this and other processes append. Reads only new lines; skips invalid ones. */
export class GrowingFile {
  private read = 0;
  private inode = -1;
  /** True if the last line has no line end yet, because its writer died. */
  private torn = false;

  constructor(readonly file: string) {}

  /** Returns the lines since the last call. `replaced`: the file was replaced, so `lines` contains all of it. */
  async newLines(): Promise<{ replaced: boolean; lines: unknown[] }> {
    const open = await fs.open(this.file, 'r').catch(() => undefined);
    if (!open) return { replaced: this.forget(), lines: [] };
    try {
      const { size, ino } = await open.stat();
      const replaced = (ino !== this.inode || size < this.read) && this.forget();
      this.inode = ino;
      if (size === this.read) return { replaced, lines: [] };
      const bytes = Buffer.alloc(size - this.read);
      const { bytesRead } = await open.read(bytes, 0, bytes.length, this.read);
      const end = bytes.subarray(0, bytesRead).lastIndexOf(10) + 1;
      this.torn = end < bytesRead;
      this.read += end;
      return { replaced, lines: bytes.toString('utf8', 0, end).split('\n').flatMap(parseLine) };
    } finally {
      await open.close();
    }
  }

  /** Appends values; the file is readable by this account only. */
  async append(...values: unknown[]): Promise<void> {
    const text = (this.torn ? '\n' : '') + values.map((value) => `${JSON.stringify(value)}\n`).join('');
    const write = (): Promise<void> => fs.appendFile(this.file, text, { mode: 0o600 });
    // Creating the folder first would take as long as writing.
    await write().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      makeFolders(path.dirname(this.file));
      await write();
    });
  }

  /** Replaces the file atomically: concurrent readers see either the old lines or the new ones. */
  async replace(values: readonly unknown[]): Promise<void> {
    const next = `${this.file}.${process.pid}.new`;
    await fs.writeFile(next, values.map((value) => `${JSON.stringify(value)}\n`).join(''), { mode: 0o600 });
    await fs.rename(next, this.file);
  }

  /** Resets the reading position. Returns true if something had been read. */
  private forget(): boolean {
    const had = this.inode !== -1;
    this.read = 0;
    this.inode = -1;
    this.torn = false;
    return had;
  }
}

function parseLine(line: string): unknown[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as unknown];
  } catch {
    return [];
  }
}
