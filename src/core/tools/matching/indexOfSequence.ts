/** Up to this length, the engine's built-in search is fast for any text. */
const maxBuiltInSearch = 1000;

/**
 * Returns the first position of a part in a text from `from` on, or -1. Runs in linear time in both lengths together;
 * `indexOf` may take their product.
 */
export function indexOfPart(text: string, part: string, from = 0): number {
  return part.length <= maxBuiltInSearch ? text.indexOf(part, from) : indexOfSequence(text, part, from);
}

/** Returns the first index from `from` on at which the wanted items follow one another, or -1. */
export function indexOfSequence<Item>(items: ArrayLike<Item>, wanted: ArrayLike<Item>, from = 0): number {
  const [first = -1] = indexesOfSequence(items, wanted, from);
  return first;
}

/**
 * Yields each index from `from` on at which the wanted items follow one another, including overlapping ones. Linear in
 * both lengths together (Knuth-Morris-Pratt).
 */
export function* indexesOfSequence<Item>(items: ArrayLike<Item>, wanted: ArrayLike<Item>, from = 0): Generator<number> {
  if (wanted.length === 0) return;
  const fallbacks = fallbackTable(wanted);
  let matched = 0;
  for (let at = from; at < items.length; at++) {
    while (matched > 0 && items[at] !== wanted[matched]) matched = fallbacks[matched - 1]!;
    if (items[at] === wanted[matched]) matched++;
    if (matched < wanted.length) continue;
    yield at - matched + 1;
    matched = fallbacks[matched - 1]!;
  }
}

/** For each prefix of `wanted`, the length of its longest proper suffix that is also a prefix. */
function fallbackTable<Item>(wanted: ArrayLike<Item>): Int32Array {
  const table = new Int32Array(wanted.length);
  let matched = 0;
  for (let at = 1; at < wanted.length; at++) {
    while (matched > 0 && wanted[at] !== wanted[matched]) matched = table[matched - 1]!;
    if (wanted[at] === wanted[matched]) matched++;
    table[at] = matched;
  }
  return table;
}
