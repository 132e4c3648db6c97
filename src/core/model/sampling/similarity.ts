/** How alike two texts are: the share of their words that both have (Jaccard), 0 … 1. Case, order and punctuation do not count. */
export function similarity(a: string, b: string): number {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  if (left.size === 0 && right.size === 0) return 1;
  const common = [...left].filter((word) => right.has(word)).length;
  return common / (left.size + right.size - common);
}

/** The least similarity of any two of the texts. */
export function leastSimilarity(texts: readonly string[]): number {
  return Math.min(1, ...texts.flatMap((text, index) => texts.slice(index + 1).map((other) => similarity(text, other))));
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
