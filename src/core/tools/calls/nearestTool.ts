import { distance } from 'fastest-levenshtein';

/** Maximum number of wrong letters in a name; fewer in a short name. */
const maxEditDistance = 2;
const lettersPerWrong = 4;

/**
 * Returns the one tool that a wrong name clearly means: different case or separators, or a typo. Returns undefined if
 * none or several are close.
 */
export function nearestTool(name: string, names: readonly string[]): string | undefined {
  const wanted = normalizedName(name);
  if (wanted === '') return undefined;
  const equal = names.filter((each) => normalizedName(each) === wanted);
  if (equal.length > 0) return equal.length === 1 ? equal[0] : undefined;
  const room = Math.min(maxEditDistance, Math.floor(wanted.length / lettersPerWrong));
  const near = names
    .map((each) => ({ name: each, away: distance(normalizedName(each), wanted) }))
    .filter(({ away }) => away <= room)
    .sort((a, b) => a.away - b.away);
  return near[0] && near[0].away !== near[1]?.away ? near[0].name : undefined;
}

/** Strips what models add or vary: case, separators, a prefix "functions.", and a suffix "_tool" or "<|channel|>…". */
const normalizedName = (name: string): string =>
  name
    .replace(/<\|.*/s, '')
    .trim()
    .replace(/^(?:functions?|tools?)[.:/]/i, '')
    .replace(/[-_\s]?tool$/i, '')
    .toLowerCase()
    .replace(/[-_\s.]/g, '');
