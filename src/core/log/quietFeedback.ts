import type { Event } from '../../protocol/events/event';

/**
 * Whether Waymark's words to the model wait for the next request instead of making one: a
 * person changed something beside the run.
 */
export const isQuietFeedback = (event: Event): boolean =>
  event.type === 'feedback' && (event.cause === 'mode_changed' || event.cause === 'changes_undone');
