import type { EventOf, Sampling, Usage } from '../../protocol/events/event';
import { projection, type History } from './projection';

/** What a run used. Unknown tokens or cost are left out of the sum and counted in `uncounted` or `unpriced`. */
export interface Spending {
  readonly steps: number;
  /** Seconds of work: model calls and actions, without the time spent waiting for a person. */
  readonly seconds: number;
  readonly usage: Usage;
  /** Model calls for which the provider did not report input or output tokens. */
  readonly uncounted: number;
  /** Model calls with unknown cost. */
  readonly unpriced: number;
  /**
   * Tokens of the latest request and its reply (the chosen one of several candidates), which show how full the context
   * window is. Null if the provider did not report them.
   */
  readonly contextTokens: number | null;
}

const noUsage = (): Total => ({
  steps: 0,
  seconds: 0,
  uncounted: 0,
  unpriced: 0,
  contextTokens: null,
  usage: { inputTokens: null, outputTokens: null, cachedTokens: null, cost: null },
});

/** Mutable totals. Updated in place, because a long log has tens of thousands of events. */
type Total = { -readonly [Key in keyof Omit<Spending, 'usage'>]: Spending[Key] } & {
  readonly usage: { -readonly [Key in keyof Usage]: Usage[Key] };
};

/** Totals of the session and the current task. `extended`: an ended task got new limits, so it continues. */
interface Totals {
  readonly all: Total;
  task: Total;
  resting: boolean;
  extended: boolean;
}

function enter({ all, task }: Totals, change: (total: Total) => void): void {
  change(all);
  change(task);
}

function enterCall(total: Total, usage: Usage, unknown: UnknownUsage, durationMs = 0): void {
  total.seconds += durationMs / 1000;
  total.uncounted += unknown.tokens;
  total.unpriced += unknown.cost;
  total.usage.inputTokens = addKnown(total.usage.inputTokens, usage.inputTokens);
  total.usage.outputTokens = addKnown(total.usage.outputTokens, usage.outputTokens);
  total.usage.cachedTokens = addKnown(total.usage.cachedTokens, usage.cachedTokens);
  total.usage.cost = addKnown(total.usage.cost, usage.cost);
}

/** Number of calls with unknown tokens or cost. */
type UnknownUsage = NonNullable<Sampling['untold']>;
const none: UnknownUsage = { tokens: 0, cost: 0 };
const unknownIn = (usage: Usage): UnknownUsage => ({
  tokens: hasTokenCounts(usage) ? 0 : 1,
  cost: usage.cost === null ? 1 : 0,
});

/** Spending of a run, for `readAhead`. */
export const spendingOf = projection<Totals>(
  () => ({ all: noUsage(), task: noUsage(), resting: false, extended: false }),
  (totals, event) => {
    switch (event.type) {
      case 'agent_response':
        enterReply(event, totals);
        totals.resting = event.actions.length === 0;
        break;
      case 'condensation':
      case 'notice': {
        // Condensations are paid for like replies, but are not steps. This includes failed ones.
        const { usage } = event;
        const durationMs = event.type === 'condensation' ? event.durationMs : 0;
        if (usage) enter(totals, (total) => enterCall(total, usage, unknownIn(usage), durationMs));
        break;
      }
      case 'observation':
        enterAction(event, totals);
        break;
      case 'finished':
        totals.resting = true;
        break;
      case 'settings_changed':
        if (event.limits) totals.extended = totals.resting;
        break;
      case 'user_message':
      case 'resumed':
        if (totals.resting && !(totals.extended && event.type === 'resumed')) totals.task = noUsage();
        totals.resting = false;
        totals.extended = false;
        break;
    }
  },
);

function enterReply({ usage, durationMs, sampling, by }: EventOf<'agent_response'>, totals: Totals): void {
  const own = sampling?.candidates[sampling.chosen]?.usage ?? usage;
  const unknown = sampling ? (sampling.untold ?? none) : unknownIn(usage);
  enter(totals, (total) => {
    enterCall(total, usage, unknown, durationMs);
    if (by !== 'person') total.steps++;
    if (own.inputTokens !== null) total.contextTokens = own.inputTokens + (own.outputTokens ?? 0);
  });
}

/** Enters the time of an action, and what the runs that it started cost. */
function enterAction({ details, branch, durationMs = 0 }: EventOf<'observation'>, totals: Totals): void {
  const reports = [...(details?.kind === 'delegate' ? details.children : []), ...(branch ? [branch] : [])];
  const children = reports.filter(({ status }) => status !== 'not_run');
  const own = durationMs / 1000;
  const together = children.reduce((sum, child) => sum + child.seconds, 0);
  enter(totals, (total) => {
    for (const { usage } of children) enterCall(total, usage, unknownIn(usage));
    // Branches run in parallel and take no longer than their action. Time in which one waited for a person does not
    // count as work.
    total.seconds += children.length === 0 ? own : Math.min(own, together);
  });
}

/** Immutable copy of the totals. */
const copyOfTotal = (total: Total): Spending => ({ ...total, usage: { ...total.usage } });

/** Total usage of the session. */
export const sessionSpending = (history: History): Spending => copyOfTotal(spendingOf(history).all);

/**
 * Usage of the current task. A new instruction after an answer or an end starts a new budget; raising the limits of a
 * task that reached them does not.
 */
export const taskSpending = (history: History): Spending => copyOfTotal(spendingOf(history).task);

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
