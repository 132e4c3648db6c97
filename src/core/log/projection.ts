import type { Event } from '../../protocol/events/event';

export type History = readonly Event[];

/** Asks a log. `end`: reads no further than there for now. */
export type Question<State> = (history: History, end?: number) => State;

/**
 * A question to the log whose answer grows with it. Per log it remembers how far it has read, so
 * asking again costs only the events that are new: a run of 1,000 steps does not get slower. `add`
 * may change `state` in place or return another.
 */
export function projection<State>(
  start: () => State,
  add: (state: State, event: Event) => State | void,
): Question<State> {
  const known = new WeakMap<History, { read: number; state: State; adding: boolean }>();
  return (history, end = history.length) => {
    let memo = known.get(history);
    // If `add` threw, the state holds half an event, so it is made anew.
    if (!memo || memo.adding) known.set(history, (memo = { read: 0, state: start(), adding: false }));
    for (; memo.read < end; memo.read++) {
      memo.adding = true;
      const next = add(memo.state, history[memo.read]!);
      if (next !== undefined) memo.state = next;
      memo.adding = false;
    }
    return memo.state;
  };
}

/** Events that are read for all questions before others have their turn. */
const pieceLength = 500;

/** Reads a long log for questions that somebody will ask of it, in pieces, so that the first answers take no long time. */
export function* readAhead(history: History, questions: readonly Question<unknown>[]): Generator<undefined, void> {
  for (let end = 0; end < history.length; yield) {
    end = Math.min(end + pieceLength, history.length);
    for (const question of questions) question(history, end);
  }
}
