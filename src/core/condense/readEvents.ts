import { isQuietFeedback } from '../log/eventFacts';
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
 * An event that is a message to the model, or a part of one. What only people and the loop
 * need (notices, decisions, pauses) is none.
 */
export type ReadEvent = EventOf<(typeof readTypes)[number]>;

/** A condensation that forgot nothing only answers a request. */
export const isRead = (event: Event): event is ReadEvent =>
  (readTypes as readonly string[]).includes(event.type) && !(event.type === 'condensation' && event.summary === '');

/** Words that the chat holds back until a reply has read them. */
export const isHeldBack = (event: ReadEvent): boolean => event.type === 'user_message' || isQuietFeedback(event);

const readOf = projection<ReadEvent[]>(
  () => [],
  (read, event) => {
    if (isRead(event)) read.push(event);
  },
);

/** What condensers count and cut: the events that the model reads, in the order in which it reads them. */
export const readEvents = (history: History): readonly ReadEvent[] => readOf(viewOf(history));
