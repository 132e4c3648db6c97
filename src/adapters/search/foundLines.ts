import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import { secrets } from '../../core/secrets/secrets';
import { maxFileBytes } from '../files/diskRead';
import { holdingHere } from '../files/heldFolder';
import { charactersIn, decodeText, windows1252 } from '../files/textEncoding';

/** The longest line that ripgrep prints as a whole, in bytes. */
export const maxLineLength = 300;
/** Larger files are not searched. */
export const maxFileSize = 20 * 1024 * 1024;

/** A line that ripgrep printed. */
export interface FoundLine {
  /** Where the line begins in its file, in bytes as UTF-8. */
  readonly offset: number;
  /** Where the match begins in the line, in bytes from 1. */
  readonly column: number;
  /** The whole line, or the beginning of a long one. */
  readonly beginning: Buffer;
  readonly isCut: boolean;
}

const isHeld = holdingHere === 'descriptor';
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

/** A file that was read as a whole. */
interface WholeFile {
  readonly path: Buffer;
  readonly bytes: Buffer;
  /** Undefined if it is not text. */
  readonly text: string | undefined;
  readonly isLatin1: boolean;
}

/** Reads the lines that one search found again: to verify where they are, in their encoding, and around the match. */
export class FoundLines {
  /** ripgrep prints the lines of a file together, so it is read once for all of them. */
  #last: WholeFile | undefined;

  /**
   * Returns the text of a line; of a long one the part around its match. Returns undefined if the line is not in the file
   * at `path`: then a link led ripgrep to another file. `latin1Only`: also if that file is not read as windows-1252.
   */
  textOf(path: Buffer, line: FoundLine, { latin1Only }: { readonly latin1Only: boolean }): string | undefined {
    const file = openWithoutLinks(path);
    try {
      if (file === undefined && (isHeld || latin1Only)) return undefined;
      const isLatin1 = (): boolean => file !== undefined && this.#whole(path, file).isLatin1;
      if (latin1Only && !isLatin1()) return undefined;
      if (isHeld && !isAt(file!, line) && !isIn(this.#whole(path, file!), line)) return undefined;
      const decode = isUtf8(line.beginning) || !isLatin1() ? inUtf8 : windows1252;
      return line.isCut ? excerptOf(file, line, decode) : decode(line.beginning);
    } finally {
      if (file !== undefined) fs.closeSync(file);
    }
  }

  #whole(path: Buffer, file: number): WholeFile {
    if (!this.#last?.path.equals(path)) this.#last = readWhole(path, file);
    return this.#last!;
  }
}

function readWhole(path: Buffer, file: number): WholeFile {
  const { size } = fs.fstatSync(file);
  const bytes = readFrom(file, 0, Math.min(size, maxFileSize));
  const decoded = size <= maxFileBytes ? decodeText(bytes) : 'binary';
  const isLatin1 = typeof decoded !== 'string' && decoded.format.encoding === 'windows1252';
  // Unlike `decodeText`, this keeps the line endings, as ripgrep does.
  const read = charactersIn(bytes);
  const inUnicode = typeof read === 'string' ? undefined : read.text;
  return { path, bytes, text: isLatin1 ? windows1252(bytes) : inUnicode, isLatin1 };
}

const inUtf8 = (bytes: Buffer): string => bytes.toString('utf8');

/**
 * Opens a file that ripgrep found. Returns undefined if a link leads elsewhere by now: a command may swap the file, or a
 * folder above it, while ripgrep opens it.
 */
function openWithoutLinks(path: Buffer): number | undefined {
  let file: number | undefined;
  try {
    file = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!isHeld || fs.readlinkSync(`/proc/self/fd/${file}`, 'buffer').equals(path)) return file;
  } catch {
    // It is gone, or a link.
  }
  if (file !== undefined) fs.closeSync(file);
  return undefined;
}

function readFrom(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, fs.readSync(file, bytes, 0, length, from));
}

/** Returns whether a line is where ripgrep found it. */
const isAt = (file: number, { offset, beginning }: FoundLine): boolean =>
  readFrom(file, offset, beginning.length).equals(beginning);

/**
 * Returns whether a file contains a line that ripgrep found. If not, ripgrep read another file at its path. ripgrep
 * counts in UTF-8 without a byte order mark, and the file may have another encoding.
 */
const isIn = ({ bytes, text }: WholeFile, { beginning }: FoundLine): boolean =>
  bytes.includes(beginning) || text?.includes(inUtf8(beginning)) === true;

type Decode = (bytes: Buffer) => string;

/** Returns the part of a long line around its first match. */
function excerptOf(file: number | undefined, line: FoundLine, decode: Decode): string {
  const part = line.column < maxLineLength / 2 || file === undefined ? undefined : partAround(file, line, decode);
  if (part !== undefined) return `[…] ${part}`;
  return `${secrets.maskCutEnds(withoutLastWord(decode(line.beginning)), { end: true }).trimEnd()} […]`;
}

/** Bytes before and after the beginning of a match. */
const around = [100, 200] as const;
/** Words that are cut off are left out: they may be parts of secrets, which would not be recognized. */
const betweenWords = /[\s"',;:=(){}[\]]/;

/** Removes the word at the beginning, which may be cut off. */
function withoutFirstWord(text: string): string {
  const end = text.search(betweenWords);
  return end === -1 ? '' : text.slice(end);
}

/** Removes the word at the end, which may be cut off, except for a first character. */
function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 1 && !betweenWords.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Returns undefined if the line is not there. */
function partAround(file: number, { offset, column, beginning }: FoundLine, decode: Decode): string | undefined {
  try {
    const start = beginning.subarray(0, 20);
    // ripgrep counts in UTF-8, and the file may have another encoding.
    if (!readFrom(file, offset, start.length).equals(start)) return undefined;
    const at = offset + column - 1;
    const before = withoutFirstWord(decode(readFrom(file, at - around[0], around[0]))).trimStart();
    const [after, ...next] = decode(readFrom(file, at, around[1])).split('\n');
    if (next.length > 0) return secrets.maskCutEnds(`${before}${after}`, { start: true });
    return `${secrets.maskCutEnds(`${before}${withoutLastWord(after!)}`, { start: true, end: true }).trimEnd()} […]`;
  } catch {
    return undefined;
  }
}
