import type { EventOf } from '../../src/protocol/events/event';
import type { Spent } from '../../src/protocol/events/figures';
import { money, tokens } from './format';
import { counted, text } from './text';

/** Nothing, for sums to start from. */
export const nothingSpent: Spent = {
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  cost: null,
  steps: 0,
  uncounted: 0,
  unpriced: 0,
};

/** One more step. What is unknown is left out of the sums and counted, as the core does it. */
export const addCall = (
  spent: Spent,
  { usage: call, sampling }: Pick<EventOf<'agent_response'>, 'usage' | 'sampling'>,
): Spent => ({
  inputTokens: sum(spent.inputTokens, call.inputTokens),
  outputTokens: sum(spent.outputTokens, call.outputTokens),
  cachedTokens: sum(spent.cachedTokens, call.cachedTokens),
  cost: sum(spent.cost, call.cost),
  steps: spent.steps + 1,
  uncounted:
    spent.uncounted +
    (sampling ? (sampling.untold?.tokens ?? 0) : call.inputTokens === null || call.outputTokens === null ? 1 : 0),
  unpriced: spent.unpriced + (sampling ? (sampling.untold?.cost ?? 0) : call.cost === null ? 1 : 0),
});

const sum = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b);

/** "24k in · $0.04": what a glance needs. A plus says "at least this". */
export function shortUsage(spent: Spent, scripted: boolean): string {
  if (spent.steps === 0) return '';
  if (scripted) return counted('header.steps', spent.steps);
  const { inputTokens, uncounted } = spent;
  return [
    inputTokens === null ? text('usage.noTokens') : text('usage.in', { n: tokens(inputTokens) + more(uncounted) }),
    costWords(spent),
  ].join(' · ');
}

/**
 * "10 steps · 24k in · 1.2k out · 19k cached · $0.04": the whole in one line. A script has no tokens and no price.
 * `onlyKnown`: what is not known is left out.
 */
export function longUsage(spent: Spent, scripted: boolean, onlyKnown = false): string {
  const steps = counted('header.steps', spent.steps);
  if (scripted || spent.steps === 0) return steps;
  const { inputTokens, outputTokens, cachedTokens, uncounted } = spent;
  const price = (spent.cost !== null || !onlyKnown) && costWords(spent);
  if (inputTokens === null && outputTokens === null)
    return [steps, !onlyKnown && text('usage.noTokens'), price].filter(Boolean).join(' · ');
  const words = (key: 'usage.in' | 'usage.out' | 'usage.cached', n: number | null) =>
    (n !== null || !onlyKnown) && text(key, { n: n === null ? text('unknown') : tokens(n) + more(uncounted) });
  return [
    steps,
    words('usage.in', inputTokens),
    words('usage.out', outputTokens),
    words('usage.cached', cachedTokens),
    price,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Names and values of everything that is known. */
export function usageTable(spent: Spent, scripted: boolean): [string, string][] {
  const rows: [string, string][] = [[text('usage.steps'), String(spent.steps)]];
  if (scripted) return rows;
  const exact = (n: number | null) => (n === null ? text('unknown') : n.toLocaleString() + more(spent.uncounted));
  rows.push(
    [text('usage.tokensIn'), exact(spent.inputTokens)],
    [text('usage.tokensOut'), exact(spent.outputTokens)],
    [text('usage.tokensCached'), exact(spent.cachedTokens)],
  );
  rows.push([
    text('usage.cost'),
    spent.cost === null ? text('unknown') : `$${spent.cost.toFixed(4)}${more(spent.unpriced)}`,
  ]);
  if (spent.uncounted > 0 && spent.inputTokens !== null)
    rows.push([text('usage.uncounted'), counted('usage.calls', spent.uncounted)]);
  if (spent.unpriced > 0 && spent.cost !== null)
    rows.push([text('usage.unpriced'), counted('usage.calls', spent.unpriced)]);
  return rows;
}

const more = (missing: number): string => (missing > 0 ? '+' : '');
const costWords = ({ cost, unpriced }: Spent): string =>
  cost === null ? text('usage.noCost') : money(cost) + more(unpriced);
