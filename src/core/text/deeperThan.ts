/** Maximum nesting depth of lists and objects written by a model. Such values are walked recursively. */
export const maxValueDepth = 200;

/** Returns whether lists and objects are nested more than `levels` deep. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item));
}
