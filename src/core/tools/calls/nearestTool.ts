import { distance } from 'fastest-levenshtein';

/** Wrong letters that a name may have; a short name fewer. */
const mostWrong = 2;
const lettersPerWrong = 4;

/**
 * The one tool that a wrong name clearly means: another case, other signs between words, or a slip.
 * Undefined when none or several are near.
 */
export function nearestTool(name: string, names: readonly string[]): string | undefined {
  const wanted = plain(name);
  if (wanted === '') return undefined;
  const equal = names.filter((each) => plain(each) === wanted);
  if (equal.length > 0) return equal.length === 1 ? equal[0] : undefined;
  const room = Math.min(mostWrong, Math.floor(wanted.length / lettersPerWrong));
  const near = names
    .map((each) => ({ name: each, away: distance(plain(each), wanted) }))
    .filter(({ away }) => away <= room)
    .sort((a, b) => a.away - b.away);
  return near[0] && near[0].away !== near[1]?.away ? near[0].name : undefined;
}

/** Without what models add or vary: case, separators, "functions." before and "_tool" after the name. */
const plain = (name: string): string =>
  name
    .trim()
    .replace(/^(?:functions?|tools?)[.:/]/i, '')
    .replace(/[-_\s]?tool$/i, '')
    .toLowerCase()
    .replace(/[-_\s.]/g, '');
