import { isDeferredFeedback } from '../log/eventFacts';
import type { Event, EventOf } from '../../protocol/events/event';
import { viewOf } from '../model/messages';
import { projection, type History } from '../log/projection';

const readTypes = [
  'task_started',
  'user_message',
  'agent_response',
  'observation',
  'feedback',
  'condensation',
] as const;

/**
 * An event that is sent to the model as a message or as part of one. Excludes events only for people and the loop:
 * notices, decisions, pauses.
 */
export type ReadEvent = EventOf<(typeof readTypes)[number]>;

/** A condensation that forgot nothing only answers a request, so it is excluded. */
export const isReadByModel = (event: Event): event is ReadEvent =>
  (readTypes as readonly string[]).includes(event.type) && !(event.type === 'condensation' && event.summary === '');

/** True for messages that are not part of the chat until a reply has read them. */
export const isHeldBack = (event: ReadEvent): boolean => event.type === 'user_message' || isDeferredFeedback(event);

const readOf = projection<ReadEvent[]>(
  () => [],
  (read, event) => {
    if (isReadByModel(event)) read.push(event);
  },
);

/** Events for condensers to count and cut: those that the model reads, in the order in which it reads them. */
export const readEvents = (history: History): readonly ReadEvent[] => readOf(viewOf(history));
