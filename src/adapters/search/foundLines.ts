import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import { secrets } from '../../core/secrets/secrets';
import { maxFileBytes } from '../files/diskRead';
import { holdingHere } from '../files/heldFolder';
import { decodeCharacters, decodeText, windows1252 } from '../files/textEncoding';

/** The longest line that ripgrep prints as a whole, in bytes. */
export const maxFoundLineBytes = 300;
/** Larger files are not searched. */
export const maxFileSize = 20 * 1024 * 1024;

/** A line that ripgrep printed. */
interface FoundLine {
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
      const isLatin1 = (): boolean => file !== undefined && this.#wholeFile(path, file).isLatin1;
      if (latin1Only && !isLatin1()) return undefined;
      if (isHeld && !isAt(file!, line) && !isIn(this.#wholeFile(path, file!), line)) return undefined;
      const decode = isUtf8(line.beginning) || !isLatin1() ? inUtf8 : windows1252;
      return line.isCut ? excerptOf(file, line, decode) : decode(line.beginning);
    } finally {
      if (file !== undefined) fs.closeSync(file);
    }
  }

  #wholeFile(path: Buffer, file: number): WholeFile {
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
  const read = decodeCharacters(bytes);
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
  const part = file === undefined ? undefined : partAround(file, line, decode);
  if (part !== undefined) return part;
  return `${secrets.maskCutEnds(withoutLastWord(decode(line.beginning)), { end: true }).trimEnd()} […]`;
}

/** What is read before and after the beginning of a match, in bytes: a secret is recognized only as a whole. */
const bytesAround = 4096;
/** What of it is shown, in characters. */
const shownBefore = 100;
const shownAfter = 200;
const betweenWords = /[\s"',;:=(){}[\]]/;

/** Removes the word at the beginning, which may be cut off. */
function withoutFirstWord(text: string): string {
  const end = text.search(betweenWords);
  return end === -1 ? '' : text.slice(end);
}

/** Removes the word at the end, which may be cut off. */
function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && !betweenWords.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Returns undefined if the line is not there. */
function partAround(file: number, { offset, column, beginning }: FoundLine, decode: Decode): string | undefined {
  try {
    const start = beginning.subarray(0, 20);
    // ripgrep counts in UTF-8, and the file may have another encoding.
    if (!readFrom(file, offset, start.length).equals(start)) return undefined;
    const toMatch = column - 1;
    const match = offset + toMatch;
    const before = decode(readFrom(file, Math.max(offset, match - bytesAround), Math.min(toMatch, bytesAround)));
    const bytesAfter = readFrom(file, match, bytesAround);
    const [after, ...nextLines] = decode(bytesAfter).split('\n');
    return shownPart(before, after!, {
      start: toMatch > bytesAround,
      end: nextLines.length === 0 && bytesAfter.length === bytesAround,
    });
  } catch {
    return undefined;
  }
}

/**
 * Returns what is shown of the text before and after the beginning of a match. `cut`: where reading ended within the
 * line. A word that is cut off there is left out: it may be part of a secret, which would not be recognized.
 */
function shownPart(before: string, after: string, cut: { readonly start: boolean; readonly end: boolean }): string {
  const keptBefore = cut.start ? withoutFirstWord(before) : before;
  const keptAfter = cut.end ? withoutLastWord(after) : after;
  if (keptAfter === '') return '[…] (within a word of more than 4,000 characters) […]';
  const masked = secrets.maskCutEnds(keptBefore + keptAfter, cut);
  const match = sameStart(masked, secrets.maskCutEnds(keptBefore, { start: cut.start }));
  const start = lastOf(masked.slice(0, match), shownBefore);
  const end = firstOf(masked.slice(match), shownAfter);
  const startsLater = cut.start || start.length < match;
  const endsEarlier = cut.end || match + end.length < masked.length;
  return `${startsLater ? '[…] ' : ''}${start}${end}${endsEarlier ? ' […]' : ''}`;
}

/** Returns how many characters two texts have in common at their beginning. */
function sameStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** Returns the last characters of a text, from the beginning of a word if there is one. */
function lastOf(text: string, count: number): string {
  if (text.length <= count) return text;
  const last = [...text.slice(-2 * count)].slice(-count).join('');
  return (withoutFirstWord(last) || last).trimStart();
}

/** Returns the first characters of a text, up to the end of a word if there is one. */
function firstOf(text: string, count: number): string {
  if (text.length <= count) return text;
  const first = [...text.slice(0, 2 * count)].slice(0, count).join('');
  return (withoutLastWord(first) || first).trimEnd();
}
