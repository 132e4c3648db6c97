/**
 * Building blocks for long regular expressions. In a list of alternatives, a string matches literally and a `RegExp`
 * matches as a pattern.
 */
type Alternatives = readonly (string | RegExp)[];

/** Matches any one of the alternatives. */
export function anyOf(alternatives: Alternatives, flags = ''): RegExp {
  const sources = alternatives.flatMap((each) => (typeof each === 'string' ? literalWords(each) : each.source));
  return new RegExp(`(?:${sources.join('|')})`, flags);
}

/** Matches only if the whole text is one of the alternatives. */
export function exactlyOneOf(alternatives: Alternatives, flags = ''): RegExp {
  return sequence([/^/, anyOf(alternatives), /$/], flags);
}

/** Matches the parts one after another. */
export function sequence(parts: readonly RegExp[], flags = ''): RegExp {
  return new RegExp(parts.map(({ source }) => source).join(''), flags);
}

/** Matches the parts one after another, any number of times. */
export function repeated(parts: readonly RegExp[]): RegExp {
  return new RegExp(`(?:${sequence(parts).source})*`);
}

function literalWords(words: string): string[] {
  return words.split(' ').map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
}
