/**
 * Returns the items that match what was typed, best first: the whole name, its start, a part of it, its letters in
 * order. `first`: names preferred among equals.
 */
export function bestMatches<Item>(
  items: readonly Item[],
  query: string,
  {
    nameOf,
    most,
    first = new Set(),
  }: {
    readonly nameOf: (item: Item) => string;
    readonly most: number;
    readonly first?: ReadonlySet<string> | undefined;
  },
): Item[] {
  const wanted = query.toLowerCase();
  const scored: { readonly item: Item; readonly score: number; readonly name: string }[] = [];
  for (const item of items) {
    const name = nameOf(item);
    const score = scoreOf(name.toLowerCase(), wanted);
    if (score !== undefined) scored.push({ item, name, score: score - (first.has(name) ? 0.5 : 0) });
  }
  return scored
    .sort((a, b) => a.score - b.score || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ item }) => item);
}

/** Lower is better. Undefined if it does not match. */
function scoreOf(name: string, wanted: string): number | undefined {
  if (wanted === '') return 4;
  const last = name.replace(/\/$/, '').split('/').at(-1)!;
  if (name === wanted || last === wanted) return 0;
  if (last.startsWith(wanted)) return 1;
  if (name.startsWith(wanted)) return 2;
  if (last.includes(wanted)) return 3;
  if (name.includes(wanted)) return 4;
  let at = -1;
  for (const letter of wanted) if ((at = name.indexOf(letter, at + 1)) < 0) return undefined;
  return 5;
}
