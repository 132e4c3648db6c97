import type { NewEvent } from '../../protocol/events/event';
import type { History } from '../log/projection';
import type { Model } from './model';

/**
 * Keeps what the model reads small enough. Asked before each model call: nothing to do (undefined), or one event
 * that ends the step, a `condensation`, or a `notice` that none was possible. What it decides is a function of the
 * log. An abort rejects; nothing else does.
 */
export interface Condenser {
  condense(history: History, signal: AbortSignal): Promise<NewEvent | undefined>;
}

export interface CondenserParts {
  /** Writes the summaries. */
  readonly model: Model;
  /** Tokens that a request of the agent may have; null where nobody knows. */
  readonly contextWindow: number | null;
  /** Characters of the tool schemas that each request carries; they fill the window too. */
  readonly toolCharacters?: number;
}
