import { withCommas } from '../../../core/text/numbers';

export const outputCap = 16 * 1024;

/** The beginning and the end of a long text, both whole lines if possible. Sizes in bytes of UTF-8. */
export interface Ends {
  readonly head: string;
  readonly tail: string;
}

/** Returns at most `bytes` from the start of `text`, cut at a line end if there is one in the second half. */
export function headOf(text: string, bytes: number): string {
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

/** Joins head and tail with a line that says how much is missing and where the complete output is. */
export function joinEnds({ head, tail }: Ends, totalBytes: number, file: string | undefined): string {
  const missing = Math.max(0, totalBytes - Buffer.byteLength(head) - Buffer.byteLength(tail));
  const where = file ? `; see ${file}` : '';
  const beginning = head.endsWith('\n') || head === '' ? head : `${head}\n`;
  return `${beginning}[… ${withCommas(missing)} bytes omitted${where} …]\n${tail}`;
}

/** Removes the middle of a text that is longer than `outputCap`. `file`: where the complete text is. */
export function withoutMiddle(text: string, file: string | undefined): string {
  const ends = { head: headOf(text, outputCap / 2), tail: tailOf(text, outputCap / 2) };
  return joinEnds(ends, Buffer.byteLength(text), file);
}
