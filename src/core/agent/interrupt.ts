import type { EndCause, EventOf, NewEvent, Problem, Limits } from '../../protocol/events/event';
import { ModelProblem, remedies } from '../ports/model';
import { errorMessage } from '../text/errorMessage';
import type { Spending } from '../log/spending';

/** Ends a step early. Its events describe the reason completely. */
export class Interrupt extends Error {
  constructor(readonly events: readonly NewEvent[]) {
    super(events.map((event) => event.type).join(', '));
    this.name = new.target.name;
  }
}

/** The run continues, and the model sees why the step ended. */
export class Feedback extends Interrupt {
  /** `hidesReply`: the model does not see the reply again that the feedback is about. */
  constructor(
    cause: EventOf<'feedback'>['cause'],
    text: string,
    { hidesReply = false }: { readonly hidesReply?: boolean } = {},
  ) {
    super([{ type: 'feedback', cause, text, ...(hidesReply && { hidesReply }) }]);
  }
}

/** The run continues with a new request, which includes what arrived during the wait for a retry. */
export class AskedAnew extends Interrupt {
  constructor() {
    super([]);
  }
}

/** The run continues after the conversation was condensed. */
export class ContextOverflow extends Interrupt {
  /** `contextWindow`: tokens that the model can read, if the server named them. */
  constructor(contextWindow: number | undefined) {
    super([{ type: 'condensation_requested', by: 'context_overflow', ...(contextWindow && { contextWindow }) }]);
  }
}

/** Ends the run because a limit was reached. */
export class LimitExceeded extends Interrupt {
  constructor(
    readonly limit: 'steps' | 'cost' | 'seconds',
    words: string,
  ) {
    super([{ type: 'finished', status: 'limit_exceeded', cause: limit, summary: words }]);
  }

  /** Returns the same limit with the model's own final text. */
  withFinalText(words: string): LimitExceeded {
    return words.trim() ? new LimitExceeded(this.limit, words) : this;
  }
}

/** Ends the task: the agent is done. */
export class Submitted extends Interrupt {
  constructor(summary: string) {
    super([{ type: 'finished', status: 'submitted', summary }]);
  }
}

/** Ends the task because of a problem. */
export class Failed extends Interrupt {
  constructor(problem: Problem, cause?: EndCause) {
    super([{ type: 'finished', status: 'failed', summary: problem.what, ...(cause && { cause }), problem }]);
  }
}

/** Returns the events that a thrown value adds to the log. */
export function interruptEvents(thrown: unknown): readonly NewEvent[] {
  if (thrown instanceof Interrupt) return thrown.events;
  if (thrown instanceof ModelProblem)
    return new Failed(asProblem(thrown), thrown.kind === 'context_overflow' ? 'context_overflow' : 'model').events;
  const why = errorMessage(thrown);
  return new Failed({
    what: 'The run stopped.',
    why,
    next: 'Everything up to here is kept. Try again; the output channel "Waymark" has the details.',
  }).events;
}

function asProblem({ kind, what, why, next }: ModelProblem): Problem {
  const remedy = remedies[kind];
  return { what, why, next, ...(remedy && { remedy }) };
}

/**
 * Checks the limits before a model call. Returns the limit that the task has reached, or undefined. 0 means no limit,
 * and unknown cost does not count.
 */
export function limitReached({ steps, cost, seconds }: Limits, spent: Spending): LimitExceeded | undefined {
  if (steps > 0 && spent.steps >= steps)
    return new LimitExceeded('steps', `The limit of ${steps} ${steps === 1 ? 'step' : 'steps'} is reached.`);
  if (cost > 0 && (spent.usage.cost ?? 0) >= cost)
    return new LimitExceeded('cost', `The limit of $${cost} is reached.`);
  if (seconds > 0 && spent.seconds >= seconds) return secondsReached(seconds);
  return undefined;
}

export const secondsReached = (seconds: number): LimitExceeded =>
  new LimitExceeded('seconds', `The limit of ${seconds} ${seconds === 1 ? 'second' : 'seconds'} of work is reached.`);
