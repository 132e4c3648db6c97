import fs from 'node:fs';
import { writeDurably } from '../storage/durableFile';

const endOfLine = 100;
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

  /** Cuts off bytes after the acknowledged ones, after checking that these are intact. */
  goOnFrom(size: number, hash: string): void {
    const end = this.read(Math.max(0, size - endOfLine), Math.min(size, endOfLine)).toString('latin1');
    if (size > 0 && !end.includes(`,"frame":"${hash}.`))
      throw new ChangedOutside('its content is not what was written', { lasting: true });
    this.cutTo(size);
  }

  cutTo(size: number): void {
    try {
      if (this.size() > size) fs.ftruncateSync(this.descriptor, size);
    } catch {
      /* it is tried again before the next write */
    }
  }

  /** Resolves when the bytes survive a crash and a power failure. */
  async append(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      at += await new Promise<number>((resolve, reject) =>
        fs.write(this.descriptor, bytes, at, bytes.length - at, null, (error, written) =>
          error ? reject(error) : resolve(written),
        ),
      );
    }
    await new Promise<void>((resolve, reject) =>
      fs.fdatasync(this.descriptor, (error) => (error ? reject(error) : resolve())),
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
    for (let at = 0; at < size; at += pieceBytes) yield this.read(at, Math.min(pieceBytes, size - at));
  }

  private read(from: number, bytes: number): Buffer {
    const buffer = Buffer.alloc(bytes);
    return buffer.subarray(0, fs.readSync(this.descriptor, buffer, 0, bytes, from));
  }
}
