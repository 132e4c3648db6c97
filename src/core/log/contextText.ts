import type { ContextPart, EventOf } from '../../protocol/events/event';

/**
 * What the model reads of a person's message: the words as typed, then what they point at. Computed from the log alone.
 */
export const readWords = (event: EventOf<'user_message'> | EventOf<'task_started'>): string =>
  withContext(event.type === 'task_started' ? (event.prompt ?? event.task) : event.text, event.context);

export const withContext = (words: string, context: readonly ContextPart[] | undefined): string =>
  [words, ...(context ?? []).map(partText)].join('\n\n');

export const partText = ({ label, text }: ContextPart): string => `[${label}]\n${text}`;

/** Four characters are taken for a token, as everywhere before a provider has counted. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4);
