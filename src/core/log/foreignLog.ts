import type { Event, NewEvent } from '../../protocol/events/event';
import { voidsConsent } from './eventFacts';
import { pendingActions, startedActions, decisionOn, undecidedActions } from './openActions';
import { settingsOf, allowRulesOf } from './runSettings';
import type { History } from './projection';

/**
 * True if the events before index `foreign` need no further voiding: there are none, or a later event already says that
 * approvals in them do not count.
 */
export const isVouchedFor = (history: History, foreign: number): boolean =>
  foreign === 0 || history.slice(foreign).some(voidsConsent);

/**
 * Returns the events to append to a log that this machine did not write in exactly this form, before a session
 * continues from it. Approvals in it may be forged, and so may the risk of its waiting actions. `at` is the current
 * time.
 */
export function withoutConsent(history: History, at: number): Event[] {
  const settings = settingsOf(history);
  if (!settings) return [];
  const began = new Set(startedActions(history).map(({ id }) => id));
  const unsafe = {
    ...(settings.confirmation === 'never' && { confirmation: 'risky' as const }),
    ...(settings.mode === 'auto' && { mode: 'confirm' as const }),
  };
  const more: NewEvent[] = [
    {
      type: 'notice',
      level: 'warning',
      about: 'consent_void',
      text: 'The log up to here was written by an earlier version of Waymark, on another machine, or was modified. Its approvals are no longer valid: permissions are removed, and waiting actions do not run.',
    },
    ...pendingActions(history).map(({ id }): NewEvent =>
      began.has(id)
        ? {
            type: 'observation',
            actionId: id,
            outcome: 'unknown',
            content:
              'The program ended while this action ran, so its outcome is unknown. Check what it did before you continue.',
          }
        : {
            type: 'observation',
            actionId: id,
            outcome: 'skipped',
            content:
              'This action was not run, because the log of this session was not written by this version of Waymark on this machine. Call it again if it is still needed.',
          },
    ),
    ...(Object.keys(unsafe).length > 0 ? [{ type: 'settings_changed' as const, ...unsafe }] : []),
  ];
  return more.map((event, place): Event => ({ ...event, seq: history.length + place, at }));
}

/**
 * Returns the first events of a log that continues from `history`. Approvals apply to one action in one session, so
 * actions that did not run and open questions are asked again; allow rules stay. `sound`: the log is unmodified. `at`
 * is the current time.
 */
export function firstEventsOfFork(history: History, sound: boolean, at: number): Event[] {
  if (!sound) return withoutConsent(history, at);
  const open = new Set(undecidedActions(history).map(({ id }) => id));
  if (!pendingActions(history).some(({ id }) => open.has(id) || decisionOn(id, history))) return [];
  const more: NewEvent[] = [
    {
      type: 'notice',
      level: 'info',
      about: 'consent_void',
      text: 'This session continues another one. Actions that were approved there but not run need approval again.',
    },
    ...allowRulesOf(history).map((rule): NewEvent => ({ type: 'allow_rule_added', rule })),
  ];
  return more.map((event, place): Event => ({ ...event, seq: history.length + place, at }));
}
