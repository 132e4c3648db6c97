import type { EventOf } from '../../protocol/events/event';
import { projection, type History } from '../log/projection';
import { contextFill } from './contextFill';
import { readEvents } from './readEvents';

export type CondensationReason = NonNullable<EventOf<'condensation'>['reasons']>[number];

export interface Bounds {
  /** Events that the model reads, at most; 0 is no limit. */
  readonly maxEvents: number;
  /** Tokens that a request may have; null is no limit. */
  readonly maxTokens: number | null;
  readonly toolCharacters: number;
}

/** Replies to wait for after an attempt that failed, before size alone is a reason again. */
const repliesAfterFailure = 5;

interface Attempts {
  requested: number;
  attempted: number;
  failed: boolean;
  replies: number;
}

const attemptsOf = projection<Attempts>(
  () => ({ requested: -1, attempted: -1, failed: false, replies: 0 }),
  (attempts, event) => {
    switch (event.type) {
      case 'condensation_requested':
        attempts.requested = event.seq;
        break;
      case 'agent_response':
        attempts.replies++;
        break;
      case 'condensation':
      case 'notice':
        if (event.type === 'notice' && event.about !== 'condensation_failed') break;
        attempts.attempted = event.seq;
        attempts.failed = event.type === 'notice' || event.forgotten.length === 0;
        attempts.replies = 0;
        break;
    }
  },
);

/**
 * Why the log should be condensed now; empty where nothing asks for it. A request is answered by one attempt, whatever
 * comes of it. Size is a reason again only after the model has replied to what the last attempt left, so that no
 * condensation follows at once on another.
 */
export function reasonsToCondense(
  history: History,
  { maxEvents, maxTokens, toolCharacters }: Bounds,
): CondensationReason[] {
  const { requested, attempted, failed, replies } = attemptsOf(history);
  const rested = attempted < 0 || replies >= (failed ? repliesAfterFailure : 1);
  return [
    ...(requested > attempted ? ['request' as const] : []),
    ...(rested && maxTokens !== null && contextFill(history, toolCharacters).tokens > maxTokens
      ? ['tokens' as const]
      : []),
    ...(rested && maxEvents > 0 && readEvents(history).length > maxEvents ? ['events' as const] : []),
  ];
}
