import { lineAt } from '../../text/numberedLines';
import { indexOfPart } from '../matching/indexOfSequence';

/** A replacement as a tool call states it. `all`: replace every occurrence. */
export interface Replacement {
  readonly old_text: string;
  readonly new_text: string;
  readonly all?: boolean | undefined;
}

/** Positions of `part` in `text`, not overlapping, at most `limit`. */
export function placesOf(text: string, part: string, limit: number): number[] {
  const places: number[] = [];
  for (let at = indexOfPart(text, part); at !== -1 && places.length < limit;) {
    places.push(at);
    at = indexOfPart(text, part, at + part.length);
  }
  return places;
}

/** Positions of `part` in `text`, including overlapping ones. */
function placesWithOverlaps(text: string, part: string, limit: number): number[] {
  const places: number[] = [];
  for (let at = indexOfPart(text, part); at !== -1 && places.length < limit; at = indexOfPart(text, part, at + 1))
    places.push(at);
  return places;
}

/** The new text, or why nothing was replaced, in words for the model. */
export type Replaced = { readonly text: string } | { readonly refused: string } | { readonly missed: string };

/** Makes one exact replacement or returns the reason why not. `missed` means that the text was not found. */
export function replaceExactly(text: string, { old_text, new_text, all = false }: Replacement): Replaced {
  const from = unified(old_text);
  const to = unified(new_text);
  if (from === '')
    return text === ''
      ? { text: to }
      : { refused: 'old_text is empty. Quote the text to replace, or the line next to which new text goes.' };
  if (from === to) return { refused: 'old_text and new_text are the same.' };
  const places = all ? placesOf(text, from, Infinity) : placesWithOverlaps(text, from, 100);
  if (places.length === 0) return { missed: from };
  if (places.length > 1 && !all)
    return {
      refused: `old_text occurs ${places.length === 100 ? 'at least 100' : places.length} times, at lines ${linesOfPlaces(text, places)}. Quote more of the lines around the one you mean, or set all.`,
    };
  if (all) return { text: withPartsReplaced(text, places, from.length, to) };
  return { text: text.slice(0, places[0]) + to + text.slice(places[0]! + from.length) };
}

function withPartsReplaced(text: string, places: readonly number[], length: number, to: string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const place of places) {
    pieces.push(text.slice(copied, place));
    copied = place + length;
  }
  return [...pieces, text.slice(copied)].join(to);
}

function linesOfPlaces(text: string, places: readonly number[]): string {
  return (
    places
      .slice(0, 10)
      .map((at) => lineAt(text, at))
      .join(', ') + (places.length > 10 ? ', …' : '')
  );
}

/** Files are displayed with "\n", so "\r\n" from a model means the same. */
export function unified(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
}
