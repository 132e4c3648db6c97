import type { Event, NewEvent } from '../../protocol/events/event';
import { withoutConsent } from './foreignLog';
import { allowRulesOf, decisionOn, pendingActions, undecidedActions, type History } from './history';

/**
 * The first events of a log that goes on from `history`. Consent is about one action in one session: what was approved there and not done
 * yet, and what was asked, is asked anew here; standing permissions hold. `sound`: the log is as it was written. `at` is now.
 */
export function beginningOfFork(history: History, sound: boolean, at: number): Event[] {
  if (!sound) return withoutConsent(history, at);
  const open = new Set(undecidedActions(history).map(({ id }) => id));
  if (!pendingActions(history).some(({ id }) => open.has(id) || decisionOn(id, history))) return [];
  const more: NewEvent[] = [
    {
      type: 'notice',
      level: 'info',
      about: 'consent_void',
      text: 'This session goes on from another one. What was approved there and not done yet is asked about again.',
    },
    ...allowRulesOf(history).map((rule): NewEvent => ({ type: 'allow_rule_added', rule })),
  ];
  return more.map((event, place): Event => ({ ...event, seq: history.length + place, at }));
}
