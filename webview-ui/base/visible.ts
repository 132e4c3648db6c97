import { invisibleInCode } from '../../src/protocol/plain/invisible';

/** A run of text, or one deceptive character with `escape` to display instead. */
export interface Piece {
  readonly text: string;
  readonly escape?: string;
  readonly name?: string;
  readonly culprit?: boolean;
}

const controlNames: Record<number, string> = {
  0x00: 'null',
  0x07: 'bell',
  0x08: 'backspace',
  0x09: 'tab',
  0x0d: 'carriage return',
  0x1b: 'escape',
  0x7f: 'delete',
  0xa0: 'no-break space',
  0xad: 'soft hyphen',
  0x200b: 'zero-width space',
  0x200c: 'zero-width non-joiner',
  0x200d: 'zero-width joiner',
  0x200e: 'left-to-right mark',
  0x200f: 'right-to-left mark',
  0x2028: 'line separator',
  0x2029: 'paragraph separator',
  0x202a: 'left-to-right embedding',
  0x202b: 'right-to-left embedding',
  0x202c: 'end of direction',
  0x202d: 'left-to-right override',
  0x202e: 'right-to-left override',
  0x2066: 'left-to-right isolate',
  0x2067: 'right-to-left isolate',
  0x2068: 'first strong isolate',
  0x2069: 'end of isolate',
  0xfeff: 'byte order mark',
};

const abbreviations =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  );

/** Tabs, and separators other than a plain space. */
const oddSpaces = /(?! )[\t\p{Z}]/gu;

/** Letters that look like ASCII: full width, mathematical, and those of another script in a word with Latin letters. */
const lookAlikes = /[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/gu;
const wordPattern = /[\p{L}\p{M}\p{N}]+/gu;
const latin = /\p{Script=Latin}/u;
const foreign = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu;
/** Joiners and selectors within an emoji are harmless. */
const emoji = /\p{Extended_Pictographic}(?:\ufe0f|\u200d(?=\p{Extended_Pictographic}))+/gu;
const onlyAscii = /^[\x20-\x7e]*$/;

/** Finds invisible and misleading characters in a line: position to length. */
function deceptiveCharacters(line: string): Map<number, { readonly character: string; readonly looksLike: boolean }> {
  const found = new Map<number, { character: string; looksLike: boolean }>();
  for (const pattern of [invisibleInCode, oddSpaces, lookAlikes])
    for (const { index, 0: character } of line.matchAll(pattern))
      found.set(index, { character, looksLike: pattern === lookAlikes });
  for (const { index, 0: word } of line.matchAll(wordPattern))
    if (latin.test(word))
      for (const letter of word.matchAll(foreign))
        found.set(index + letter.index, { character: letter[0], looksLike: true });
  for (const { index, 0: joined } of line.matchAll(emoji))
    for (let at = index; at < index + joined.length; at++) found.delete(at);
  return new Map([...found].sort(([a], [b]) => a - b));
}

/** True if `visiblePieces` would render anything but the text itself. */
export const hasHidden = (text: string): boolean =>
  !onlyAscii.test(text) &&
  text.split('\n').some((line) => [...deceptiveCharacters(line).values()].some(({ character }) => character !== '\t'));

/**
 * Splits one line (without its line break) so that every character that hides, reorders or imitates text is rendered
 * explicitly.
 */
export function visiblePieces(line: string): Piece[] {
  if (onlyAscii.test(line)) return line === '' ? [] : [{ text: line }];
  const pieces: Piece[] = [];
  let end = 0;
  for (const [at, { character, looksLike }] of deceptiveCharacters(line)) {
    if (at > end) pieces.push({ text: line.slice(end, at) });
    const code = character.codePointAt(0)!;
    pieces.push({
      text: character,
      escape: looksLike ? `${character} U+${hex(code)}` : characterLabel(code),
      name: controlNames[code] ?? `U+${hex(code)}`,
    });
    end = at + character.length;
  }
  if (end < line.length) pieces.push({ text: line.slice(end) });
  return pieces;
}

/**
 * Returns the lines of a text that waits for approval, with each occurrence of `culprit` marked and line breaks
 * separate from the text.
 */
export function visibleLines(text: string, culprit?: string): Piece[][] {
  const lines: Piece[][] = [[]];
  const add = (part: string, marked: boolean): void =>
    part.split('\n').forEach((line, index) => {
      if (index > 0) lines.push([]);
      for (const piece of visiblePieces(line)) lines.at(-1)!.push(marked ? { ...piece, culprit: true } : piece);
    });
  const parts = culprit ? text.split(culprit) : [text];
  parts.forEach((part, index) => {
    if (index > 0) add(culprit!, true);
    add(part, false);
  });
  return lines;
}

const hex = (code: number): string => code.toString(16).toUpperCase().padStart(4, '0');

function characterLabel(code: number): string {
  if (code === 0x09) return '⇥';
  // Not every font has these symbols, so the abbreviation is shown too.
  if (code < 0x20) return `${String.fromCodePoint(0x2400 + code)} ${abbreviations[code]}`;
  if (code === 0x7f) return '␡ DEL';
  return `U+${hex(code)}`;
}
