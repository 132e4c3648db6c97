import { openQuestions } from '../../core/log/openActions';
import { statusOf } from '../../core/log/status';
import type { History } from '../../core/log/projection';
import type { Event } from '../../protocol/events/event';

/** What the user is notified of while looking elsewhere. */
export type Occasion = 'approval' | 'question' | 'end';

export const allOccasions: readonly Occasion[] = ['approval', 'question', 'end'];

/** Returns what an event should notify the user of, or undefined for most events. */
export function occasionOf(history: History, event: Event): Occasion | undefined {
  if (event.type === 'confirmation_requested') return 'approval';
  if (event.type === 'question_asked') return 'question';
  const isLastReply = event.type === 'agent_response' && event.by !== 'person' && statusOf(history) === 'idle';
  return isLastReply || event.type === 'finished' ? 'end' : undefined;
}

/** Returns whether a notification still applies. */
export function stillApplies(history: History, occasion: Occasion): boolean {
  if (occasion === 'question') return openQuestions(history).length > 0;
  const status = statusOf(history);
  if (occasion === 'approval') return status === 'waiting_for_confirmation';
  return status === 'idle' || status === 'finished';
}
