/** Minimum number of word characters in a line that identifies itself elsewhere; "});" occurs in every file. */
const tellingCharacters = 4;

/**
 * Hashes the lines of a text to integers below 2^48, equal for equal lines. The lowest bit is set for a distinctive
 * line. Line ends are "\n" or "\r\n"; one at the end of the text does not begin another line.
 */
export function fingerprints(text: string): number[] {
  const lines: number[] = [];
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    lines.push(fingerprint(text, from, end > from && text.charCodeAt(end - 1) === 13 ? end - 1 : to));
    from = to + 1;
  }
  return lines;
}

/** True if a line is distinctive enough to be recognized elsewhere. */
export const isDistinctive = (line: number): boolean => line % 2 === 1;

/** Combines two multiplicative hashes: 16 bits of one and 31 of the other. */
function fingerprint(text: string, from: number, to: number): number {
  let one = 0x9e3779b9 ^ (to - from);
  let other = 0x85ebca6b;
  let telling = 0;
  for (let index = from; index < to; index++) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other + code, 0x27d4eb2f) ^ (other >>> 15);
    if (
      telling < tellingCharacters &&
      (code > 127 ||
        (code >= 97 && code <= 122) ||
        (code >= 65 && code <= 90) ||
        (code >= 48 && code <= 57) ||
        code === 95)
    )
      telling++;
  }
  one = Math.imul(one ^ (one >>> 15), 0x2c1b3c6d);
  other = Math.imul(other ^ (other >>> 13), 0x297a2d39);
  one ^= one >>> 16;
  other ^= (other >>> 16) ^ (one << 5);
  return (other & 0xffff) * 2 ** 32 + (one >>> 1) * 2 + (telling >= tellingCharacters ? 1 : 0);
}
