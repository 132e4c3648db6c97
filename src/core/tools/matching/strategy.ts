import { indexOfSequence } from './indexOfSequence';

/** A range of a text, in UTF-16 code units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A way to find a quoted text that may not match exactly. */
export interface Strategy {
  readonly name: string;
  /** How the match may differ, for the model: "only the indentation differs". Absent for the exact strategy. */
  readonly differs?: string;
  /** True if matches are similar rather than equal. Such matches are never replaced all at once. */
  readonly approximate?: boolean;
  /** Set if only whole lines match. */
  readonly wholeLines?: true;
  /** Returns all matches in order, not overlapping. */
  places(text: string, part: string): TextRange[] | Promise<TextRange[]>;
  /** Adapts the new text to the place: `found` is the text in the file, `part` the quoted text. */
  adapt?(replacement: string, found: string, part: string): string;
}

/** Returns the index at or after `from` where the wanted lines begin, or -1. All lines are already folded. */
type FindLines = (lines: readonly string[], wanted: readonly string[], from: number) => number;

/**
 * Finds runs of whole lines that match those of `part`, not overlapping. If `part` ends with "\n", the match includes
 * the line break.
 */
export function lineWindows(text: string, part: string, fold: (line: string) => string, find: FindLines): TextRange[] {
  const wholeLines = part.endsWith('\n');
  const wanted = (wholeLines ? part.slice(0, -1) : part).split('\n').map(fold);
  if (wanted.every((line) => line.trim() === '')) return [];
  const raw = text.split('\n');
  const lines = raw.map(fold);
  const places: TextRange[] = [];
  let start = 0;
  let passed = 0;
  for (let at = find(lines, wanted, 0); at !== -1;) {
    for (; passed < at; passed++) start += raw[passed]!.length + 1;
    let end = start;
    for (; passed < at + wanted.length; passed++) end += raw[passed]!.length + 1;
    places.push({ start, end: Math.min(wholeLines ? end : end - 1, text.length) });
    start = end;
    at = find(lines, wanted, passed);
  }
  return places;
}

export const equalLines: FindLines = indexOfSequence;

/** Maximum number of line comparisons, to bound the run time. */
const maxComparisons = 10_000_000;

/** Compares the wanted lines with every position in turn. Finds nothing if the file is too long for that. */
export const findSimilarLines =
  (alike: (lines: readonly string[], at: number, wanted: readonly string[]) => boolean): FindLines =>
  (lines, wanted, from) => {
    if (lines.length * wanted.length > maxComparisons) return -1;
    for (let at = from; at + wanted.length <= lines.length; at++) if (alike(lines, at, wanted)) return at;
    return -1;
  };

/**
 * Adapts the indentation of a new text to its place in the file. Each indentation of the quoted lines is replaced by
 * the one in the file; a deeper one extends its longest known prefix.
 */
export function reindented(replacement: string, found: string, part: string): string {
  const there = found.split('\n');
  const known = new Map<string, string>();
  part.split('\n').forEach((line, index) => {
    const other = there[index];
    if (line.trim() !== '' && other !== undefined && !known.has(indentOf(line)))
      known.set(indentOf(line), indentOf(other));
  });
  const longestFirst = [...known].sort(([a], [b]) => b.length - a.length);
  return replacement
    .split('\n')
    .map((line) => {
      const [from, to] = longestFirst.find(([indent]) => line.trim() !== '' && line.startsWith(indent)) ?? ['', ''];
      return to + line.slice(from.length);
    })
    .join('\n');
}

const indentOf = (line: string): string => /^[ \t]*/.exec(line)![0];
