import { inSlices } from '../text/slices';

/** What to search in items, and how many to return. */
export interface MatchOptions<Item> {
  readonly nameOf: (item: Item) => string;
  /** Maximum number of items. */
  readonly most: number;
  /** Names preferred among equals. */
  readonly first?: ReadonlySet<string> | undefined;
  /** Returns false for items to leave out. Called only for items that would be among the best. */
  readonly accepts?: ((item: Item) => boolean) | undefined;
}

interface Match<Item> {
  readonly item: Item;
  readonly name: string;
  /** Lower is better. */
  readonly score: number;
}

/**
 * Collects the items that match what was typed, best first: the whole name, its start, a part of it, its letters in
 * order.
 */
class BestMatches<Item> {
  private readonly wanted: string;
  private readonly matches: Match<Item>[] = [];

  constructor(
    query: string,
    private readonly options: MatchOptions<Item>,
  ) {
    this.wanted = query.toLowerCase();
  }

  get items(): Item[] {
    return this.matches.map(({ item }) => item);
  }

  add(item: Item): void {
    const { matches, options } = this;
    const name = options.nameOf(item);
    const found = scoreOf(name.toLowerCase(), this.wanted);
    if (found === undefined) return;
    const match = { item, name, score: options.first?.has(name) ? found - 0.5 : found };
    const last = matches[options.most - 1];
    if ((last && !isBetter(match, last)) || options.accepts?.(item) === false) return;
    let place = matches.length;
    while (place > 0 && isBetter(match, matches[place - 1]!)) place--;
    matches.splice(place, 0, match);
    matches.length = Math.min(matches.length, options.most);
  }
}

/** Returns the items that match best, best first. */
export function bestMatches<Item>(items: Iterable<Item>, query: string, options: MatchOptions<Item>): Item[] {
  const best = new BestMatches(query, options);
  for (const item of items) best.add(item);
  return best.items;
}

/** Does the same for many items, in slices between which other work runs. Rejects once the signal is aborted. */
export async function bestMatchesInSlices<Item>(
  items: Iterable<Item>,
  query: string,
  options: MatchOptions<Item>,
  signal?: AbortSignal,
): Promise<Item[]> {
  const best = new BestMatches(query, options);
  await inSlices(items, (item) => best.add(item), signal);
  return best.items;
}

function isBetter(a: Match<unknown>, b: Match<unknown>): boolean {
  if (a.score !== b.score) return a.score < b.score;
  if (a.name.length !== b.name.length) return a.name.length < b.name.length;
  return a.name < b.name;
}

/** Lower is better. Undefined if it does not match. */
function scoreOf(name: string, wanted: string): number | undefined {
  if (wanted === '') return 4;
  // The slash at the end of a folder is not a part of its last name, but may be typed.
  const end = name.endsWith('/') ? name.length - 1 : name.length;
  const lastFrom = name.lastIndexOf('/', end - 1) + 1;
  const isLast = end - lastFrom === wanted.length && name.startsWith(wanted, lastFrom);
  if (isLast || name === wanted) return 0;
  const at = name.indexOf(wanted, lastFrom);
  if (at === lastFrom) return 1;
  if (name.startsWith(wanted)) return 2;
  if (at >= 0 && at + wanted.length <= end) return 3;
  if (at >= 0 || name.includes(wanted)) return 4;
  return hasLettersInOrder(name, wanted) ? 5 : undefined;
}

function hasLettersInOrder(name: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) if ((at = name.indexOf(letter, at + 1)) < 0) return false;
  return true;
}
