import type { Action, AllowRule, EventOf, Outcome } from '../../../protocol/events/event';
import { allowRulesOf, settingsOf } from '../../log/runSettings';
import type { History } from '../../log/projection';
import { policyIn } from '../../risk/confirmation';
import { ruleThatAllowed } from '../../security/allowRules';
import type { Tool } from '../../ports/tool';

/** Why an action was allowed to run. `at` is milliseconds since 1970. */
export type StepConsent =
  | { readonly kind: 'person'; readonly at: number; readonly comment?: string }
  /** A permanent permission; `rule` is absent if it cannot be determined which. */
  | { readonly kind: 'rule'; readonly at: number; readonly rule?: AllowRule }
  /** No approval was needed, because of the mode or setting, or because the risk was too low. */
  | { readonly kind: 'not_asked'; readonly why: 'mode' | 'risk' };

/** Information for people about the step that wrote a line. */
export interface StepFacts {
  /** Sequence number of the reply that contains the action. */
  readonly seq: number;
  /** Number of replies up to this one, from 1. */
  readonly step: number;
  readonly at: number;
  readonly title: string;
  readonly action: Action;
  /** The agent's text in this reply, else its reasoning; "" if both are empty. */
  readonly reason: string;
  readonly model: string;
  /** True if a person typed the action. */
  readonly typed: boolean;
  readonly consent: StepConsent;
  /** Absent while it runs. */
  readonly outcome?: Outcome;
}

/**
 * Returns the facts about an action from its session's log, or undefined if the log does not contain it. `toolNamed`
 * looks up tools to match the permission rules.
 */
export function stepFacts(
  history: History,
  actionId: string,
  toolNamed: (name: string) => Tool | undefined,
): StepFacts | undefined {
  let step = 0;
  let reply: EventOf<'agent_response'> | undefined;
  let decision: EventOf<'confirmation_resolved'> | undefined;
  let observation: EventOf<'observation'> | undefined;
  for (const event of history) {
    if (event.type === 'agent_response' && !reply) {
      step++;
      if (event.actions.some(({ id }) => id === actionId)) reply = event;
    } else if (event.type === 'confirmation_resolved' && event.actionIds.includes(actionId)) {
      decision = event;
    } else if (event.type === 'observation' && event.actionId === actionId) {
      observation = event;
      break;
    }
  }
  const action = reply?.actions.find(({ id }) => id === actionId);
  if (!reply || !action) return undefined;
  return {
    seq: reply.seq,
    step,
    at: observation?.at ?? reply.at,
    action,
    model: reply.model,
    typed: reply.by === 'person',
    title: settingsOf(history)?.title ?? '',
    reason: reply.text.trim() || (reply.reasoning?.text ?? '').trim(),
    consent: consentTo(action, history.slice(0, (decision ?? reply).seq), decision, toolNamed(action.tool)),
    ...(observation && { outcome: observation.outcome }),
  };
}

function consentTo(
  action: Action,
  before: History,
  decision: EventOf<'confirmation_resolved'> | undefined,
  tool: Tool | undefined,
): StepConsent {
  if (decision?.by === 'person')
    return { kind: 'person', at: decision.at, ...(decision.comment && { comment: decision.comment }) };
  const settings = settingsOf(before);
  const asksNothing = settings !== undefined && policyIn(settings) === 'never';
  if (!decision) return { kind: 'not_asked', why: asksNothing ? 'mode' : 'risk' };
  const rule = allowingRule(action, tool, before);
  return rule === undefined && asksNothing
    ? { kind: 'not_asked', why: 'mode' }
    : { kind: 'rule', at: decision.at, ...(rule && { rule }) };
}

function allowingRule(action: Action, tool: Tool | undefined, before: History): AllowRule | undefined {
  try {
    return ruleThatAllowed(action, allowRulesOf(before), tool, before);
  } catch {
    return undefined; // A log of another version, whose input the tool does not accept.
  }
}
