import type { EventOf } from '../../src/protocol/events/event';
import type { Spent } from '../../src/protocol/events/figures';
import { formatMoney, formatTokens } from './format';
import { counted, text, type TextKey } from './text';

/** Initial value for sums. */
export const nothingSpent: Spent = {
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  cost: null,
  steps: 0,
  uncounted: 0,
  unpriced: 0,
};

/** Adds one step. Unknown values are excluded from the sums and counted, like in the core. */
export const addCall = (
  spent: Spent,
  { usage: call, sampling }: Pick<EventOf<'agent_response'>, 'usage' | 'sampling'>,
): Spent => ({
  inputTokens: sumOfKnown(spent.inputTokens, call.inputTokens),
  outputTokens: sumOfKnown(spent.outputTokens, call.outputTokens),
  cachedTokens: sumOfKnown(spent.cachedTokens, call.cachedTokens),
  cost: sumOfKnown(spent.cost, call.cost),
  steps: spent.steps + 1,
  uncounted: spent.uncounted + (sampling ? (sampling.untold?.tokens ?? 0) : Number(isUncounted(call))),
  unpriced: spent.unpriced + (sampling ? (sampling.untold?.cost ?? 0) : Number(call.cost === null)),
});

const isUncounted = ({ inputTokens, outputTokens }: EventOf<'agent_response'>['usage']): boolean =>
  inputTokens === null || outputTokens === null;

const sumOfKnown = (a: number | null, b: number | null): number | null => (a === null || b === null ? (a ?? b) : a + b);

/** Formats the essential usage: "24k in · $0.04", as far as known. A plus means "at least". */
export const shortUsage = (spent: Spent, how: { readonly scripted: boolean }): string =>
  shortUsageParts(spent, how).join(' · ');

/** The parts of `shortUsage`, which a narrow header shows only in part. */
export function shortUsageParts(spent: Spent, { scripted }: { readonly scripted: boolean }): string[] {
  if (spent.steps === 0) return [];
  if (scripted) return [counted('header.steps', spent.steps)];
  const { inputTokens, uncounted } = spent;
  const read =
    inputTokens === null ? '' : text('usage.in', { n: formatTokens(inputTokens) + plusIfMissing(uncounted) });
  const known = [read, costWords(spent)].filter(Boolean);
  return known.length > 0 ? known : [counted('header.steps', spent.steps)];
}

/**
 * Formats the full usage on one line: "10 steps · 24k in · 1.2k out · 19k cached · $0.04". Unknown values are omitted.
 * Scripts have neither tokens nor a price.
 */
export function longUsage(spent: Spent, { scripted }: { readonly scripted: boolean }): string {
  const steps = counted('header.steps', spent.steps);
  if (scripted || spent.steps === 0) return steps;
  const { inputTokens, outputTokens, cachedTokens, uncounted } = spent;
  const words = (key: 'usage.in' | 'usage.out' | 'usage.cached', n: number | null) =>
    n === null ? '' : text(key, { n: formatTokens(n) + plusIfMissing(uncounted) });
  return [
    steps,
    words('usage.in', inputTokens),
    words('usage.out', outputTokens),
    words('usage.cached', cachedTokens),
    costWords(spent),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Returns the names and values of everything that is known. */
export function usageTable(spent: Spent, { scripted }: { readonly scripted: boolean }): [string, string][] {
  const rows: [string, string][] = [[text('usage.steps'), String(spent.steps)]];
  if (scripted) return rows;
  const addTokens = (name: TextKey, n: number | null): void => {
    if (n !== null) rows.push([text(name), n.toLocaleString() + plusIfMissing(spent.uncounted)]);
  };
  addTokens('usage.tokensIn', spent.inputTokens);
  addTokens('usage.tokensOut', spent.outputTokens);
  addTokens('usage.tokensCached', spent.cachedTokens);
  if (spent.cost !== null) rows.push([text('usage.cost'), `$${spent.cost.toFixed(4)}${plusIfMissing(spent.unpriced)}`]);
  if (spent.uncounted > 0 && spent.inputTokens !== null)
    rows.push([text('usage.uncounted'), counted('usage.calls', spent.uncounted)]);
  if (spent.unpriced > 0 && spent.cost !== null)
    rows.push([text('usage.unpriced'), counted('usage.calls', spent.unpriced)]);
  return rows;
}

const plusIfMissing = (missing: number): string => (missing > 0 ? '+' : '');
const costWords = ({ cost, unpriced }: Spent): string =>
  cost === null ? '' : formatMoney(cost) + plusIfMissing(unpriced);
