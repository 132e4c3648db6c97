/** Shorter words come from anywhere. */
const shortest = 6;
const wordShape = /[\p{L}\p{N}@~._-][\p{L}\p{N}@~./:%+=?&#_-]{3,}/gu;

export interface Token {
  /** As it is compared: lower case, without what only surrounds it. */
  readonly text: string;
  /** As it was written. */
  readonly written: string;
}

/** The words of a text that can be told apart from others: names, paths, and of an address also its host. */
export function* tokensIn(text: string): Generator<Token> {
  for (const [match] of text.matchAll(wordShape)) {
    const written = trimmed(match);
    const whole = compared(written);
    if (whole.length >= shortest) yield { text: whole, written };
    const address = addressIn(whole);
    if (address) {
      yield { text: address.host, written: written.slice(-address.text.length) };
      if (address.plain !== whole) yield { text: address.plain, written: written.slice(-address.text.length) };
      continue;
    }
    const version = whole.lastIndexOf('@');
    if (version >= shortest) yield { text: whole.slice(0, version), written: written.slice(0, written.lastIndexOf('@')) };
    const value = whole.slice(whole.indexOf('=') + 1);
    if (value !== whole && value.length >= shortest) yield { text: compared(value), written: written.slice(written.indexOf('=') + 1) };
  }
}

/** The address in a word. `host` has neither user nor port; `plain` is the address without what is asked of it. */
export function addressIn(word: string): { readonly text: string; readonly host: string; readonly plain: string } | undefined {
  const found = /[a-z][a-z0-9+.-]*:\/\/(?:[^\s/@]*@)?([^\s/:?#]+)[^\s?#]*/i.exec(word);
  if (!found) return undefined;
  return { text: word.slice(found.index), host: found[1]!.toLowerCase(), plain: trimmed(found[0]).toLowerCase() };
}

const trimmed = (word: string): string => word.replace(/[.,:;?&#=/+-]+$/, '');
const compared = (word: string): string => trimmed(word).replace(/^(\.\/)+/, '').toLowerCase();
