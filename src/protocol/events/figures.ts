import type { Usage } from './event';

/**
 * Totals over `steps` model calls. Values that a provider did not report are excluded and counted: `uncounted` calls
 * without tokens, `unpriced` calls without cost. A total is null if nothing is known.
 */
export interface Spent extends Usage {
  steps: number;
  uncounted: number;
  unpriced: number;
}

/** How much of the context window the next request uses. */
export interface ContextFill {
  /** Tokens of the next request, without messages not yet written. */
  readonly tokens: number;
  /** The same by category. */
  readonly parts: Readonly<Record<FillPart, number>>;
  /** True if the estimate is scaled to the provider's token counts. Otherwise, four characters count as one token. */
  readonly measured: boolean;
}

/**
 * Categories of context content. `messages`: the task, the person's messages and feedback; `results`: results of
 * actions.
 */
export type FillPart = 'system' | 'tools' | 'messages' | 'replies' | 'reasoning' | 'results' | 'summaries';
