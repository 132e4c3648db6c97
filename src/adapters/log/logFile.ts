import fs from 'node:fs';
import { writeDurably } from '../storage/durableFile';

/** Number of bytes at the end of the log that contain the hash of its last line. */
const hashTailBytes = 100;
/** Number of bytes that are copied at once. */
const pieceBytes = 1024 * 1024;

/** Thrown if another program changed the file. */
export class ChangedOutside extends Error {
  /** `lasting`: acknowledged lines are gone, so this process cannot go on. Otherwise the next attempt repairs the file. */
  readonly lasting: boolean;

  constructor(message: string, { lasting }: { readonly lasting: boolean }) {
    super(message);
    this.lasting = lasting;
  }
}

/** An open append-only file. */
export class LogFile {
  private readonly descriptor: number;

  constructor(file: string) {
    this.descriptor = fs.openSync(file, 'a+', 0o600);
  }

  size(): number {
    return fs.fstatSync(this.descriptor).size;
  }

  /** Returns whether the file was deleted. */
  isGone(): boolean {
    return fs.fstatSync(this.descriptor).nlink === 0;
  }

  /**
   * Cuts off the bytes after the acknowledged ones. Throws `ChangedOutside` if these no longer end with `hash`, the hash
   * of the last line.
   */
  goOnFrom(size: number, hash: string): void {
    const end = this.read(Math.max(0, size - hashTailBytes), Math.min(size, hashTailBytes)).toString('latin1');
    if (size > 0 && !end.includes(`,"frame":"${hash}.`))
      throw new ChangedOutside('its content is not what was written', { lasting: true });
    this.cutTo(size);
  }

  /** Truncates the file. Never throws: the next write tries it again. */
  cutTo(size: number): void {
    try {
      if (this.size() > size) fs.ftruncateSync(this.descriptor, size);
    } catch {
      // The size is checked before the next write.
    }
  }

  /** Resolves when the bytes survive a crash and a power failure. */
  async append(bytes: Buffer): Promise<void> {
    for (let written = 0; written < bytes.length;) written += await this.writePart(bytes.subarray(written));
    await new Promise<void>((resolve, reject) =>
      fs.fdatasync(this.descriptor, (error) => (error ? reject(error) : resolve())),
    );
  }

  /** Resolves to the number of bytes that were written. */
  private writePart(bytes: Buffer): Promise<number> {
    return new Promise((resolve, reject) =>
      fs.write(this.descriptor, bytes, 0, bytes.length, null, (error, written) =>
        error ? reject(error) : resolve(written),
      ),
    );
  }

  /** Copies the first `size` bytes to another file. */
  copyTo(file: string, size: number): void {
    writeDurably(file, this.pieces(size));
  }

  close(): void {
    fs.closeSync(this.descriptor);
  }

  private *pieces(size: number): Iterable<Buffer> {
    for (let from = 0; from < size; from += pieceBytes) yield this.read(from, Math.min(pieceBytes, size - from));
  }

  private read(from: number, bytes: number): Buffer {
    const buffer = Buffer.alloc(bytes);
    return buffer.subarray(0, fs.readSync(this.descriptor, buffer, 0, bytes, from));
  }
}
