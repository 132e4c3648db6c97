import { isDeferredFeedback, messageText, withContext } from '../log/eventFacts';
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

/** Formats an event for the model that summarizes. `callOf` returns the call of an action, in words. */
export function eventText(event: ReadEvent, callOf: (actionId: string) => string | undefined): string {
  switch (event.type) {
    case 'task_started':
      return `[user, the task]\n${withContext(event.task, event.context)}`;
    case 'user_message':
      return `[user]\n${messageText(event)}`;
    case 'feedback':
      return `[note to the agent]\n${event.text}`;
    case 'condensation':
      return `[earlier summary]\n${event.summary}`;
    case 'observation':
      return `[result of ${callOf(event.actionId) ?? 'a call'}: ${event.outcome}]\n${event.worded ?? event.content}`;
    case 'agent_response': {
      const calls =
        event.written === undefined
          ? event.actions.map(({ tool, input }) => `[calls ${tool}] ${JSON.stringify(input)}`)
          : [];
      return ['[agent]', event.written ?? event.text, ...calls].filter(Boolean).join('\n');
    }
  }
}

/** Returns the maximum length per text so that all texts fit into `room` characters. Long texts are shortened first. */
export function lengthThatFits(texts: readonly string[], room: number): number {
  let longest = texts.reduce((most, { length }) => Math.max(most, length), 0);
  while (longest > 200 && texts.reduce((sum, { length }) => sum + Math.min(length, longest), 0) > room)
    longest = Math.floor(longest * 0.8);
  return longest;
}
