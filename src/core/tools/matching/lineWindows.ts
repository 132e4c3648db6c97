import { firstRun } from './firstRun';
import type { Place } from './strategy';

/** Where the wanted lines begin, from the line `from` on; -1 where they are not there. All lines were folded before. */
type FindLines = (lines: readonly string[], wanted: readonly string[], from: number) => number;

/**
 * The runs of whole lines that are like those of `part`, without overlaps. A final
 * "\n" of `part` takes the line break with it.
 */
export function lineWindows(text: string, part: string, fold: (line: string) => string, find: FindLines): Place[] {
  const wholeLines = part.endsWith('\n');
  const wanted = (wholeLines ? part.slice(0, -1) : part).split('\n').map(fold);
  if (wanted.every((line) => line.trim() === '')) return [];
  const raw = text.split('\n');
  const lines = raw.map(fold);
  const places: Place[] = [];
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

export const equalLines: FindLines = firstRun;

/** Comparisons of two lines at most; more would keep everybody waiting. */
const mostComparisons = 10_000_000;

/** Compares the wanted lines with those at each place in turn. Finds nothing in a file that is too long for that. */
export const linesAlike =
  (alike: (lines: readonly string[], at: number, wanted: readonly string[]) => boolean): FindLines =>
  (lines, wanted, from) => {
    if (lines.length * wanted.length > mostComparisons) return -1;
    for (let at = from; at + wanted.length <= lines.length; at++) if (alike(lines, at, wanted)) return at;
    return -1;
  };
