import { waitingAfter, type WaitingMessage } from '../../protocol/plain/waitingMessages';
import { type History, projection } from '../log/projection';

/** Position of an action in its run. */
export interface ActionPlace {
  /** 1-based step number, as shown to people. */
  readonly step: number;
  /** 1-based turn. A turn begins when the model reads new messages of the person; turn 1 is the task. */
  readonly turn: number;
  /** Sequence number of the reply that requested it. */
  readonly seq: number;
  /** Sequence number of the event with its result. Absent before. */
  readonly endedAt?: number;
  readonly summary: string;
  /** Purpose stated by the model, or else the text of its reply. */
  readonly reason: string;
}

interface StepsAndTurns {
  readonly places: Map<string, ActionPlace>;
  steps: number;
  /** Text of the person at the beginning of each turn. */
  readonly turns: string[];
  /** Messages the model has not read yet. */
  waiting: readonly WaitingMessage[];
}

const stepsAndTurns = projection<StepsAndTurns>(
  () => ({ places: new Map(), steps: 0, turns: [], waiting: [] }),
  (state, event) => {
    const { waiting } = state;
    state.waiting = waitingAfter(waiting, event);
    if (event.type === 'task_started') state.turns.push(event.task);
    if (event.type === 'agent_response' || event.type === 'observation') {
      // Messages read together start one turn. Messages that were withdrawn or blocked start none.
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

/** Positions of all actions of a log, by id. */
export const stepsOfActions = (history: History): ReadonlyMap<string, ActionPlace> => stepsAndTurns(history).places;

/** Text of the person at the beginning of each turn, starting with turn 1. */
export const textOfTurns = (history: History): readonly string[] => stepsAndTurns(history).turns;
