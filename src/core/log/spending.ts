import type { Sampling, Usage } from '../../protocol/events/event';
import { tellsTokens } from './addUsage';
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

const nothing = (): Page => ({
  steps: 0,
  seconds: 0,
  uncounted: 0,
  unpriced: 0,
  contextTokens: null,
  usage: { inputTokens: null, outputTokens: null, cachedTokens: null, cost: null },
});

const sum = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : a + b);

/** Mutable totals. Updated in place, because a long log has tens of thousands of events. */
type Page = { -readonly [Key in keyof Omit<Spending, 'usage'>]: Spending[Key] } & {
  readonly usage: { -readonly [Key in keyof Usage]: Usage[Key] };
};

/** Totals of the session and the current task. `extended`: an ended task got new limits, so it continues. */
interface Books {
  readonly all: Page;
  task: Page;
  resting: boolean;
  extended: boolean;
}

function enter({ all, task }: Books, change: (page: Page) => void): void {
  change(all);
  change(task);
}

function enterCall(page: Page, usage: Usage, untold: Untold, durationMs = 0): void {
  page.seconds += durationMs / 1000;
  page.uncounted += untold.tokens;
  page.unpriced += untold.cost;
  page.usage.inputTokens = sum(page.usage.inputTokens, usage.inputTokens);
  page.usage.outputTokens = sum(page.usage.outputTokens, usage.outputTokens);
  page.usage.cachedTokens = sum(page.usage.cachedTokens, usage.cachedTokens);
  page.usage.cost = sum(page.usage.cost, usage.cost);
}

/** Number of calls with unknown tokens or cost. */
type Untold = NonNullable<Sampling['untold']>;
const none: Untold = { tokens: 0, cost: 0 };
const untoldBy = (usage: Usage): Untold => ({ tokens: tellsTokens(usage) ? 0 : 1, cost: usage.cost === null ? 1 : 0 });

/** Spending of a run, for `readAhead`. */
export const booksOf = projection<Books>(
  () => ({ all: nothing(), task: nothing(), resting: false, extended: false }),
  (books, event) => {
    switch (event.type) {
      case 'agent_response': {
        const { usage, durationMs, sampling } = event;
        const own = sampling?.candidates[sampling.chosen]?.usage ?? usage;
        const untold = sampling ? (sampling.untold ?? none) : untoldBy(usage);
        enter(books, (page) => {
          enterCall(page, usage, untold, durationMs);
          if (event.by !== 'person') page.steps++;
          if (own.inputTokens !== null) page.contextTokens = own.inputTokens + (own.outputTokens ?? 0);
        });
        books.resting = event.actions.length === 0;
        break;
      }
      case 'condensation':
      case 'notice': {
        // Condensations are paid for like replies, but are not steps. This includes failed ones.
        const { usage } = event;
        const durationMs = event.type === 'condensation' ? event.durationMs : 0;
        if (usage) enter(books, (page) => enterCall(page, usage, untoldBy(usage), durationMs));
        break;
      }
      case 'observation': {
        const reports = [
          ...(event.details?.kind === 'delegate' ? event.details.children : []),
          ...(event.branch ? [event.branch] : []),
        ];
        const children = reports.filter(({ status }) => status !== 'not_run');
        const own = (event.durationMs ?? 0) / 1000;
        // Branches run in parallel and take no longer than their action. Time in which one waited for a person does not
        // count as work.
        const seconds =
          children.length === 0
            ? own
            : Math.min(
                own,
                children.reduce((sum, child) => sum + child.seconds, 0),
              );
        enter(books, (page) => {
          for (const { usage } of children) enterCall(page, usage, untoldBy(usage));
          page.seconds += seconds;
        });
        break;
      }
      case 'finished':
        books.resting = true;
        break;
      case 'settings_changed':
        if (event.limits) books.extended = books.resting;
        break;
      case 'user_message':
      case 'resumed':
        if (books.resting && !(books.extended && event.type === 'resumed')) books.task = nothing();
        books.resting = false;
        books.extended = false;
        break;
    }
  },
);

/** Immutable copy of the totals. */
const copied = (page: Page): Spending => ({ ...page, usage: { ...page.usage } });

/** Total usage of the session. */
export const spentBy = (history: History): Spending => copied(booksOf(history).all);

/**
 * Usage of the current task. A new instruction after an answer or an end starts a new budget; raising the limits of a
 * task that reached them does not.
 */
export const spentOnTask = (history: History): Spending => copied(booksOf(history).task);
