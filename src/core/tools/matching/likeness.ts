import { type Strategy, findSimilarLines, lineWindows, reindented } from './strategy';

const maxComparedLength = 4000;
/** Budget for all comparisons together, in character pairs. Beyond it, nothing counts as similar. */
const maxPairs = 500_000_000;

/** Similarity of two texts, 0 to 1. */
type Likeness = (a: string, b: string) => number;

/** Returns whether the lines from `at` on match the quoted lines, judged by similarity. */
type LinesLike = (likeness: Likeness, lines: readonly string[], at: number, wanted: readonly string[]) => boolean;

/** Finds whole lines that are similar to the quoted ones, ignoring white space at their ends. */
const byLikeness = (isLike: LinesLike): Pick<Strategy, 'wholeLines' | 'approximate' | 'places' | 'adapt'> => ({
  wholeLines: true,
  approximate: true,
  async places(text, part) {
    const likeness = await likenessMeasure();
    const find = findSimilarLines((lines, at, wanted) => isLike(likeness, lines, at, wanted));
    return lineWindows(text, part, (line) => line.trim(), find);
  },
  adapt: reindented,
});

async function likenessMeasure(): Promise<Likeness> {
  const {
    default: { distance },
  } = await import('fastest-levenshtein');
  let left = maxPairs;
  return (a, b) => {
    if (a === b) return 1;
    left -= a.length * b.length;
    if (a.length > maxComparedLength || b.length > maxComparedLength || left < 0) return 0;
    return 1 - distance(a, b) / Math.max(a.length, b.length, 1);
  };
}

const minBlockLines = 3;
const minSimilarity = 0.6;

/** Finds a block whose first and last lines match and whose middle is similar to the quoted one. */
export const blockAnchor: Strategy = {
  name: 'block-anchor',
  differs: 'the first and last lines match, but the lines between differ slightly',
  ...byLikeness((likeness, lines, at, wanted) => {
    const last = wanted.length - 1;
    if (wanted.length < minBlockLines || wanted[0] === '') return false;
    if (lines[at] !== wanted[0] || lines[at + last] !== wanted[last]) return false;
    const between = lines.slice(at + 1, at + last).join('\n');
    return likeness(between, wanted.slice(1, last).join('\n')) >= minSimilarity;
  }),
};

const minLines = 3;
const likeLine = 0.8;
/** Minimum share of similar lines, and below of equal lines. */
const likeLines = 0.75;
const equalShare = 0.5;

/** Finds a run of lines of which most are similar and half are equal, so that the context identifies the place. */
export const contextAware: Strategy = {
  name: 'context-aware',
  differs: 'most lines match, but some differ slightly',
  ...byLikeness((likeness, lines, at, wanted) => {
    if (wanted.length < minLines) return false;
    const equal = wanted.filter((line, index) => lines[at + index] === line);
    if (equal.length < wanted.length * equalShare) return false;
    if (!equal.some((line) => line.length > minLines)) return false;
    const alike = wanted.filter((line, index) => likeness(lines[at + index]!, line) >= likeLine);
    return alike.length >= wanted.length * likeLines;
  }),
};
