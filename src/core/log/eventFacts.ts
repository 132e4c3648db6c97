import type { Event, AllowRule } from '../../protocol/events/event';

// Predicates about a single event, independent of the rest of the log.

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
