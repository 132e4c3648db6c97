import { waitingAfter, type WaitingMessage } from '../../protocol/plain/waitingMessages';
import type { History } from '../log/projection';
import { projection } from '../log/projection';

/** The place of an action in its run. */
export interface ActionPlace {
  /** The number of the step, from 1, as people are shown it. */
  readonly step: number;
  /** The turn: words of a person begin a new one when the model reads them; the task is turn 1. */
  readonly turn: number;
  /** The event of the reply that asked for it. */
  readonly seq: number;
  /** The event with the result of the action; absent before it. */
  readonly endedAt?: number;
  readonly summary: string;
  /** What the model says the action is for, else what it said in that reply. */
  readonly reason: string;
}

interface Counted {
  readonly places: Map<string, ActionPlace>;
  steps: number;
  /** What the person said at the beginning of each turn. */
  readonly turns: string[];
  /** What the model has not read yet. */
  waiting: readonly WaitingMessage[];
}

const counted = projection<Counted>(
  () => ({ places: new Map(), steps: 0, turns: [], waiting: [] }),
  (state, event) => {
    const { waiting } = state;
    state.waiting = waitingAfter(waiting, event);
    if (event.type === 'task_started') state.turns.push(event.task);
    if (event.type === 'agent_response' || event.type === 'observation') {
      // What is read at once begins one turn. Words that were taken back or held up begin none.
      const read = waiting.filter((message) => !state.waiting.includes(message));
      if (read.length > 0) state.turns.push(read.map((message) => message.event.text).join('\n'));
    }
    if (event.type === 'observation') {
      const place = state.places.get(event.actionId);
      if (place) state.places.set(event.actionId, { ...place, endedAt: event.seq });
    }
    if (event.type !== 'agent_response') return;
    state.steps++;
    for (const { id, summary, purpose } of event.actions)
      state.places.set(id, {
        step: state.steps,
        turn: state.turns.length,
        seq: event.seq,
        summary,
        reason: purpose ?? event.text.trim(),
      });
  },
);

/** The places of all actions of a log, by id. */
export const stepsOfActions = (history: History): ReadonlyMap<string, ActionPlace> => counted(history).places;

/** What the person said at the beginning of each turn, from turn 1. */
export const wordsOfTurns = (history: History): readonly string[] => counted(history).turns;
