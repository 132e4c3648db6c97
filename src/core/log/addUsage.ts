import type { Usage } from '../../protocol/events/event';

/** True if the provider reported the input and output tokens. */
export const hasTokenCounts = ({ inputTokens, outputTokens }: Usage): boolean =>
  inputTokens !== null && outputTokens !== null;

/** Adds up the usage of several calls. Unknown values are skipped; a sum is null if no value is known. */
export function addUsage(usages: readonly Usage[]): Usage {
  const sum = (part: keyof Usage): number | null => {
    const values = usages.map((usage) => usage[part]).filter((value) => value !== null);
    return values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
  };
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cachedTokens: sum('cachedTokens'),
    cost: sum('cost'),
  };
}

/** Usage of a call that reported none. */
export const unknownUsage: Usage = { inputTokens: null, outputTokens: null, cachedTokens: null, cost: null };
