import { findSimilarLines, lineWindows } from './lineWindows';
import { reindented } from './reindented';
import type { Strategy } from './strategy';

const maxComparedLength = 4000;
/** Budget for all comparisons together, in character pairs. Beyond it, nothing counts as similar. */
const maxPairs = 500_000_000;

/** Similarity of two texts, 0 to 1. */
type Likeness = (a: string, b: string) => number;

/** Returns whether the lines from `at` on match the quoted lines, judged by similarity. */
type LinesLike = (likeness: Likeness, lines: readonly string[], at: number, wanted: readonly string[]) => boolean;

/** Finds whole lines that are similar to the quoted ones, ignoring white space at their ends. */
export const byLikeness = (isLike: LinesLike): Pick<Strategy, 'wholeLines' | 'approximate' | 'places' | 'adapt'> => ({
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
