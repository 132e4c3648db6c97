import type { Event, AllowRule, Action, ContextPart, EventOf, NewEvent, Reasoning } from '../../protocol/events/event';

// What one event says, independent of the rest of the log.

/**
 * True for feedback that waits for the next request instead of causing one, because a person changed something outside
 * the run.
 */
export const isDeferredFeedback = (event: Event): boolean => event.type === 'feedback' && quietCauses.has(event.cause);

const quietCauses: ReadonlySet<string> = new Set(['mode_changed', 'changes_undone', 'edits_applied']);

/** True if approvals given before this event no longer count. */
export const voidsConsent = (event: Event): boolean => event.type === 'notice' && event.about === 'consent_void';

/** True if two allow rules cover the same thing, whatever risk was assessed when they were created. */
export const sameRule = (a: AllowRule, b: AllowRule): boolean =>
  a.tool === b.tool &&
  a.key === b.key &&
  a.cwd === b.cwd &&
  a.scope === b.scope &&
  a.effect === b.effect &&
  a.pattern === b.pattern;

/** Returns the command line of an action, or undefined if it runs no command. */
export const commandOf = ({ input }: Pick<Action, 'input'>): string | undefined =>
  typeof input === 'object' && input !== null && 'command' in input ? String(input.command) : undefined;

/**
 * Text of a message as the model reads it: the words as typed, then the content they refer to. Computed from the log
 * alone.
 */
export const messageText = (event: EventOf<'user_message'> | EventOf<'task_started'>): string =>
  withContext(event.type === 'task_started' ? (event.prompt ?? event.task) : event.text, event.context);

/** Returns a message as the model reads it: the words, then each part of its context. */
export const withContext = (words: string, context: readonly ContextPart[] | undefined): string =>
  [words, ...(context ?? []).map(partText)].join('\n\n');

/** Formats a part of the context: its label in brackets, then its text. */
export const partText = ({ label, text }: ContextPart): string => `[${label}]\n${text}`;

/** Returns the part of a reply's reasoning that later requests contain, as text. Empty if they omit it. */
export function resentReasoning({ details, field, text = '' }: Partial<Reasoning> = {}): string {
  if (details) return JSON.stringify(details);
  return field ? text : '';
}

/** Estimates tokens as four characters each, like everywhere until a provider has counted. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4);

/**
 * Warns the person that a session continues with less than was requested. `about`: the subject, if the loop handles it.
 */
export type Warn = (text: string, about?: EventOf<'notice'>['about']) => void;

export const warning = (...[text, about]: Parameters<Warn>): NewEvent => ({
  type: 'notice',
  level: 'warning',
  text,
  ...(about && { about }),
});
