import { distance } from 'fastest-levenshtein';
import { plainName } from '../../text/fields';

/** Minimum number of letters in a name for each wrong letter. */
const lettersPerWrong = 3;

/**
 * Returns the name most likely meant: equal except for case and `_`, a typo, or one that shares a word ("old_string"
 * and "old_text").
 */
export function likelyName(wrong: string, names: readonly string[]): string | undefined {
  const wanted = plainName(wrong);
  const same = names.find((name) => plainName(name) === wanted);
  if (same !== undefined) return same;
  const room = Math.floor(wanted.length / lettersPerWrong);
  const near = names
    .map((name) => ({ name, away: distance(plainName(name), wanted) }))
    .sort((a, b) => a.away - b.away)[0];
  if (near && near.away <= room) return near.name;
  const words = new Set(splitName(wrong));
  return names.find((name) => splitName(name).some((word) => words.has(word)));
}

const splitName = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
