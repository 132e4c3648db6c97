import type { NewEvent, Problem } from '../../protocol/event';
import { ModelProblem, remedies } from '../model/model';

/** Ends a step early. Everything it means is in the events it carries. */
export class Interrupt extends Error {
  constructor(readonly events: readonly NewEvent[]) {
    super(events.map(event => event.type).join(', '));
    this.name = new.target.name;
  }
}

/** The run goes on; the model sees why the step ended. */
export class FormatError extends Interrupt {
  constructor(text: string) {
    super([{ type: 'feedback', cause: 'format_error', text }]);
  }
}

export class EmptyReply extends Interrupt {
  constructor() {
    super([{ type: 'feedback', cause: 'empty_reply', text: 'The last reply was empty. Go on with the task, or call finish when it is done.' }]);
  }
}

export class GoingInCircles extends Interrupt {
  constructor(words: string) {
    super([{ type: 'feedback', cause: 'going_in_circles', text: `${words} Doing it again will not help: look at what it says, try another way, or ask.` }]);
  }
}

/** The run is over. */
export class LimitExceeded extends Interrupt {
  constructor(limit: string) {
    super([{ type: 'finished', status: 'limit_exceeded', summary: limit }]);
  }
}

export class Submitted extends Interrupt {
  constructor(summary: string) {
    super([{ type: 'finished', status: 'submitted', summary }]);
  }
}

export class Failed extends Interrupt {
  constructor(problem: Problem) {
    super([{ type: 'finished', status: 'failed', summary: problem.what, problem }]);
  }
}

/** What a thrown value leaves behind in the log. */
export function eventsOf(thrown: unknown, signal: AbortSignal): readonly NewEvent[] {
  if (thrown instanceof Interrupt) return thrown.events;
  if (signal.aborted) return [{ type: 'paused', reason: String(signal.reason) }];
  if (thrown instanceof ModelProblem) return new Failed(asProblem(thrown)).events;
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return new Failed({ what: 'The run stopped.', why, next: 'Everything up to here is kept. Resume to try again; the output channel "Waymark" has the details.' }).events;
}

function asProblem({ kind, what, why, next }: ModelProblem): Problem {
  const remedy = remedies[kind];
  return { what, why, next, ...(remedy && { remedy }) };
}
