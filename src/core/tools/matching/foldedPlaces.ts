import { firstPlace } from './firstRun';
import type { Place } from './strategy';

/** A text in which some stretches are written another way, and where each of its characters came from. */
interface Folded {
  readonly text: string;
  readonly starts: number[];
  readonly ends: number[];
}

/**
 * Where `part` stands in `text` when both are folded: what `pattern` (global) finds becomes
 * `to(found)`. Places are of the unfolded text.
 */
export function foldedPlaces(text: string, part: string, pattern: RegExp, to: (found: string) => string): Place[] {
  const wanted = part.replace(pattern, to);
  if (wanted.trim() === '') return [];
  const folded = foldedText(text, pattern, to);
  const places: Place[] = [];
  for (let at = firstPlace(folded.text, wanted); at !== -1;) {
    places.push({ start: folded.starts[at]!, end: folded.ends[at + wanted.length - 1]! });
    at = firstPlace(folded.text, wanted, at + wanted.length);
  }
  return places;
}

function foldedText(text: string, pattern: RegExp, to: (found: string) => string): Folded {
  const pieces: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let copied = 0;
  const copyUntil = (end: number): void => {
    pieces.push(text.slice(copied, end));
    for (; copied < end; copied++) {
      starts.push(copied);
      ends.push(copied + 1);
    }
  };
  for (const { 0: found, index } of text.matchAll(pattern)) {
    copyUntil(index);
    const written = to(found);
    pieces.push(written);
    for (let unit = 0; unit < written.length; unit++) {
      starts.push(index);
      ends.push(index + found.length);
    }
    copied = index + found.length;
  }
  copyUntil(text.length);
  return { text: pieces.join(''), starts, ends };
}
