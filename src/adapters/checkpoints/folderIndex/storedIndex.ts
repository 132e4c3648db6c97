import fs from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../storage/durableFile';
import { acquireLock, type Lock } from '../../storage/fileLock';
import type { IndexFile, IndexLine } from './indexFile';
import type { IndexTree } from './indexTree';

/** Keeps the file of an index up to date with its tree. Of several processes, only the one with the lock writes it. */
export class StoredIndex {
  /** When the file was last written before it was loaded, in ms since 1970. */
  private storedMs = -Infinity;
  private hadEntries = false;
  private lock: Lock | undefined;
  private readonly pending: IndexLine[] = [];

  constructor(
    private readonly file: IndexFile,
    private readonly tree: IndexTree,
  ) {}

  /** True if the file had entries of an earlier session. */
  get wasKnown(): boolean {
    return this.hadEntries;
  }

  /** Returns whether an earlier session stored the index, and nobody has stored it again since a moment, in ms since 1970. */
  isFromBefore(moment: number): boolean {
    return this.hadEntries && this.storedMs <= moment;
  }

  /** Loads the entries of earlier sessions into the tree. `hasCopy`: returns whether the copy with a hash still exists. */
  async load(hasCopy: (hash: string) => boolean): Promise<void> {
    makeFolder(path.dirname(this.file.path));
    this.lock = acquireLock(`${this.file.path}.lock`);
    // Rounded down, as the moments to compare it with: file systems have fractions of a millisecond.
    this.storedMs = Math.floor(fs.statSync(this.file.path, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity);
    for await (const line of this.file.read()) this.tree.restore(line, hasCopy);
    this.hadEntries = this.tree.size > 0;
  }

  /** Adds a line for the next save. */
  add(line: IndexLine): void {
    this.pending.push(line);
  }

  /** `isWhole`: after a scan whose entries were not added, so that the whole file is written. */
  async save({ isWhole }: { readonly isWhole: boolean }): Promise<void> {
    const lines = this.pending.splice(0);
    if (!this.lock) return;
    const isOvergrown = this.file.lines > 3 * this.tree.size + 1000;
    if ((isWhole && !this.hadEntries) || isOvergrown) await this.file.write(this.tree.lines());
    else if (lines.length > 0) this.file.append(lines);
  }

  /** Drops what was not saved. */
  discard(): void {
    this.pending.length = 0;
    this.release();
  }

  /** Lets another process use the file. */
  release(): void {
    this.lock?.release();
    this.lock = undefined;
  }
}
