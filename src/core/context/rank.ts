/**
 * Those that fit what was typed, the best first: the name, its beginning, a part of it, letters of it in their order.
 * `first` are those to prefer among equals.
 */
export function ranked<Item>(
  items: readonly Item[],
  query: string,
  nameOf: (item: Item) => string,
  most: number,
  first: ReadonlySet<string> = new Set(),
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

/** Smaller is better; undefined where it does not fit. */
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
