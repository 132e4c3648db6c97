/**
 * How many lists and objects may lie in one another in what a model writes. Whoever walks
 * such a value does so by calls of functions.
 */
export const deepestValue = 200;

/** Whether more than so many lists and objects lie in one another. */
export function deeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => deeperThan(levels - 1, item));
}
