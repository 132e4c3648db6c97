/** A stretch of text, or one character that would not be seen as what it is. `escape` is what to show for it. */
export interface Piece { readonly text: string; readonly escape?: string; readonly name?: string; readonly culprit?: boolean }

const names: Record<number, string> = {
  0x00: 'null', 0x07: 'bell', 0x08: 'backspace', 0x09: 'tab', 0x0d: 'carriage return', 0x1b: 'escape', 0x7f: 'delete', 0xa0: 'no-break space', 0xad: 'soft hyphen',
  0x200b: 'zero-width space', 0x200c: 'zero-width non-joiner', 0x200d: 'zero-width joiner', 0x200e: 'left-to-right mark', 0x200f: 'right-to-left mark', 0x2028: 'line separator', 0x2029: 'paragraph separator',
  0x202a: 'left-to-right embedding', 0x202b: 'right-to-left embedding', 0x202c: 'end of direction', 0x202d: 'left-to-right override', 0x202e: 'right-to-left override',
  0x2066: 'left-to-right isolate', 0x2067: 'right-to-left isolate', 0x2068: 'first strong isolate', 0x2069: 'end of isolate', 0xfeff: 'byte order mark',
};

const abbreviations = 'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(' ');

/** Controls, format characters, separators that are not a plain space, fillers, unpaired surrogates, private use and variation selectors. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u2800\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** Splits one line (without its line break) so that every character that hides or moves text can be drawn as what it is. */
export function visible(line: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of line.matchAll(unseen)) {
    if (match.index > end) pieces.push({ text: line.slice(end, match.index) });
    const code = match[0].codePointAt(0)!;
    pieces.push({ text: match[0], escape: label(code), name: names[code] ?? `U+${hex(code)}` });
    end = match.index + match[0].length;
  }
  if (end < line.length) pieces.push({ text: line.slice(end) });
  return pieces;
}

/** The lines of a text that waits for consent, with each occurrence of `culprit` marked and line breaks kept apart from the words. */
export function visibleLines(text: string, culprit?: string): Piece[][] {
  const lines: Piece[][] = [[]];
  const add = (part: string, marked: boolean): void => part.split('\n').forEach((line, index) => {
    if (index > 0) lines.push([]);
    for (const piece of visible(line)) lines.at(-1)!.push(marked ? { ...piece, culprit: true } : piece);
  });
  const parts = culprit ? text.split(culprit) : [text];
  parts.forEach((part, index) => { if (index > 0) add(culprit!, true); add(part, false); });
  return lines;
}

const hex = (code: number): string => code.toString(16).toUpperCase().padStart(4, '0');

function label(code: number): string {
  if (code === 0x09) return '⇥';
  // Not every font has the pictures, so the abbreviation stands beside them.
  if (code < 0x20) return `${String.fromCodePoint(0x2400 + code)} ${abbreviations[code]}`;
  if (code === 0x7f) return '␡ DEL';
  return `U+${hex(code)}`;
}
