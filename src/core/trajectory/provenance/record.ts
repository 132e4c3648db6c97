import * as z from 'zod';
import { isStep, spansOf, type MarkedText, type Origin } from '../provenance';
import { matchLines } from './matchLines';

const Origin = z.union([z.object({ session: z.string(), action: z.string() }), z.enum(['person', 'unknown'])]);

/** Lines copied from the previous text: index of the first, and count. Or new lines, with their origin. */
const Piece = z.union([
  z.tuple([z.number().int().nonnegative(), z.number().int().positive()]),
  z.object({ by: Origin, lines: z.string() }),
]);
type Piece = z.infer<typeof Piece>;

/** One line of a file's stored history. It contains no text, only hashes of lines. */
export const ProvenanceRecord = z.object({
  v: z.literal(1),
  /** Version of the whole text, as in `FileSnapshot.version`. */
  version: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** Version that the text was derived from; null if from nothing. */
  base: z.string().nullable().optional(),
  /** Absent if the file returned to a version that is already known. */
  pieces: z.array(Piece).optional(),
});
export type ProvenanceRecord = z.infer<typeof ProvenanceRecord>;

/** Returns a text as pieces that do not refer to another text. */
export const textPieces = (text: MarkedText): Piece[] =>
  spansOf(text).map(({ from, to, origin }) => ({ by: origin, lines: packedLines(text.lines.slice(from, to)) }));

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const valueOf = new Map([...digits].map((digit, value) => [digit.charCodeAt(0), value]));
/** Characters per line: 48 bits, six per character. */
const width = 8;

/** Encodes line fingerprints as one string, eight characters each. */
export function packedLines(lines: readonly number[]): string {
  const packed = lines.map((line) => {
    let text = '';
    for (let rest = line, index = 0; index < width; index++) {
      text = digits[rest % 64]! + text;
      rest = Math.floor(rest / 64);
    }
    return text;
  });
  return packed.join('');
}

/** Decodes line fingerprints. Throws if `packedLines` did not write the string. */
export function unpackedLines(packed: string): number[] {
  if (packed.length % width !== 0) throw new RangeError('The packed lines are truncated.');
  const lines = new Array<number>(packed.length / width);
  for (let index = 0; index < lines.length; index++) {
    let line = 0;
    for (let of = 0; of < width; of++) {
      const value = valueOf.get(packed.charCodeAt(index * width + of));
      if (value === undefined) throw new RangeError('The packed lines contain an unexpected character.');
      line = line * 64 + value;
    }
    lines[index] = line;
  }
  return lines;
}

/** Returns the text after a change by `by`, and the pieces that describe it. */
export function recordedChange(
  before: MarkedText,
  lines: readonly number[],
  by: Origin,
): { text: MarkedText; pieces: Piece[] } {
  const was = matchLines(before.lines, lines);
  const origins = lines.map((_line, index) => before.origins[was[index]!] ?? by);
  const pieces: Piece[] = [];
  for (let from = 0, to = 1; to <= lines.length; to++) {
    if (to < lines.length && (was[from] === -1 ? was[to] === -1 : was[to] === was[from]! + to - from)) continue;
    pieces.push(was[from] === -1 ? { by, lines: packedLines(lines.slice(from, to)) } : [was[from]!, to - from]);
    from = to;
  }
  return { text: { lines, origins }, pieces };
}

/** Builds a text from pieces and the previous text. Throws a `RangeError` if they do not match. */
export function textFrom(pieces: readonly Piece[], before: MarkedText): MarkedText {
  const lines: number[] = [];
  const origins: Origin[] = [];
  for (const piece of pieces) {
    if (Array.isArray(piece)) {
      const [from, count] = piece;
      if (from + count > before.lines.length) throw new RangeError('The pieces belong to another text.');
      for (let index = from; index < from + count; index++) {
        lines.push(before.lines[index]!);
        origins.push(before.origins[index]!);
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

/** Returns the reliability of the strongest claim in a record about the origin of its text. */
export const strengthOf = ({ pieces = [] }: ProvenanceRecord): number =>
  pieces.reduce((most, piece) => Math.max(most, Array.isArray(piece) ? 0 : originStrength(piece.by)), 0);

/** Ranks conflicting claims about the origin of a text: a step's own claim, then a person, then unknown. */
export function originStrength(by: Origin): number {
  if (by === 'unknown') return 0;
  return isStep(by) ? 2 : 1;
}
