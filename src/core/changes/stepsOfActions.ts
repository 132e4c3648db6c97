import type { History } from '../log/projection';
import { projection } from '../log/projection';

/** Where an action stands in its run. */
export interface ActionPlace {
  /** The number of the step, from 1, as people are shown it. */
  readonly step: number;
  /** The turn: words of a person begin a new one; the task is turn 1. */
  readonly turn: number;
  /** The event of the reply that asked for it. */
  readonly seq: number;
  readonly summary: string;
  /** What the model says the action is for, else what it said in that reply. */
  readonly reason: string;
}

interface Counted {
  readonly places: Map<string, ActionPlace>;
  steps: number;
  turns: number;
}

const counted = projection<Counted>(
  () => ({ places: new Map(), steps: 0, turns: 0 }),
  (state, event) => {
    if (event.type === 'task_started' || event.type === 'user_message') state.turns++;
    if (event.type !== 'agent_response') return;
    state.steps++;
    for (const { id, summary, purpose } of event.actions)
      state.places.set(id, {
        step: state.steps,
        turn: state.turns,
        seq: event.seq,
        summary,
        reason: purpose ?? event.text.trim(),
      });
  },
);

/** The places of all actions of a log, by id. */
export const stepsOfActions = (history: History): ReadonlyMap<string, ActionPlace> => counted(history).places;
