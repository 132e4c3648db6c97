import { readWords, withContext } from '../log/contextText';
import type { ReadEvent } from './readEvents';

/** An event as the model that summarises reads it. `toolOf` names the tool of an action. */
export function eventText(event: ReadEvent, toolOf: (actionId: string) => string | undefined): string {
  switch (event.type) {
    case 'task_started':
      return `[user, the task]\n${withContext(event.task, event.context)}`;
    case 'user_message':
      return `[user]\n${readWords(event)}`;
    case 'feedback':
      return `[note to the agent]\n${event.text}`;
    case 'condensation':
      return `[earlier summary]\n${event.summary}`;
    case 'observation':
      return `[result of ${toolOf(event.actionId) ?? 'a call'}: ${event.outcome}]\n${event.worded ?? event.content}`;
    case 'agent_response': {
      const calls =
        event.written === undefined
          ? event.actions.map(({ tool, input }) => `[calls ${tool}] ${JSON.stringify(input)}`)
          : [];
      return ['[agent]', event.written ?? event.text, ...calls].filter(Boolean).join('\n');
    }
  }
}

/**
 * The longest that one text may be for all of them together to fit into `room`
 * characters: long ones are shortened first.
 */
export function lengthThatFits(texts: readonly string[], room: number): number {
  let longest = texts.reduce((most, { length }) => Math.max(most, length), 0);
  while (longest > 200 && texts.reduce((sum, { length }) => sum + Math.min(length, longest), 0) > room)
    longest = Math.floor(longest * 0.8);
  return longest;
}
