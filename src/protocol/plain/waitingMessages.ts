import type { Event, EventOf } from '../events/event';

/** A message of a person that the agent has not read. */
export interface WaitingMessage {
  readonly event: EventOf<'user_message'>;
  /** The person edits it: the agent does not read it. */
  readonly held: boolean;
}

/** The messages that wait after this event, in the order in which the agent will read them. */
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
      return changed(waiting, event);
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

/** The messages that a person took back or took up to edit, by `seq`. What replaces one is a message of its own. */
export const takenBackIn = (events: readonly Event[]): ReadonlySet<number> =>
  new Set(
    events.flatMap((event) => (event.type === 'message_changed' && event.change !== 'moved' ? [event.message] : [])),
  );

/** Whether the agent reads it beside the next result of a tool. Results hold no pictures. */
export const isSteer = ({ delivery, images }: EventOf<'user_message'>): boolean =>
  delivery === 'steer' && !images?.length;

function changed(
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

/** The places of the messages that wait for the next request go to the same messages, in the order of `waiting`. */
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
