/** Up to this length the search of the engine is fast for any text. */
const longestPlain = 1000;

/**
 * The first position of a part in a text, from `from` on; -1 if there is none. `indexOf` may take the product of both
 * lengths, this takes their sum.
 */
export function firstPlace(text: string, part: string, from = 0): number {
  return part.length <= longestPlain ? text.indexOf(part, from) : firstRun(text, part, from);
}

/** Where the wanted items first follow one another, from `from` on; -1 where they do not. */
export function firstRun<Item>(items: ArrayLike<Item>, wanted: ArrayLike<Item>, from = 0): number {
  const [first = -1] = runs(items, wanted, from);
  return first;
}

/**
 * Each place from `from` on where the wanted items follow one another, also inside of another one. Takes time in
 * proportion to the sum of both lengths (Knuth, Morris and Pratt).
 */
export function* runs<Item>(items: ArrayLike<Item>, wanted: ArrayLike<Item>, from = 0): Generator<number> {
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

/** For each beginning of `wanted`, how many of its last items are also its first. */
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
