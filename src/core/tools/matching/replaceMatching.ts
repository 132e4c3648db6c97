import { lineAt, numberedLines } from '../../text/numberedLines';
import { unified, type Replaced, type Replacement } from '../files/replacements';
import type { TextRange, Strategy } from './strategy';
import { secrets } from '../../secrets/secrets';
import { blockAnchor, contextAware } from './likeness';
import {
  exact,
  lineTrimmed,
  whitespaceNormalised,
  indentationFlexible,
  escapeNormalised,
  trimmedBoundary,
  unicodeNormalised,
} from './normalisedText';

const maxLinesShown = 14;
const maxLineLength = 300;
const maxPlacesNamed = 10;

/** Describes the text in the file, if the quoted text was not found exactly. */
interface Matched {
  /** Name of the strategy that found it. */
  readonly strategy: string;
  /** How it differs from the quoted text, in words. */
  readonly differs: string;
  readonly found: string;
  /** What is there now; undefined if the found text may say something else than the quoted one. */
  readonly now?: string;
  /** Line of the file where it began, counted from 1. */
  readonly line: number;
}

/** A replacement. `matched` is absent if the quoted text was found exactly. */
export type MatchedReplacement = Replaced & { readonly matched?: Matched };

/**
 * Makes one replacement at the exact quoted text, or at the match of the first strategy that finds one. Unless `all` is
 * set, a text with several matches is refused, including overlapping ones. `matched` is set if the replaced text
 * differs from the quoted text.
 */
export async function replaceMatching(
  text: string,
  { old_text, new_text, all = false }: Replacement,
): Promise<MatchedReplacement> {
  const part = unified(old_text);
  const replacement = unified(new_text);
  if (part === '')
    return text === ''
      ? { text: replacement }
      : { refused: 'The text to replace is empty. Quote it, or the line next to which new text goes.' };
  if (part === replacement) return { refused: 'The old and the new text are the same.' };
  for (const strategy of strategies) {
    const places = await strategy.places(text, part);
    if (places.length === 0) continue;
    const mayReplaceAll = all && strategy.approximate !== true;
    const found = mayReplaceAll ? places : await withOverlapping(strategy, text, part, places);
    if (found.length > 1 && !mayReplaceAll) return { refused: severalPlaces(strategy, text, found) };
    const edit = { part, replacement };
    const matched = matchedAt(strategy, text, edit, places[0]!);
    return { text: replaced(strategy, text, edit, places), ...(matched && { matched }) };
  }
  return { missed: part };
}

/**
 * Note to the model about a text that was found although it was not quoted exactly. `argument` is the model's name for
 * that text.
 */
export function matchInWords({ strategy, differs, found, now = '', line }: Matched, argument: string): string {
  const head = `${argument} does not match exactly: ${differs} (matched as ${strategy}).`;
  return now.trim() === ''
    ? `${head} Replaced text:\n${shownLines(found, line)}\nCheck the result.`
    : `${head} Now:\n${shownLines(now, line)}`;
}

function shownLines(text: string, line: number): string {
  const lines = text.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, maxLinesShown).map((each) => secrets.truncate(each, maxLineLength));
  const left = lines.length - shown.length;
  return `${numberedLines(shown, line)}${left > 0 ? `\n[${left} more lines]` : ''}`;
}

/** Adds a match that overlaps the only one found, if any, because the place is then ambiguous. */
async function withOverlapping(
  strategy: Strategy,
  text: string,
  part: string,
  places: readonly TextRange[],
): Promise<readonly TextRange[]> {
  const [only] = places;
  if (places.length !== 1 || !only) return places;
  const from = nextStart(text, only.start, strategy.wholeLines === true);
  const [other] = from < only.end ? await strategy.places(text.slice(from), part) : [];
  return other ? [only, { start: other.start + from, end: other.end + from }] : places;
}

/**
 * Returns where another match may begin. Strategies that match parts of lines treat a run of white space as one unit.
 */
function nextStart(text: string, start: number, wholeLines: boolean): number {
  if (wholeLines) {
    const lineBreak = text.indexOf('\n', start);
    return lineBreak === -1 ? text.length : lineBreak + 1;
  }
  let at = start + 1;
  if (/\s/.test(text[start] ?? '')) while (at < text.length && /\s/.test(text[at]!)) at++;
  return at;
}

function severalPlaces({ differs, approximate }: Strategy, text: string, places: readonly TextRange[]): string {
  const lines = places.slice(0, maxPlacesNamed).map(({ start }) => lineAt(text, start));
  const more = places.length > maxPlacesNamed ? ', …' : '';
  const how = differs === undefined ? 'occurs' : 'does not match exactly, and fits';
  const instead = approximate ? '' : ', or replace all';
  const times = `${places.length} times, at lines ${lines.join(', ')}${more}`;
  return `The text ${how} ${times}. Quote more of the lines around the one you mean${instead}.`;
}

/** A quoted text and what replaces it. */
interface Quoted {
  readonly part: string;
  readonly replacement: string;
}

function replaced(strategy: Strategy, text: string, edit: Quoted, places: readonly TextRange[]): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const place of places) {
    pieces.push(text.slice(copied, place.start), adapted(strategy, text, edit, place));
    copied = place.end;
  }
  return pieces.join('') + text.slice(copied);
}

function adapted({ adapt }: Strategy, text: string, { part, replacement }: Quoted, { start, end }: TextRange): string {
  return adapt?.(replacement, text.slice(start, end), part) ?? replacement;
}

function matchedAt(strategy: Strategy, text: string, edit: Quoted, place: TextRange): Matched | undefined {
  const { name, differs, approximate } = strategy;
  if (differs === undefined) return undefined;
  const found = text.slice(place.start, place.end);
  const now = approximate ? undefined : adapted(strategy, text, edit, place);
  return { strategy: name, differs, found, ...(now !== undefined && { now }), line: lineAt(text, place.start) };
}

/** ★ Strategies for finding a quoted text, from strictest to loosest. The first that finds anything wins. */
export const strategies: readonly Strategy[] = [
  exact,
  lineTrimmed,
  whitespaceNormalised,
  indentationFlexible,
  escapeNormalised,
  trimmedBoundary,
  unicodeNormalised,
  blockAnchor,
  contextAware,
];
