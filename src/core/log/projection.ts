import type { Event } from '../../protocol/events/event';

export type History = readonly Event[];

/**
 * A question to the log whose answer grows with it. Per log it remembers how far it has read, so
 * asking again costs only the events that are new: a run of 1,000 steps does not get slower. `add`
 * may change `state` in place or return another.
 */
export function projection<State>(
  start: () => State,
  add: (state: State, event: Event) => State | void,
): (history: History) => State {
  const known = new WeakMap<History, { read: number; state: State; adding: boolean }>();
  return (history) => {
    let memo = known.get(history);
    // Where it was stopped in the middle of an event, half of that is in the state.
    if (!memo || memo.adding) known.set(history, (memo = { read: 0, state: start(), adding: false }));
    for (; memo.read < history.length; memo.read++) {
      memo.adding = true;
      const next = add(memo.state, history[memo.read]!);
      if (next !== undefined) memo.state = next;
      memo.adding = false;
    }
    return memo.state;
  };
}
