export type Bound = 'at least' | 'more than' | 'at most' | 'less than';

/**
 * Says which bound a value does not keep, without its name: "must have at least 2 items". `origin`: "string" for the
 * length of a text, "array" for that of a list; otherwise the value itself is bounded.
 */
export function boundWords(origin: string, bound: Bound, limit: unknown): string {
  const amount = `${bound} ${String(limit)}`;
  if (origin === 'string') return `must have ${amount} characters`;
  if (origin === 'array') return `must have ${amount} items`;
  return `must be ${amount}`;
}
