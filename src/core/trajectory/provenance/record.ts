import * as z from 'zod';
import { isStep, spansOf, type MarkedText, type Origin } from '../provenance';
import { matchLines } from './matchLines';

const Origin = z.union([z.object({ session: z.string(), action: z.string() }), z.enum(['person', 'unknown'])]);

/** Lines that were in the text before: index of the first, and how many. Or lines that were not, with their origin. */
const Piece = z.union([
  z.tuple([z.number().int().nonnegative(), z.number().int().positive()]),
  z.object({ by: Origin, lines: z.string() }),
]);
export type Piece = z.infer<typeof Piece>;

/** One line of a file's kept history. No text is kept, only what tells lines apart. */
export const ProvenanceRecord = z.object({
  v: z.literal(1),
  /** The version of the whole text, as `FileSnapshot.version`. */
  version: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** The version that the text was made from; null: from nothing. */
  base: z.string().nullable().optional(),
  /** Absent: the text of this version, which is known already, is there again. */
  pieces: z.array(Piece).optional(),
});
export type ProvenanceRecord = z.infer<typeof ProvenanceRecord>;

/** A text as pieces, made from nothing. */
export const wholeText = (text: MarkedText): Piece[] =>
  spansOf(text).map(({ from, to, origin }) => ({ by: origin, lines: packedLines(text.lines.slice(from, to)) }));

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

/** What a change by `by` leaves, and the pieces that say it. */
export function changeOf(
  before: MarkedText,
  lines: readonly number[],
  by: Origin,
): { text: MarkedText; pieces: Piece[] } {
  const was = matchLines(before.lines, lines);
  const origins = lines.map((_line, at) => before.origins[was[at]!] ?? by);
  const pieces: Piece[] = [];
  for (let from = 0, to = 1; to <= lines.length; to++) {
    if (to < lines.length && (was[from] === -1 ? was[to] === -1 : was[to] === was[from]! + to - from)) continue;
    pieces.push(was[from] === -1 ? { by, lines: packedLines(lines.slice(from, to)) } : [was[from]!, to - from]);
    from = to;
  }
  return { text: { lines, origins }, pieces };
}

/** The text that pieces make from the one before. Throws `RangeError` where they do not fit it. */
export function textFrom(pieces: readonly Piece[], before: MarkedText): MarkedText {
  const lines: number[] = [];
  const origins: Origin[] = [];
  for (const piece of pieces) {
    if (Array.isArray(piece)) {
      const [from, count] = piece;
      if (from + count > before.lines.length) throw new RangeError('The pieces are of another text.');
      for (let at = from; at < from + count; at++) {
        lines.push(before.lines[at]!);
        origins.push(before.origins[at]!);
      }
    } else {
      const fresh = unpackedLines(piece.lines);
      for (const line of fresh) {
        lines.push(line);
        origins.push(piece.by);
      }
    }
  }
  return { lines, origins };
}

/** Of two claims about one text the stronger one counts: a step that says it wrote it, then a person, then nobody. */
export function strengthOf({ pieces = [] }: ProvenanceRecord): number {
  return pieces.reduce(
    (most, piece) => Math.max(most, Array.isArray(piece) || piece.by === 'unknown' ? 0 : isStep(piece.by) ? 2 : 1),
    0,
  );
}
