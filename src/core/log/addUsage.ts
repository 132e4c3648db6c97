import type { Usage } from '../../protocol/events/event';

/** Whether the provider said how many tokens went in and out. */
export const tellsTokens = ({ inputTokens, outputTokens }: Usage): boolean =>
  inputTokens !== null && outputTokens !== null;

/** What several calls used. What one did not tell is left out; a sum is null when nothing of it is known. */
export function addUsage(usages: readonly Usage[]): Usage {
  const sum = (part: keyof Usage): number | null => {
    const known = usages.map((usage) => usage[part]).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
  };
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cachedTokens: sum('cachedTokens'),
    cost: sum('cost'),
  };
}
