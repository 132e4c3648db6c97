import type { Action, Outcome } from '../../protocol/events/event';

/** How an action that ran ended. */
const ran: ReadonlySet<Outcome> = new Set<Outcome>(['ok', 'error', 'timeout', 'interrupted']);

/** A warning about an action of medium risk that ran, with the first reason for it: nobody was asked about it. */
export function ranAlthough({ risk }: Action, outcome: Outcome): string | undefined {
  if (risk.level !== 'medium' || !ran.has(outcome)) return undefined;
  return `ran, medium risk: ${risk.reasons[0] ?? 'no reason was given'}`;
}
