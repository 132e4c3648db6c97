import type { Action, AllowRule, EventOf, Outcome } from '../../../protocol/events/event';
import { allowRulesOf, settingsOf, type History } from '../../log/history';
import { policyIn } from '../../risk/confirmation';
import { ruleBehind } from '../../security/allowRules';
import type { Tool } from '../../ports/tool';

/** Why an action was allowed to run. `at` is milliseconds since 1970. */
export type Consent =
  | { readonly kind: 'person'; readonly at: number; readonly comment?: string }
  /** A standing permission; `rule` is absent where it cannot be told any more which. */
  | { readonly kind: 'rule'; readonly at: number; readonly rule?: AllowRule }
  /** Nothing was asked: the mode or the setting asks nothing, or the risk did not call for it. */
  | { readonly kind: 'not_asked'; readonly why: 'mode' | 'risk' };

/** What a person wants to know of the step that wrote a line. */
export interface StepFacts {
  /** Of the reply that holds the action. */
  readonly seq: number;
  /** Replies up to this one, from 1. */
  readonly step: number;
  readonly at: number;
  readonly title: string;
  readonly action: Action;
  /** The agent's own words of this reply, else its reasoning; "" where it said nothing. */
  readonly reason: string;
  readonly model: string;
  /** A person typed the action. */
  readonly typed: boolean;
  readonly consent: Consent;
  /** Absent while it runs. */
  readonly outcome?: Outcome;
}

/**
 * The facts about an action, from its session's log; undefined where the log does not hold it.
 * `toolNamed` finds tools, for the rules about them.
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
): Consent {
  if (decision?.by === 'person')
    return { kind: 'person', at: decision.at, ...(decision.comment && { comment: decision.comment }) };
  const settings = settingsOf(before);
  const asksNothing = settings !== undefined && policyIn(settings) === 'never';
  if (!decision) return { kind: 'not_asked', why: asksNothing ? 'mode' : 'risk' };
  const rule = known(action, tool, before);
  return rule === undefined && asksNothing
    ? { kind: 'not_asked', why: 'mode' }
    : { kind: 'rule', at: decision.at, ...(rule && { rule }) };
}

function known(action: Action, tool: Tool | undefined, before: History): AllowRule | undefined {
  try {
    return ruleBehind(action, allowRulesOf(before), tool, before);
  } catch {
    return undefined; // a log of another version, whose input the tool does not read any more
  }
}
