import { withCommas } from '../../../core/text/withCommas';
import fs from 'node:fs';
import { secrets } from '../../../core/secrets/secrets';
import { cleanText } from './cleanText';

export const outputCap = 16 * 1024;

/** The beginning and the end of a long text, both whole lines if possible. Sizes in bytes of UTF-8. */
interface Ends {
  readonly head: string;
  readonly tail: string;
}

/** Returns at most `bytes` from the start of `text`, cut at a line end if there is one in the second half. */
export function startOfText(text: string, bytes: number): string {
  const buffer = Buffer.from(text.length > bytes ? text.slice(0, bytes) : text);
  if (buffer.length <= bytes && buffer.length === Buffer.byteLength(text)) return text;
  let end = Math.min(bytes, buffer.length);
  while (end > 0 && ((buffer[end] ?? 0) & 0xc0) === 0x80) end--;
  const line = buffer.lastIndexOf(10, end - 1) + 1;
  return withoutHalfCharacter(buffer.toString('utf8', 0, line > bytes / 2 ? line : end));
}

/** Returns at most `bytes` from the end of `text`, cut at a line start if there is one in the first half. */
export function tailOf(text: string, bytes: number): string {
  const buffer = Buffer.from(text.length > bytes ? text.slice(-bytes) : text);
  if (buffer.length <= bytes && buffer.length === Buffer.byteLength(text)) return text;
  let start = Math.max(0, buffer.length - bytes);
  while (start < buffer.length && ((buffer[start] ?? 0) & 0xc0) === 0x80) start++;
  const line = buffer.indexOf(10, start) + 1;
  return withoutHalfCharacter(buffer.toString('utf8', line > 0 && line - start < bytes / 2 ? line : start));
}

/** Half of a surrogate pair, left by cutting, becomes a replacement character in UTF-8; it is dropped instead. */
const withoutHalfCharacter = (text: string): string => text.replace(/^\ufffd|\ufffd$/g, '');

/** Joins head and tail with a line that says how much is missing. */
export function joinEnds({ head, tail }: Ends, totalBytes: number): string {
  const missing = Math.max(0, totalBytes - Buffer.byteLength(head) - Buffer.byteLength(tail));
  const beginning = head.endsWith('\n') || head === '' ? head : `${head}\n`;
  return `${beginning}[… ${withCommas(missing)} bytes omitted …]\n${tail}`;
}

/** Removes the middle of a text that is longer than `outputCap`. */
export function withinOutputCap(text: string): string {
  const ends = { head: startOfText(text, outputCap / 2), tail: tailOf(text, outputCap / 2) };
  return joinEnds(ends, Buffer.byteLength(text));
}

/**
 * Outputs up to this size are read and cleaned as a whole, because a progress bar may shrink to a line; of longer ones
 * only the ends.
 */
const fullReadBytes = 256 * 1024;
const endReadBytes = 64 * 1024;
const liveMost = 32 * 1024;

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_RDWR, O_WRONLY } = fs.constants;

/**
 * Opens an output. Programs of the terminal can replace it: for a link or anything but a regular file, this throws
 * rather than read or write what the program itself could not.
 */
export function openOutput(file: string, how: 'read' | 'shorten' | 'append' | 'new'): number {
  const flags = {
    read: O_RDONLY,
    shorten: O_RDWR,
    append: O_WRONLY | O_APPEND | O_CREAT,
    new: O_WRONLY | O_CREAT | O_EXCL,
  }[how];
  const descriptor = fs.openSync(file, flags | O_NOFOLLOW | O_NONBLOCK, 0o600);
  if (fs.fstatSync(descriptor).isFile()) return descriptor;
  fs.closeSync(descriptor);
  throw new Error(`${file} is no longer a file.`);
}

/**
 * Output of a command for the model. `bytes`: its length before it was cut; `cut`: true if `text` leaves some of it
 * out.
 */
export interface CapturedOutput {
  readonly text: string;
  readonly bytes: number;
  readonly cut: boolean;
}

/**
 * The file to which a command prints: however large it is, only its ends and the live view pass through this process.
 */
export class OutputFile {
  #watched = 0;
  #taken = 0;

  constructor(readonly path: string) {}

  /** Returns the number of bytes printed so far. */
  size(): number {
    return fileSize(this.path) ?? 0;
  }

  /** Returns what was printed since the last call; only the newest part if that is a lot. */
  takeNew(size = this.size()): Buffer {
    const from = Math.max(this.#watched, size - liveMost);
    this.#watched = size;
    return size > from ? this.#read(from, size - from) : Buffer.alloc(0);
  }

  /** Returns the output since the last `take`, cleaned and cut to the cap. */
  take(): CapturedOutput {
    const size = this.size();
    const from = Math.min(this.#taken, size);
    this.#taken = size;
    const bytes = size - from;
    if (bytes === 0) return { text: '', bytes, cut: false };
    if (bytes <= fullReadBytes) {
      const text = cleanAndMask(this.#read(from, bytes));
      if (text.length <= outputCap && Buffer.byteLength(text) <= outputCap) return { text, bytes, cut: false };
      return {
        text: withinOutputCap(text),
        bytes,
        cut: true,
      };
    }
    const head = startOfText(cleanAndMask(this.#read(from, endReadBytes), { end: true }), outputCap / 2);
    const tail = tailOf(cleanAndMask(this.#read(size - endReadBytes, endReadBytes), { start: true }), outputCap / 2);
    return { text: joinEnds({ head, tail }, bytes), bytes, cut: true };
  }

  discard(): void {
    fs.rmSync(this.path, { force: true });
  }

  #read(from: number, bytes: number): Buffer {
    let file: number;
    try {
      file = openOutput(this.path, 'read');
    } catch {
      return Buffer.alloc(0);
    }
    try {
      const buffer = Buffer.allocUnsafe(bytes);
      return buffer.subarray(0, fs.readSync(file, buffer, 0, bytes, from));
    } finally {
      fs.closeSync(file);
    }
  }
}

/** Cuts a file to its first `bytes` bytes. A shorter or missing file stays as it is. */
export function shortenFile(file: string, bytes: number): void {
  if ((fileSize(file) ?? 0) <= bytes) return;
  const descriptor = openOutput(file, 'shorten');
  try {
    fs.ftruncateSync(descriptor, bytes);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Returns undefined if it is not a regular file. */
function fileSize(file: string): number | undefined {
  const found = fs.lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : undefined;
}

/** Writes as much as fits: the error of a full disk is reported at the end of the command. */
export function writeSome(file: number, bytes: Buffer): void {
  try {
    fs.writeSync(file, bytes);
  } catch (error) {
    if (!isNoSpace(error)) throw error;
  }
}

const isNoSpace = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');

/** The maximum that `read_file` would read. */
const maxCleanedBytes = 10 * 1024 * 1024;

/** Cleans and masks before cutting, since half of a secret is not recognized. */
const cleanAndMask = (bytes: Buffer, cut: { readonly start?: boolean; readonly end?: boolean } = {}): string =>
  secrets.maskCutEnds(cleanText(bytes.toString('utf8')), cut);

/**
 * Rewrites a kept output as the clean text that the model may read. Returns false if it is too large or the disk is
 * full: then it stays as printed.
 */
export function cleanFile(file: string): boolean {
  const size = fileSize(file) ?? Infinity;
  if (size > maxCleanedBytes) return false;
  const cleaned = `${file}.clean`;
  fs.rmSync(cleaned, { force: true });
  const [source, target] = [openOutput(file, 'read'), openOutput(cleaned, 'new')];
  const stream = secrets.stream();
  let changed = false;
  try {
    for (let from = 0; from < size;) {
      const printed = linesAt(source, from, size);
      if (printed.length === 0) break;
      const text = printed.toString('utf8');
      const clean = cleanText(text);
      const masked = stream.push(clean);
      changed ||= clean !== text || masked !== clean;
      fs.writeSync(target, masked);
      from += printed.length;
    }
    fs.writeSync(target, stream.end());
  } catch (error) {
    fs.rmSync(cleaned, { force: true });
    if (isNoSpace(error)) return false;
    throw error;
  } finally {
    fs.closeSync(source);
    fs.closeSync(target);
  }
  if (changed) fs.renameSync(cleaned, file);
  else fs.rmSync(cleaned);
  return true;
}

/**
 * Returns whole lines starting at `from`: cleaned piece by piece, a long output takes no more memory than a short one.
 */
function linesAt(file: number, from: number, size: number): Buffer {
  for (let most = fullReadBytes; ; most *= 2) {
    const buffer = Buffer.allocUnsafe(Math.min(most, size - from));
    const bytes = buffer.subarray(0, fs.readSync(file, buffer, 0, buffer.length, from));
    if (bytes.length < most) return bytes;
    const end = bytes.lastIndexOf(10) + 1;
    if (end > 0) return bytes.subarray(0, end);
  }
}
