import { isUtf8 } from 'node:buffer';

/** The format of a file apart from its text. Kept when the text is written back. */
export interface TextFormat {
  readonly encoding: 'utf8' | 'utf16le' | 'utf16be' | 'windows1252';
  readonly byteOrderMark: boolean;
  readonly endings: LineEndings;
}

/** `text` uses "\n" as line ending and has no byte order mark. */
export interface DecodedText {
  readonly text: string;
  readonly format: TextFormat;
}

const bytesSearchedForNul = 8192;

/**
 * Decodes bytes as text. Returns `binary` if they are not text, and `unknown_encoding` if they could not be written
 * back byte for byte.
 */
export function decodeText(bytes: Buffer): DecodedText | 'binary' | 'unknown_encoding' {
  const known = decodeCharacters(bytes);
  const read = known === 'unknown_encoding' ? inWindows1252(bytes) : known;
  if (typeof read === 'string') return read;
  const { text, endings } = unifyLineEndings(read.text);
  return { text, format: { encoding: read.encoding, byteOrderMark: read.byteOrderMark, endings } };
}

/** Latin-1 with the extensions of Windows, the only single-byte encoding that is guessed. */
function inWindows1252(bytes: Buffer): ReturnType<typeof decodeCharacters> {
  const text = fromWindows1252(bytes);
  return text === undefined ? 'unknown_encoding' : { text, encoding: 'windows1252', byteOrderMark: false };
}

/** Like `decodeText` for UTF-8 and UTF-16, but with the original line endings. */
export function decodeCharacters(
  bytes: Buffer,
): (Omit<TextFormat, 'endings'> & { readonly text: string }) | 'binary' | 'unknown_encoding' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return fromUtf16(bytes.subarray(2), 'utf16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return fromUtf16(bytes.subarray(2), 'utf16be');
  if (bytes.subarray(0, bytesSearchedForNul).includes(0)) return 'binary';
  if (!isUtf8(bytes)) return 'unknown_encoding';
  const byteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return { text: bytes.toString('utf8', byteOrderMark ? 3 : 0), encoding: 'utf8', byteOrderMark };
}

/** Decodes a file that must be UTF-8. Throws an `Error` with a message for people if it is not. */
export function decodeUtf8(bytes: Buffer, file: string): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const lines = bytes.toString('latin1').split('\n');
  const line = lines.findIndex((text) => !isUtf8(Buffer.from(text, 'latin1'))) + 1;
  const where = line > 0 ? `line ${line} of ${file} has bytes that are not UTF-8` : `${file} is not UTF-8`;
  throw new Error(`${where}. Convert the file, for example with "iconv -f LATIN1 -t UTF-8".`);
}

/** Returns the characters that the encoding of the replaced text cannot represent; empty if there are none. */
export function signsWithoutBytes(text: string, before: DecodedText | undefined): string {
  return before?.format.encoding === 'windows1252' ? charactersOutside(text) : '';
}

/**
 * Encodes `text` in the format of the text it replaces. A new file is UTF-8 with the given line endings. Returns
 * undefined if the text contains a lone surrogate, which no encoding can represent.
 */
export async function encodeText(text: string, before: DecodedText | undefined): Promise<Buffer | undefined> {
  if (!isWellFormed(text)) return undefined;
  if (!before) return Buffer.from(text, 'utf8');
  const { encoding, byteOrderMark, endings } = before.format;
  const repeatsMark = byteOrderMark && text.startsWith('\ufeff') && !before.text.startsWith('\ufeff');
  const plain = repeatsMark ? text.slice(1) : text;
  const restored =
    (byteOrderMark ? '\ufeff' : '') + (await restoreLineEndings(unifyLineEndings(plain).text, endings, before.text));
  if (encoding === 'windows1252') return asWindows1252(restored);
  if (encoding === 'utf8') return Buffer.from(restored, 'utf8');
  const bytes = Buffer.from(restored, 'utf16le');
  return encoding === 'utf16be' ? bytes.swap16() : bytes;
}

function fromUtf16(bytes: Buffer, encoding: 'utf16le' | 'utf16be'): ReturnType<typeof decodeCharacters> {
  if (bytes.length % 2) return 'unknown_encoding';
  const text = (encoding === 'utf16be' ? Buffer.from(bytes).swap16() : bytes).toString('utf16le');
  return isWellFormed(text) ? { text, encoding, byteOrderMark: true } : 'unknown_encoding';
}

function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}

/** The characters of the bytes 0x80 to 0x9f. Five bytes are undefined and map to the control characters of Latin-1. */
const signsFrom80 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

/**
 * Maximum run of such bytes. Texts in other alphabets have long runs, texts in Western European languages have single
 * ones.
 */
const maxRunLength = 8;
const maxShare = 0.3;
/** In short texts, such as "Größe" or "été", letters with accents are a larger share. */
const short = { maxRunLength: 2, maxShare: 0.5, firstLetter: 0xc0 };

/**
 * Decodes bytes that look like windows-1252, the Latin-1 of Windows. Returns undefined if they look like something
 * else. Every byte is one character, so unchanged text is written back unchanged.
 */
function fromWindows1252(bytes: Buffer): string | undefined {
  let beyondAscii = 0;
  let longestRun = 0;
  let hasOnlyLetters = true;
  let run = 0;
  for (const byte of bytes) {
    if (isControl(byte)) return undefined;
    run = byte >= 0x80 ? run + 1 : 0;
    if (run > maxRunLength) return undefined;
    longestRun = Math.max(longestRun, run);
    if (byte >= 0x80) beyondAscii++;
    if (byte >= 0x80 && byte < short.firstLetter) hasOnlyLetters = false;
  }
  const share = hasOnlyLetters && longestRun <= short.maxRunLength ? short.maxShare : maxShare;
  if (beyondAscii > bytes.length * share) return undefined;
  return windows1252(bytes);
}

/** Decodes bytes of a text that is known to be windows-1252. */
export const windows1252 = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\x80-\x9f]/g, (sign) => signsFrom80[sign.charCodeAt(0) - 0x80]!);

/**
 * Returns whether a byte does not occur in text: undefined bytes, and control characters except tabs, line breaks and
 * the form feeds of old sources.
 */
function isControl(byte: number): boolean {
  if (byte < 0x20) return byte < 0x09 || byte > 0x0d;
  return byte === 0x7f || (byte >= 0x80 && byte <= 0x9f && signsFrom80.charCodeAt(byte - 0x80) === byte);
}

/** Returns the characters of a text that cannot be encoded, each once. */
function charactersOutside(text: string): string {
  const outside = new Set<string>();
  for (const sign of text) if (byteOf(sign) === undefined) outside.add(sign);
  return [...outside].join('');
}

/** Encodes a text whose characters all have a byte. */
function asWindows1252(text: string): Buffer {
  return Buffer.from(Uint8Array.from(text, (sign) => byteOf(sign) ?? 0x3f));
}

function byteOf(sign: string): number | undefined {
  const code = sign.codePointAt(0)!;
  if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code;
  const at = signsFrom80.indexOf(sign);
  return at === -1 ? undefined : 0x80 + at;
}

/** The line endings of a file: the one that all lines have, or one per line if they differ. */
type LineEndings = '\n' | '\r\n' | readonly string[];

/**
 * Returns the text with "\n" as line ending, and the original line endings. A lone "\r" is not a line ending and stays.
 */
export function unifyLineEndings(raw: string): { text: string; endings: LineEndings } {
  if (!raw.includes('\r\n')) return { text: raw, endings: '\n' };
  const endings = raw.match(/(?<!\r)\r*\n/g) ?? [];
  const text = raw.replace(/(?<!\r)\r+\n/g, '\n');
  return { text, endings: endings.every((ending) => ending === '\r\n') ? '\r\n' : endings };
}

/**
 * Restores line endings. If they differed, each line keeps its own or that of the line it replaces, and additional
 * lines get the most common one.
 */
async function restoreLineEndings(text: string, endings: LineEndings, before: string): Promise<string> {
  if (endings === '\n') return text;
  if (endings === '\r\n') return text.replaceAll('\n', '\r\n');
  const newLines = text.split('\n');
  const endingByLine = await endingsOfKeptLines(before.split('\n'), newLines, endings);
  const usual = commonest(endings);
  return newLines
    .map((line, index) => (index === newLines.length - 1 ? line : line + (endingByLine.get(index) ?? usual)))
    .join('');
}

/** Maps each line of the new text that was kept, or that replaces an old line, to its line ending. */
async function endingsOfKeptLines(
  before: readonly string[],
  after: readonly string[],
  endings: readonly string[],
): Promise<Map<number, string>> {
  const { diffArrays } = await import('diff');
  const kept = new Map<number, string>();
  const keep = (from: number, to: number): void => {
    const ending = endings[from];
    if (ending !== undefined) kept.set(to, ending);
  };
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) keep(start, start++);
  let tail = 0;
  while (tail < shortest - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) {
    tail++;
    keep(before.length - tail, after.length - tail);
  }
  const parts = diffArrays(before.slice(start, before.length - tail), after.slice(start, after.length - tail), {
    timeout: 300,
  });
  let from = start;
  let to = start;
  for (const [index, part] of (parts ?? []).entries()) {
    const { length } = part.value;
    // Lines that are added in place of removed ones take their endings.
    const next = parts?.[index + 1];
    const addedNext = next?.added ? next.value.length : 0;
    const unchanged = part.added ? 0 : length;
    const paired = part.removed ? Math.min(length, addedNext) : unchanged;
    for (let line = 0; line < paired; line++) keep(from + line, to + line);
    if (!part.added) from += length;
    if (!part.removed) to += length;
  }
  return kept;
}

function commonest(endings: readonly string[]): string {
  const windows = endings.filter((ending) => ending === '\r\n').length;
  return windows * 2 >= endings.length ? '\r\n' : '\n';
}
