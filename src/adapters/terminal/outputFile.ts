import fs from 'node:fs';
import { secrets } from '../../core/security/secrets';
import { cleanText } from './cleanText';
import { headOf, joinEnds, outputCap, tailOf } from './cutText';

/** Up to here a whole output is read and cleaned, because a progress bar may shrink to a line; beyond, only its ends are. */
const readWhole = 256 * 1024;
const readEnd = 64 * 1024;
const liveMost = 32 * 1024;

export interface CapturedOutput { readonly text: string; readonly bytes: number; readonly cut: boolean }

/** The file that a command prints into: however much it is, only its ends and what is watched live pass through this process. */
export class OutputFile {
  #watched = 0;
  #told = 0;

  constructor(readonly path: string) {}

  /** Bytes printed so far. */
  size(): number {
    return fs.statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** What was printed since the last call; the newest part when that is much. */
  news(size = this.size()): Buffer {
    const from = Math.max(this.#watched, size - liveMost);
    this.#watched = size;
    return size > from ? this.#read(from, size - from) : Buffer.alloc(0);
  }

  /** The output since the last `take`, clean and cut to the cap. */
  take(): CapturedOutput {
    const size = this.size();
    const from = Math.min(this.#told, size);
    this.#told = size;
    const bytes = size - from;
    if (bytes === 0) return { text: '', bytes, cut: false };
    if (bytes <= readWhole) {
      const text = readable(this.#read(from, bytes));
      if (text.length <= outputCap && Buffer.byteLength(text) <= outputCap) return { text, bytes, cut: false };
      return { text: joinEnds({ head: headOf(text, outputCap / 2), tail: tailOf(text, outputCap / 2) }, Buffer.byteLength(text), this.path), bytes, cut: true };
    }
    const head = headOf(readable(this.#read(from, readEnd)), outputCap / 2);
    const tail = tailOf(readable(this.#read(size - readEnd, readEnd)), outputCap / 2);
    return { text: joinEnds({ head, tail }, bytes, this.path), bytes, cut: true };
  }

  discard(): void {
    fs.rmSync(this.path, { force: true });
  }

  #read(from: number, bytes: number): Buffer {
    let file: number;
    try { file = fs.openSync(this.path, 'r'); } catch { return Buffer.alloc(0); }
    try {
      const buffer = Buffer.allocUnsafe(bytes);
      return buffer.subarray(0, fs.readSync(file, buffer, 0, bytes, from));
    } finally { fs.closeSync(file); }
  }
}

export function shortenFile(file: string, bytes: number): void {
  if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > bytes) fs.truncateSync(file, bytes);
}

/** The most that `read_file` would read. */
const mostCleaned = 10 * 1024 * 1024;

/** Clean, and without secrets: before it is cut, since half of a secret is not known any more. */
const readable = (bytes: Buffer): string => secrets.mask(cleanText(bytes.toString('utf8')));

/** Rewrites a kept output as the clean text that the model may read. False for what is larger, which is left as it was printed. */
export function cleanFile(file: string): boolean {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? Infinity;
  if (size > mostCleaned) return false;
  const cleaned = `${file}.clean`;
  const [source, target] = [fs.openSync(file, 'r'), fs.openSync(cleaned, 'w', 0o600)];
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
  } finally {
    fs.closeSync(source);
    fs.closeSync(target);
  }
  if (changed) fs.renameSync(cleaned, file);
  else fs.rmSync(cleaned);
  return true;
}

/** Whole lines from `from` on: cleaned piece by piece, a long output costs no more memory than a short one. */
function linesAt(file: number, from: number, size: number): Buffer {
  for (let most = readWhole; ; most *= 2) {
    const buffer = Buffer.allocUnsafe(Math.min(most, size - from));
    const bytes = buffer.subarray(0, fs.readSync(file, buffer, 0, buffer.length, from));
    if (bytes.length < most) return bytes;
    const end = bytes.lastIndexOf(10) + 1;
    if (end > 0) return bytes.subarray(0, end);
  }
}
