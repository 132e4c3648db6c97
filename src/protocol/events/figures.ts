import type { Usage } from './event';

/**
 * Sums over `steps` model calls. What a provider did not tell is left out of them and counted: tokens of `uncounted`
 * calls, cost of `unpriced` ones. A sum is null when nothing of it is known.
 */
export interface Spent extends Usage {
  steps: number;
  uncounted: number;
  unpriced: number;
}

export interface ContextFill {
  /** Tokens of the next request, without what is not said yet. */
  readonly tokens: number;
  /** The same, by what they are. */
  readonly parts: Readonly<Record<FillPart, number>>;
  /** Whether the estimate is scaled to what the provider counted; otherwise four characters are taken for a token. */
  readonly measured: boolean;
}

/** What fills a context window. `messages`: the task, words of the person and feedback; `results`: of actions. */
export type FillPart = 'system' | 'tools' | 'messages' | 'replies' | 'reasoning' | 'results' | 'summaries';
