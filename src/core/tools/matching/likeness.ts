import { linesAlike, lineWindows } from './lineWindows';
import { reindented } from './reindented';
import type { Strategy } from './strategy';

const longest = 4000;
/** What all comparisons together may cost, in pairs of characters; beyond it nothing counts as alike. */
const mostPairs = 500_000_000;

/** A measure of how alike two texts are, 0 … 1. */
type Likeness = (a: string, b: string) => number;

/** Whether the lines from `at` on are what was quoted, judged by their likeness. */
type LinesLike = (likeness: Likeness, lines: readonly string[], at: number, wanted: readonly string[]) => boolean;

/** Finds whole lines that are much like the quoted ones; white space at their ends does not count. */
export const byLikeness = (isLike: LinesLike): Pick<Strategy, 'wholeLines' | 'approximate' | 'places' | 'adapt'> => ({
  wholeLines: true,
  approximate: true,
  async places(text, part) {
    const likeness = await likenessMeasure();
    const find = linesAlike((lines, at, wanted) => isLike(likeness, lines, at, wanted));
    return lineWindows(text, part, (line) => line.trim(), find);
  },
  adapt: reindented,
});

async function likenessMeasure(): Promise<Likeness> {
  const {
    default: { distance },
  } = await import('fastest-levenshtein');
  let left = mostPairs;
  return (a, b) => {
    if (a === b) return 1;
    left -= a.length * b.length;
    if (a.length > longest || b.length > longest || left < 0) return 0;
    return 1 - distance(a, b) / Math.max(a.length, b.length, 1);
  };
}
