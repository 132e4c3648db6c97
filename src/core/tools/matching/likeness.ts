const longest = 4000;
/** What all comparisons together may cost, in pairs of characters; beyond it nothing counts as alike. */
const mostPairs = 500_000_000;

/** A measure of how alike two texts are, 0 … 1. */
export async function likenessMeasure(): Promise<(a: string, b: string) => number> {
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
