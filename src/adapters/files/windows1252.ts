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

/**
 * Decodes bytes that look like windows-1252, the Latin-1 of Windows. Returns undefined if they look like something
 * else. Every byte is one character, so unchanged text is written back unchanged.
 */
export function fromWindows1252(bytes: Buffer): string | undefined {
  let beyondAscii = 0;
  let run = 0;
  for (const byte of bytes) {
    if (isControl(byte)) return undefined;
    run = byte >= 0x80 ? run + 1 : 0;
    if (run > maxRunLength) return undefined;
    if (byte >= 0x80) beyondAscii++;
  }
  if (beyondAscii > bytes.length * maxShare) return undefined;
  return bytes.toString('latin1').replace(/[\x80-\x9f]/g, (sign) => signsFrom80[sign.charCodeAt(0) - 0x80]!);
}

/**
 * Returns whether a byte does not occur in text: undefined bytes, and control characters except tabs, line breaks and
 * the form feeds of old sources.
 */
function isControl(byte: number): boolean {
  if (byte < 0x20) return byte < 0x09 || byte > 0x0d;
  return byte === 0x7f || (byte >= 0x80 && byte <= 0x9f && signsFrom80.charCodeAt(byte - 0x80) === byte);
}

/** Returns the characters of a text that cannot be encoded, each once. */
export function charactersOutside(text: string): string {
  const outside = new Set<string>();
  for (const sign of text) if (byteOf(sign) === undefined) outside.add(sign);
  return [...outside].join('');
}

/** Encodes a text whose characters all have a byte. */
export function asWindows1252(text: string): Buffer {
  return Buffer.from(Uint8Array.from(text, (sign) => byteOf(sign) ?? 0x3f));
}

function byteOf(sign: string): number | undefined {
  const code = sign.codePointAt(0)!;
  if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code;
  const at = signsFrom80.indexOf(sign);
  return at === -1 ? undefined : 0x80 + at;
}
