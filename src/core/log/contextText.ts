import type { ContextPart, EventOf } from '../../protocol/events/event';

/**
 * Text of a message as the model reads it: the words as typed, then the content they refer to. Computed from the log
 * alone.
 */
export const messageText = (event: EventOf<'user_message'> | EventOf<'task_started'>): string =>
  withContext(event.type === 'task_started' ? (event.prompt ?? event.task) : event.text, event.context);

export const withContext = (words: string, context: readonly ContextPart[] | undefined): string =>
  [words, ...(context ?? []).map(partText)].join('\n\n');

export const partText = ({ label, text }: ContextPart): string => `[${label}]\n${text}`;

/** Estimates tokens as four characters each, like everywhere until a provider has counted. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4);
