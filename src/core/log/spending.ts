import type { Sampling, Usage } from '../../protocol/events/event';
import { tellsTokens } from './addUsage';
import { projection, type History } from './projection';

/** What a run used. A `null` in tokens or cost is left out of the sum and counted in `uncounted` or `unpriced`. */
export interface Spending {
  readonly steps: number;
  /** Seconds of work: model calls and actions, not the time a person took. */
  readonly seconds: number;
  readonly usage: Usage;
  /** Model calls whose tokens, in or out, the provider did not tell. */
  readonly uncounted: number;
  /** Model calls whose cost nobody knows. */
  readonly unpriced: number;
  /**
   * Tokens of the latest request and its reply, of several candidates the chosen one, null when the provider did
   * not say: how full the context window is.
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

/** A page of the books. It is written on in place: a long log has tens of thousands of entries. */
type Page = { -readonly [Key in keyof Omit<Spending, 'usage'>]: Spending[Key] } & {
  readonly usage: { -readonly [Key in keyof Usage]: Usage[Key] };
};

/** `extended`: a task that had ended was given other limits, so it is not over. */
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

/** Of how many calls the tokens or the cost are not known. */
type Untold = NonNullable<Sampling['untold']>;
const none: Untold = { tokens: 0, cost: 0 };
const untoldBy = (usage: Usage): Untold => ({ tokens: tellsTokens(usage) ? 0 : 1, cost: usage.cost === null ? 1 : 0 });

/** What a run spent, for `readAhead`. */
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
        // Summaries are paid for as replies are, but are no steps; so are those that came to nothing.
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
        // Side by side they take no longer than the action; the time in which one of
        // them waited for a person is nobody's work.
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

/** A page as it is now. */
const copied = (page: Page): Spending => ({ ...page, usage: { ...page.usage } });

/** Everything the session used. */
export const spentBy = (history: History): Spending => copied(booksOf(history).all);

/**
 * What the current task used: a new instruction after an answer or an end starts a new allowance; new limits for
 * the task that reached the old ones do not.
 */
export const spentOnTask = (history: History): Spending => copied(booksOf(history).task);
