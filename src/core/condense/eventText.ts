import { messageText, withContext } from '../log/contextText';
import type { ReadEvent } from './readEvents';

/** Formats an event for the model that summarizes. `toolOf` returns the tool name of an action. */
export function eventText(event: ReadEvent, toolOf: (actionId: string) => string | undefined): string {
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

/** Returns the maximum length per text so that all texts fit into `room` characters. Long texts are shortened first. */
export function lengthThatFits(texts: readonly string[], room: number): number {
  let longest = texts.reduce((most, { length }) => Math.max(most, length), 0);
  while (longest > 200 && texts.reduce((sum, { length }) => sum + Math.min(length, longest), 0) > room)
    longest = Math.floor(longest * 0.8);
  return longest;
}
