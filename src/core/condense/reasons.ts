import type { EventOf } from '../../protocol/events/event';
import { projection, type History } from '../log/projection';
import { contextFill } from './contextFill';
import { readEvents } from './readEvents';

export type CondensationReason = NonNullable<EventOf<'condensation'>['reasons']>[number];

export interface CondenseLimits {
  /** Maximum number of events sent to the model. 0 means no limit. */
  readonly maxEvents: number;
  /** Maximum number of tokens per request. Null means no limit. */
  readonly maxTokens: number | null;
  readonly toolCharacters: number;
}

/** Number of replies after a failed attempt before size is a reason again. */
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
        attempts.failed = event.type === 'notice' || (event.forgotten.length === 0 && !event.shortened);
        attempts.replies = 0;
        break;
    }
  },
);

/**
 * Returns the reasons to condense the log at this moment, or an empty list. A request leads to one attempt, whatever
 * its outcome. Size is a reason again only after the model has replied, so that condensations never follow each other
 * directly.
 */
export function reasonsToCondense(
  history: History,
  { maxEvents, maxTokens, toolCharacters }: CondenseLimits,
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
