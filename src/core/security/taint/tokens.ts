/** A host as programs accept it: "example.com", "git@example.com", "example.com:8080". */
export const hostShape = /^(?:[\w.-]+@)?[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:\d+)?$/;
/** Minimum length. Shorter words are too common to have a source. */
const minTokenLength = 6;
const wordShape = /[\p{L}\p{N}@~._-][\p{L}\p{N}@~./:%+=?&#_-]{3,}/gu;

interface Token {
  /** For comparison: lower case, without surrounding punctuation. */
  readonly text: string;
  /** As written in the text. */
  readonly written: string;
}

/** Maximum length of a token. Longer words are split. */
const maxTokenLength = 2048;

/** Yields the distinctive words of a text: names, paths, and for an address also its host. Takes linear time. */
export function* tokensIn(text: string): Generator<Token> {
  for (const [match] of text.matchAll(wordShape)) {
    for (const word of match.length > maxTokenLength ? splitLongWord(match) : [match]) yield* tokensOf(word);
  }
}

function* tokensOf(word: string): Generator<Token> {
  const written = trimmed(word);
  const whole = compared(written);
  if (whole.length >= minTokenLength) yield { text: whole, written };
  const address = addressIn(whole);
  if (address) {
    yield { text: address.host, written: written.slice(-address.text.length) };
    if (address.plain !== whole) yield { text: address.plain, written: written.slice(-address.text.length) };
    return;
  }
  const version = whole.lastIndexOf('@');
  if (version >= minTokenLength)
    yield { text: whole.slice(0, version), written: written.slice(0, written.lastIndexOf('@')) };
  const value = whole.slice(whole.indexOf('=') + 1);
  if (value !== whole && value.length >= minTokenLength)
    yield { text: compared(value), written: written.slice(written.indexOf('=') + 1) };
}

/** Splits a very long word. Each address in it starts a new piece, so that none is hidden behind the text before it. */
function* splitLongWord(word: string): Generator<string> {
  let colon = word.indexOf('://');
  for (let from = 0; from < word.length;) {
    let end = Math.min(word.length, from + maxTokenLength);
    // Searched for once, not once per piece: otherwise a word without "://" would take quadratic time.
    while (colon >= 0 && colon < end) {
      const scheme = schemeBefore(word, colon, from);
      colon = word.indexOf('://', colon + 3);
      if (scheme !== undefined && scheme > from) end = scheme;
    }
    yield word.slice(from, end);
    from = end;
  }
}

/** Returns the address in a word. `host` excludes user and port; `plain` excludes user, query and fragment. */
export function addressIn(
  word: string,
): { readonly text: string; readonly host: string; readonly plain: string } | undefined {
  let after = 0;
  for (let colon = word.indexOf('://'); colon >= 0; after = colon + 3, colon = word.indexOf('://', after)) {
    const at = schemeBefore(word, colon, after);
    const found = at === undefined ? null : afterScheme.exec(word.slice(at));
    if (found) return { text: word.slice(at), host: found[1]!.toLowerCase(), plain: trimmed(found[0]).toLowerCase() };
  }
  return undefined;
}

const afterScheme = /^[a-z][a-z0-9+.-]*:\/\/(?:[^\s/@]*@)?([^\s/:?#]+)[^\s?#]*/i;

/**
 * Returns where the scheme before the "://" at `colon` starts, at `least` or later. A scheme starts with its first
 * letter.
 */
function schemeBefore(word: string, colon: number, least: number): number | undefined {
  let first: number | undefined;
  for (let at = colon - 1; at >= least && isOfScheme(word.charCodeAt(at)); at--)
    if (isLetter(word.charCodeAt(at))) first = at;
  return first;
}

const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;
/** Characters of a scheme: letters, digits and `+`, `-`, `.`. */
const isOfScheme = (code: number): boolean =>
  isLetter(code) || (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46;

const surrounding = new Set('.,:;?&#=/+-');

function trimmed(word: string): string {
  let end = word.length;
  while (end > 0 && surrounding.has(word[end - 1]!)) end--;
  return word.slice(0, end);
}

const compared = (word: string): string =>
  trimmed(word)
    .replace(/^(\.\/)+/, '')
    .toLowerCase();
