import type { EventOf } from '../../protocol/events/event';
import { projection, type History } from '../log/projection';
import { contextFill } from './contextFill';
import { readEvents } from './readEvents';

/** Why a log was condensed, as its event says. */
export type CondensationReason = NonNullable<EventOf<'condensation'>['reasons']>[number];

interface CondenseLimits {
  /** Maximum number of events sent to the model. 0 means no limit. */
  readonly maxEvents: number;
  /** Maximum number of tokens per request. Null means no limit. */
  readonly maxTokens: number | null;
  /** Number of characters of the tool definitions in a request. */
  readonly toolCharacters: number;
}

/** Number of replies after a failed attempt before size is a reason again. */
const repliesAfterFailure = 5;

/** Requests and attempts to condense so far. */
interface Attempts {
  /** Sequence numbers of the last request and the last attempt; -1 if there is none. */
  requested: number;
  attempted: number;
  /** True if the last attempt failed or changed nothing. */
  failed: boolean;
  /** Number of replies since the last attempt. */
  replies: number;
}

function recordAttempt(attempts: Attempts, seq: number, { failed }: { readonly failed: boolean }): void {
  attempts.attempted = seq;
  attempts.failed = failed;
  attempts.replies = 0;
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
        recordAttempt(attempts, event.seq, { failed: event.forgotten.length === 0 && !event.shortened });
        break;
      case 'notice':
        if (event.about === 'condensation_failed') recordAttempt(attempts, event.seq, { failed: true });
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
  const reasons: CondensationReason[] = [];
  if (requested > attempted) reasons.push('request');
  const sizeCounts = attempted < 0 || replies >= (failed ? repliesAfterFailure : 1);
  if (!sizeCounts) return reasons;
  if (maxTokens !== null && contextFill(history, toolCharacters).tokens > maxTokens) reasons.push('tokens');
  if (maxEvents > 0 && readEvents(history).length > maxEvents) reasons.push('events');
  return reasons;
}
