import type { Place } from './strategy';

/**
 * The runs of whole lines that are like those of `part`, without overlaps. A final "\n" of `part` takes the line break with it.
 * `alike` compares the lines from `at` on with the wanted ones; both were folded before.
 */
export function lineWindows(
  text: string,
  part: string,
  fold: (line: string) => string,
  alike: (lines: readonly string[], at: number, wanted: readonly string[]) => boolean,
): Place[] {
  const wholeLines = part.endsWith('\n');
  const wanted = (wholeLines ? part.slice(0, -1) : part).split('\n').map(fold);
  if (wanted.every((line) => line.trim() === '')) return [];
  const raw = text.split('\n');
  const lines = raw.map(fold);
  const places: Place[] = [];
  let start = 0;
  for (let at = 0; at + wanted.length <= lines.length;) {
    if (!alike(lines, at, wanted)) {
      start += raw[at++]!.length + 1;
      continue;
    }
    let end = start;
    for (const line of raw.slice(at, at + wanted.length)) end += line.length + 1;
    places.push({ start, end: Math.min(wholeLines ? end : end - 1, text.length) });
    start = end;
    at += wanted.length;
  }
  return places;
}

export const equalLines = (lines: readonly string[], at: number, wanted: readonly string[]): boolean =>
  wanted.every((line, index) => lines[at + index] === line);
