import type { EventOf } from '../../protocol/events/event';
import { projection, type History } from '../log/projection';
import { withoutMiddle } from '../text/withoutMiddle';

const opening = 'This summary replaces earlier messages of this conversation:';
/** The opening in logs of earlier versions. */
const earlierOpening = 'Earlier messages of this conversation were replaced by this summary of them:';
const heading = '## Kept word for word';
const maxRequestLength = 4000;

interface Latest {
  todos: EventOf<'observation'> | undefined;
  request: EventOf<'user_message'> | undefined;
}

const latestOf = projection<Latest>(
  () => ({ todos: undefined, request: undefined }),
  (latest, event) => {
    if (event.type === 'user_message') latest.request = event;
    if (event.type === 'observation' && event.details?.kind === 'todo') latest.todos = event;
  },
);

/**
 * Returns the summary for the agent. Adds forgotten open todos and the latest request, because they must not depend on
 * the model.
 */
export function withPreservedParts(summary: string, history: History, isForgotten: (seq: number) => boolean): string {
  const { todos, request } = latestOf(history);
  const open =
    todos?.details?.kind === 'todo' && isForgotten(todos.seq)
      ? todos.details.items.filter(({ state }) => state !== 'done')
      : [];
  const kept = [
    ...(request && isForgotten(request.seq)
      ? [`The latest request of the user:\n${withoutMiddle(request.text, maxRequestLength)}`]
      : []),
    ...(open.length > 0 ? [`Open todos:\n${open.map(({ text, state }) => `- [${state}] ${text}`).join('\n')}`] : []),
  ];
  return [opening, summary, ...(kept.length > 0 ? [[heading, ...kept].join('\n')] : [])].join('\n\n');
}

/** Returns the part of a summary that a model wrote, to be updated. */
export function withoutPreservedParts(summary: string): string {
  const begun = [opening, earlierOpening].find((line) => summary.startsWith(line)) ?? '';
  const words = summary.slice(begun.length);
  const end = words.lastIndexOf(`\n${heading}\n`);
  return (end < 0 ? words : words.slice(0, end)).trim();
}
