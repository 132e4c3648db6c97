import type { Usage } from '../../protocol/events/event';

/** True if the provider reported the input and output tokens. */
export const hasTokenCounts = ({ inputTokens, outputTokens }: Usage): boolean =>
  inputTokens !== null && outputTokens !== null;

/** Adds two amounts, of which one or both may be unknown. */
export function addKnown(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : a + b;
}

/** Adds up amounts. Unknown ones are skipped; the sum is null if none is known. */
export const sumOfKnown = (amounts: readonly (number | null)[]): number | null => amounts.reduce(addKnown, null);

/** Adds up the usage of several calls. Unknown values are skipped; a sum is null if no value is known. */
export function addUsage(usages: readonly Usage[]): Usage {
  const sum = (part: keyof Usage): number | null => sumOfKnown(usages.map((usage) => usage[part]));
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cachedTokens: sum('cachedTokens'),
    cost: sum('cost'),
  };
}

/** Usage of a call that reported none. */
export const unknownUsage: Usage = { inputTokens: null, outputTokens: null, cachedTokens: null, cost: null };
