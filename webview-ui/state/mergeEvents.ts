import type { Event } from '../../src/protocol/events/event';

/** The events `from … from + events.length` of a log, and those that came before the ones between did. */
export interface Held {
  readonly from: number;
  readonly events: readonly Event[];
  readonly ahead: readonly Event[];
}

/** Joins events to those held, whatever their order and however often they come. Earlier ones count only when they touch what is held. */
export function mergeEvents(held: Held, incoming: readonly Event[]): Held {
  const end = held.from + held.events.length;
  const earlier = bySeq(incoming.filter((event) => event.seq < held.from));
  const later = bySeq([...held.ahead, ...incoming.filter((event) => event.seq >= end)]);

  let start = earlier.length;
  while (start > 0 && earlier[start - 1]!.seq === held.from - (earlier.length - start) - 1) start--;
  const before = earlier.slice(start);

  let joined = 0;
  while (joined < later.length && later[joined]!.seq === end + joined) joined++;
  const ahead = later.slice(joined);
  if (before.length + joined === 0) return ahead.length === held.ahead.length ? held : { ...held, ahead };
  return { from: held.from - before.length, events: [...before, ...held.events, ...later.slice(0, joined)], ahead };
}

function bySeq(events: readonly Event[]): Event[] {
  if (events.length < 2) return [...events];
  return [...new Map(events.map((event) => [event.seq, event])).values()].sort((a, b) => a.seq - b.seq);
}
