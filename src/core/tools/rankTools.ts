import type { AddedTool } from '../../protocol/events/event';
import { isRecord } from '../text/parseJson';

/** How much a word of the query counts where it is found. */
const weights = { name: 3, description: 1, argument: 1 } as const;
/** A tool whose whole name is in the query comes first. */
const exactName = 1_000;
/** Tools that fit much worse than the best one are not what was meant. */
const minShareOfBest = 0.45;
const fillers = new Set('a an and by for from in is it its of on or the this to with'.split(' '));

/**
 * Returns the tools that a query describes, best first. Rare words count more than words that many tools share, such as
 * the name of their server.
 */
export function rankTools(query: string, tools: readonly AddedTool[]): AddedTool[] {
  const wanted = [...new Set(wordsIn(query))];
  const names = new Set(query.split(/[^\w-]+/));
  const documents = tools.map((tool) => ({ tool, words: weightedWords(tool) }));
  const rarity = new Map(
    wanted.map((word) => {
      const count = documents.filter(({ words }) => weightOf(word, words) > 0).length;
      return [word, Math.log(1 + tools.length / Math.max(1, count))];
    }),
  );
  const scored = documents.map(({ tool, words }) => ({
    tool,
    score:
      (names.has(tool.name) ? exactName : 0) +
      wanted.reduce((sum, word) => sum + weightOf(word, words) * rarity.get(word)!, 0),
  }));
  const best = Math.max(...scored.map(({ score }) => score));
  return scored
    .filter(({ score }) => score > 0 && score >= best * minShareOfBest)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

function weightedWords({ name, description, parameters }: AddedTool): Map<string, number> {
  const words = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of wordsIn(text)) words.set(word, Math.max(weight, words.get(word) ?? 0));
  };
  const { properties } = parameters;
  for (const argument of isRecord(properties) ? Object.keys(properties) : []) add(argument, weights.argument);
  add(description, weights.description);
  add(name, weights.name);
  return words;
}

/** A word also counts, with less weight, for a longer one that begins with it. */
function weightOf(word: string, words: ReadonlyMap<string, number>): number {
  const whole = words.get(word);
  if (whole !== undefined) return whole;
  if (word.length < 3) return 0;
  let most = 0;
  for (const [each, weight] of words) if (each.startsWith(word)) most = Math.max(most, weight / 2);
  return most;
}

/** Splits a text into lower-case words. "createIssue" and "create_issues" both contain "create" and "issue". */
const wordsIn = (text: string): string[] =>
  (text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').match(/[\p{L}\p{N}]+/gu) ?? [])
    .map(singular)
    .filter((word) => !fillers.has(word));

const singular = (word: string): string => {
  const lower = word.toLowerCase();
  return lower.length > 3 && lower.endsWith('s') && !lower.endsWith('ss') ? lower.slice(0, -1) : lower;
};
