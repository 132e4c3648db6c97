import type { Event } from '../../protocol/events/event';

/**
 * Whether Waymark's words to the model wait for the next request instead of making one: a
 * person changed something beside the run.
 */
export const isQuietFeedback = (event: Event): boolean => event.type === 'feedback' && quietCauses.has(event.cause);

const quietCauses: ReadonlySet<string> = new Set(['mode_changed', 'changes_undone', 'edits_applied']);
