import type { Event, EventOf } from '../../protocol/events/event';

/** The events of a log, in order. The index of an event is its `seq`. */
export type History = readonly Event[];

/** Returns the events of one type, in order. */
export function eventsOfType<Type extends Event['type']>(history: History, type: Type): EventOf<Type>[] {
  return history.filter((event): event is EventOf<Type> => event.type === type);
}

/** Computes a value from a log. `end`: index to stop before. */
export type Projection<State> = (history: History, end?: number) => State;

/**
 * Creates a projection: a value computed from a log incrementally. It remembers per log how far it has read, so later
 * calls only process new events, and a run of 1,000 steps does not slow down. `add` may change `state` in place or
 * return a new one.
 */
export function projection<State>(
  start: () => State,
  add: (state: State, event: Event) => State | void,
): Projection<State> {
  const states = new WeakMap<History, { read: number; state: State; adding: boolean }>();
  return (history, end = history.length) => {
    let memo = states.get(history);
    // If `add` threw, the state may include half an event, so start over.
    if (!memo || memo.adding) states.set(history, (memo = { read: 0, state: start(), adding: false }));
    for (; memo.read < end; memo.read++) {
      memo.adding = true;
      const next = add(memo.state, history[memo.read]!);
      if (next !== undefined) memo.state = next;
      memo.adding = false;
    }
    return memo.state;
  };
}

/** Number of events to process before yielding. */
const pieceLength = 500;

/**
 * Processes a long log for projections that will be needed soon. Yields between pieces, so that the first real calls
 * are fast.
 */
export function* warmProjections(
  history: History,
  questions: readonly Projection<unknown>[],
): Generator<undefined, void> {
  for (let end = 0; end < history.length; yield) {
    end = Math.min(end + pieceLength, history.length);
    for (const question of questions) question(history, end);
  }
}
