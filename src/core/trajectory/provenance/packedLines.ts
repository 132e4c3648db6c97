const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const valueOf = new Map([...digits].map((digit, value) => [digit.charCodeAt(0), value]));
/** Characters of one line: 48 bits, six in each. */
const width = 8;

/** Fingerprints of lines as one text, eight characters each. */
export function packedLines(lines: readonly number[]): string {
  const packed = lines.map((line) => {
    let text = '';
    for (let rest = line, at = 0; at < width; at++) {
      text = digits[rest % 64]! + text;
      rest = Math.floor(rest / 64);
    }
    return text;
  });
  return packed.join('');
}

/** Throws for a text that `packedLines` did not write. */
export function unpackedLines(packed: string): number[] {
  if (packed.length % width !== 0) throw new RangeError('The packed lines are cut.');
  const lines = new Array<number>(packed.length / width);
  for (let at = 0; at < lines.length; at++) {
    let line = 0;
    for (let of = 0; of < width; of++) {
      const value = valueOf.get(packed.charCodeAt(at * width + of));
      if (value === undefined) throw new RangeError('The packed lines hold a strange character.');
      line = line * 64 + value;
    }
    lines[at] = line;
  }
  return lines;
}
