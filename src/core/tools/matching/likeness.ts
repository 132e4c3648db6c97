const longest = 4000;

/** A measure of how alike two texts are, 0 … 1. */
export async function likenessMeasure(): Promise<(a: string, b: string) => number> {
  const {
    default: { distance },
  } = await import('fastest-levenshtein');
  return (a, b) =>
    a === b ? 1 : a.length > longest || b.length > longest ? 0 : 1 - distance(a, b) / Math.max(a.length, b.length, 1);
}
