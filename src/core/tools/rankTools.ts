import type { AddedTool } from '../../protocol/events/event';
import { isRecord } from '../text/parseJson';

/** How much a word of the query counts where it is found. */
const weights = { name: 3, description: 1, argument: 1 } as const;
/** A tool whose whole name is in the query comes first. */
const exactName = 1_000;
/** Tools that fit much worse than the best one of their source are not what was meant. */
const minShareOfBest = 0.45;
/** The same for a source: its best tool must match this share of the words that the best one of all matches. */
const minShareOfSource = 0.45;
/** Maximum number of words of a query that count. */
const maxWords = 60;
const fillers = new Set('a an and by for from in is it its of on or the this to with'.split(' '));

/**
 * Returns the tools that a query describes, best first and at most `most`. Rare words count more than words that many
 * tools share, such as the name of their server. If several sources have suitable tools, each gets its share of the
 * places.
 */
export function rankTools(query: string, tools: readonly AddedTool[], most: number): AddedTool[] {
  const wanted = [...new Set(wordsIn(query))].slice(0, maxWords);
  const names = new Set(query.split(/[^\w-]+/));
  const documents = tools.map((tool) => {
    const words = weightedWords(tool);
    return { tool, weights: wanted.map((word) => weightOf(word, words)) };
  });
  const rarity = wanted.map((_word, index) => {
    const count = documents.filter((each) => each.weights[index]! > 0).length;
    return Math.log(1 + tools.length / Math.max(1, count));
  });
  const scored = documents.map(({ tool, weights: found }): ScoredTool => {
    const exact = names.has(tool.name) ? exactName : 0;
    const sum = (weightOfMatch: (weight: number) => number): number =>
      found.reduce((total, weight, index) => total + weightOfMatch(weight) * rarity[index]!, exact);
    return { tool, score: sum((weight) => weight), matched: sum((weight) => Math.min(weight, 1)) };
  });
  const best = bestOfSources(scored);
  const mostMatched = Math.max(...[...best.values()].map(({ matched }) => matched));
  const isSuitable = ({ tool, score }: ScoredTool): boolean => {
    const bestOfSource = best.get(tool.from.source)!;
    return (
      score > 0 &&
      score >= bestOfSource.score * minShareOfBest &&
      bestOfSource.matched >= mostMatched * minShareOfSource
    );
  };
  return withShares(
    scored.filter(isSuitable).sort((a, b) => b.score - a.score),
    most,
  ).map(({ tool }) => tool);
}

interface ScoredTool {
  readonly tool: AddedTool;
  readonly score: number;
  /** What of the query it matches, wherever: a source with suitable names cannot hide the tools of another one. */
  readonly matched: number;
}

/** Returns the best values of each source. */
function bestOfSources(scored: readonly ScoredTool[]): Map<string, Pick<ScoredTool, 'score' | 'matched'>> {
  const best = new Map<string, Pick<ScoredTool, 'score' | 'matched'>>();
  for (const { tool, score, matched } of scored) {
    const known = best.get(tool.from.source) ?? { score: 0, matched: 0 };
    best.set(tool.from.source, { score: Math.max(score, known.score), matched: Math.max(matched, known.matched) });
  }
  return best;
}

/** Selects at most `most`, first the share of each source, and keeps the order. */
function withShares(ranked: readonly ScoredTool[], most: number): readonly ScoredTool[] {
  const sources = new Set(ranked.map(({ tool }) => tool.from.source));
  const share = Math.ceil(most / Math.max(1, sources.size));
  const counts = new Map<string, number>();
  const isInShare = new Map(
    ranked.map((each) => {
      const { source } = each.tool.from;
      const count = (counts.get(source) ?? 0) + 1;
      counts.set(source, count);
      return [each, count <= share];
    }),
  );
  const first = ranked.filter((each) => isInShare.get(each));
  const others = ranked.filter((each) => !isInShare.get(each));
  const selected = new Set([...first, ...others].slice(0, most));
  return ranked.filter((each) => selected.has(each));
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
