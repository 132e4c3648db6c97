import type { Stats } from 'node:fs';
import type { FileState } from '../../../core/changes/snapshot';
import type { BlobStore } from '../blobStore';
import { isSpecialFile, linkState, readCovered, unkeptState, type CheckpointLimits } from '../coverage';
import { isFreshTime } from './foundEntries';
import type { FileNode } from './indexTree';

/** Maximum size of a small file, in bytes. */
const smallFile = 256 * 1024;

/** Reads the files that a scan finds and copies them to the store, up to the limits of the scan. */
export class FileCopier {
  /** Number of bytes that this scan may still copy. */
  private bytesLeft = 0;
  private skipped = 0;

  /** `relativePath`: returns a path relative to the folder, with "/". */
  constructor(
    private readonly store: BlobStore,
    private readonly limits: CheckpointLimits,
    private readonly relativePath: (absolute: string) => string,
  ) {}

  /** Number of files that the last scan did not copy because there was too much to copy at once. */
  get uncopied(): number {
    return this.skipped;
  }

  /** Call before each scan of the folder, with the number of bytes that it may copy. */
  beginScan(maxBytes: number): void {
    this.bytesLeft = maxBytes;
    this.skipped = 0;
  }

  /** Call before some paths are scanned on their own: a large scan before does not keep them from being copied. */
  beginPaths(): void {
    this.bytesLeft = Math.max(this.bytesLeft, this.limits.maxBytes);
  }

  /** Reads and copies the content of a file. Returns undefined if the file disappeared in the meantime. */
  read(absolute: string, stat: Stats): FileNode | undefined {
    const { size, mtimeMs, ctimeMs, ino } = stat;
    const mode = stat.mode & 0o7777;
    const common = { mode, size, mtimeMs, ctimeMs, ino };
    try {
      if (stat.isSymbolicLink()) {
        const state = linkState(absolute, stat);
        return { ...common, kind: state?.kind === 'link' ? 'link' : 'file', state, isFresh: isFreshTime(stat) };
      }
      const mayCopy = !isSpecialFile(stat) && this.hasRoomFor(size);
      const bytes = mayCopy ? readCovered(absolute, this.relativePath(absolute), stat, this.limits) : undefined;
      if (!bytes) return { ...common, kind: 'file', state: unkeptState(stat), isFresh: false };
      this.bytesLeft -= bytes.length;
      const hash = this.store.put(bytes);
      const state: FileState = { kind: 'file', mode, size: bytes.length, hash };
      // Files that are being written are scanned again.
      const isFresh = isFreshTime(stat) || bytes.length !== size;
      return { ...common, kind: 'file', state, isFresh };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      throw error;
    }
  }

  /** Returns whether this scan may still copy a file. Small files get a larger limit, since people write them. */
  private hasRoomFor(size: number): boolean {
    const room = size <= smallFile ? this.bytesLeft + this.limits.maxBytes / 4 : this.bytesLeft;
    if (size > this.limits.maxFileBytes || room > 0) return true;
    this.skipped++;
    return false;
  }
}
