import type { Event, EventOf } from '../events/event';

/** A message of a person that the agent has not read. */
export interface WaitingMessage {
  readonly event: EventOf<'user_message'>;
  /** True while the person edits it; the agent does not read it. */
  readonly held: boolean;
}

/** Returns the waiting messages after this event, in the order in which the agent will read them. */
export function waitingAfter(waiting: readonly WaitingMessage[], event: Event): readonly WaitingMessage[] {
  switch (event.type) {
    case 'user_message': {
      const added: WaitingMessage = { event, held: false };
      const isReplaced = waiting.some(({ event: { seq } }) => seq === event.instead);
      return isReplaced
        ? waiting.map((each) => (each.event.seq === event.instead ? added : each))
        : [...waiting, added];
    }
    case 'message_changed':
      return withChange(waiting, event);
    case 'agent_response':
      return waiting.filter(({ held, event: { seq } }) => held || seq >= event.readUpTo);
    case 'observation':
      return waiting.filter(({ held, event: words }) => held || !isSteer(words));
    case 'hook_ran':
      return event.decision === 'block' ? waiting.filter(({ event: { seq } }) => seq !== event.message) : waiting;
    default:
      return waiting;
  }
}

/** Returns the messages, by `seq`, that a person took back or is editing. A replacement is a separate message. */
export const takenBackIn = (events: readonly Event[]): ReadonlySet<number> =>
  new Set(
    events.flatMap((event) => (event.type === 'message_changed' && event.change !== 'moved' ? [event.message] : [])),
  );

/** True if the agent reads it together with the next tool result. Results cannot contain images. */
export const isSteer = ({ delivery, images }: EventOf<'user_message'>): boolean =>
  delivery === 'steer' && !images?.length;

function withChange(
  waiting: readonly WaitingMessage[],
  { message, change, before }: EventOf<'message_changed'>,
): readonly WaitingMessage[] {
  const found = waiting.find(({ event }) => event.seq === message);
  if (!found) return waiting;
  if (change === 'held') return waiting.map((each) => (each === found ? { ...each, held: true } : each));
  const others = waiting.filter((each) => each !== found);
  if (change === 'taken_back') return others;
  const place = others.findIndex(({ event }) => event.seq === before);
  return place < 0 ? [...others, found] : [...others.slice(0, place), found, ...others.slice(place)];
}

/**
 * Reorders the messages that wait for the next request according to `waiting`; all other events keep their positions.
 */
export function inReadingOrder<Each extends Event>(
  events: readonly Each[],
  waiting: readonly WaitingMessage[],
): Each[] {
  const places = new Map(events.map((event) => [event.seq, event]));
  const ordered = waiting.flatMap(({ held, event }) => (held || isSteer(event) ? [] : (places.get(event.seq) ?? [])));
  const moved = new Set(ordered);
  let next = 0;
  return events.map((event) => (moved.has(event) ? ordered[next++]! : event));
}
