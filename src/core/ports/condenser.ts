import type { NewEvent } from '../../protocol/events/event';
import type { History } from '../log/projection';
import type { Model } from './model';

/**
 * Keeps the model's input small enough. Called before each model call. Returns undefined if there is nothing to do, or
 * one event that ends the step: a `condensation`, or a `notice` that none was possible. The decision depends only on
 * the log. Rejects only when aborted.
 */
export interface Condenser {
  condense(history: History, signal: AbortSignal): Promise<NewEvent | undefined>;
}

/** What a condenser works with. */
export interface CondenserParts {
  /** Model that writes the summaries. */
  readonly model: Model;
  /** Maximum number of tokens in a request of the agent, or null if unknown. */
  readonly contextWindow: number | null;
  /** Returns the length of the tool schemas sent with the next request, in characters. They take up context, too. */
  toolCharacters?(history: History): number;
}
