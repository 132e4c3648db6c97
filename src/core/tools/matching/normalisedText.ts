import { placesOf } from '../files/replacements';
import { type Strategy, type TextRange, equalLines, lineWindows, findSimilarLines, reindented } from './strategy';
import { indexOfPart } from './indexOfSequence';

/**
 * The exact quoted text. The strategies below tolerate differences in white space, escapes or typographic characters.
 */
export const exact: Strategy = {
  name: 'exact',
  places: (text, part) => placesOf(text, part, Infinity).map((start) => ({ start, end: start + part.length })),
};

/** Whole lines, ignoring white space at both ends. */
export const lineTrimmed: Strategy = {
  name: 'line-trimmed',
  wholeLines: true,
  differs: 'only white space at the beginning or end of lines differs',
  places: (text, part) => lineWindows(text, part, (line) => line.trim(), equalLines),
  adapt: reindented,
};

/** Treats any run of spaces and tabs as one space, and ignores trailing white space. */
export const whitespaceNormalised: Strategy = {
  name: 'whitespace-normalised',
  differs: 'only the amount of white space differs',
  places: (text, part) => foldedPlaces(text, part, /[ \t]+\n?/g, (found) => (found.endsWith('\n') ? '\n' : ' ')),
  adapt: reindented,
};

/** Whole lines, ignoring indentation and the amount of white space between words. */
export const indentationFlexible: Strategy = {
  name: 'indentation-flexible',
  wholeLines: true,
  differs: 'only indentation and white space differ',
  places: (text, part) => lineWindows(text, part, (line) => line.trim().replace(/\s+/g, ' '), equalLines),
  adapt: reindented,
};

/** A quoted text that was escaped once too often: "\n" as two characters instead of a line break. */
export const escapeNormalised: Strategy = {
  name: 'escape-normalised',
  differs: 'only the escaping differs',
  places: (text, part) => (unescaped(part) === part ? [] : exact.places(text, unescaped(part))),
  adapt: (replacement) => unescaped(replacement),
};

const letters: Record<string, string> = { n: '\n', t: '\t', r: '' };

const unescaped = (text: string): string =>
  text.replace(/\\([ntr"'`\\])/g, (_all, letter: string) => letters[letter] ?? letter);

/**
 * Ignores white space at the ends of the first and last line, and empty lines around the text. The lines between must
 * match exactly.
 */
export const trimmedBoundary: Strategy = {
  name: 'trimmed-boundary',
  wholeLines: true,
  differs: 'only white space around the quoted text differs',
  places: (text, part) =>
    lineWindows(
      text,
      trimEmptyLines(part),
      (line) => line,
      findSimilarLines((lines, at, wanted) =>
        wanted.every((line, index) =>
          index === 0 || index === wanted.length - 1
            ? lines[at + index]!.trim() === line.trim()
            : lines[at + index] === line,
        ),
      ),
    ),
  adapt: (replacement, found, part) => reindented(trimEmptyLines(replacement), found, trimEmptyLines(part)),
};

/** Removes empty lines at the beginning and at the end. */
function trimEmptyLines(text: string): string {
  const begun = text.replace(/^(?:[ \t]*\n)+/, '');
  let contentEnd = begun.length;
  while (contentEnd > 0 && ' \t\n'.includes(begun[contentEnd - 1]!)) contentEnd--;
  const cut = begun.indexOf('\n', contentEnd);
  return cut < 0 ? begun : begun.slice(0, cut);
}

/** Treats typographic characters like their ASCII equivalents. */
export const unicodeNormalised: Strategy = {
  name: 'unicode-normalised',
  differs: 'only quotes, dashes or other typographic characters differ',
  places: (text, part) => foldedPlaces(text, part, pattern, (found) => asciiForms[found]!),
};

const asciiForms: Record<string, string> = Object.fromEntries(
  [
    ['\u2018\u2019\u201a\u201b\u2032', "'"],
    ['\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb', '"'],
    ['\u2010\u2011\u2012\u2013\u2014\u2015\u2212', '-'],
    ['\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000', ' '],
    ['\u2026', '...'],
    ['\u200b\u2060\ufeff', ''],
  ].flatMap(([signs, written]) => [...signs!].map((sign) => [sign, written!])),
);

const pattern = new RegExp(`[${Object.keys(asciiForms).join('')}]`, 'g');

/** A text in which some ranges are replaced, with the original position of each character. */
interface Folded {
  readonly text: string;
  readonly starts: number[];
  readonly ends: number[];
}

/**
 * Finds `part` in `text` after folding both: each match of `pattern` (global) becomes `to(found)`. Positions refer to
 * the original text.
 */
function foldedPlaces(text: string, part: string, pattern: RegExp, to: (found: string) => string): TextRange[] {
  const wanted = part.replace(pattern, to);
  if (wanted.trim() === '') return [];
  const folded = foldedText(text, pattern, to);
  const places: TextRange[] = [];
  for (let at = indexOfPart(folded.text, wanted); at !== -1;) {
    places.push({ start: folded.starts[at]!, end: folded.ends[at + wanted.length - 1]! });
    at = indexOfPart(folded.text, wanted, at + wanted.length);
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
