import type { Event, AllowRule } from '../../protocol/events/event';

// Questions that one event answers, whatever the log around it.

/**
 * Whether Waymark's words to the model wait for the next request instead of making one: a
 * person changed something beside the run.
 */
export const isQuietFeedback = (event: Event): boolean => event.type === 'feedback' && quietCauses.has(event.cause);

const quietCauses: ReadonlySet<string> = new Set(['mode_changed', 'changes_undone', 'edits_applied']);

/** Whether nothing that was agreed to before this event counts after it. */
export const voidsConsent = (event: Event): boolean => event.type === 'notice' && event.about === 'consent_void';

/** Whether two standing permissions are about the same thing, however it was judged when they were given. */
export const sameRule = (a: AllowRule, b: AllowRule): boolean =>
  a.tool === b.tool &&
  a.key === b.key &&
  a.cwd === b.cwd &&
  a.scope === b.scope &&
  a.effect === b.effect &&
  a.pattern === b.pattern;
