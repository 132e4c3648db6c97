import type { Action } from '../../protocol/event';
import { isAllowedByPattern, ruleFor, sameRule } from '../security/allowRules';
import { consentHash } from '../security/consent';
import type { AgentParts, StepContext } from './agent';
import { branchFrom } from './branches';
import { sentBack } from './critics';
import { allowRulesOf, decisionOn, openQuestions, pendingActions, settingsOf, type History } from './history';
import { Submitted } from './interrupt';
import { forbiddenIn, policyIn } from './modes';
import { inTurn } from './inTurn';
import { runAction, type Ran } from './runAction';
import { submissionIn } from './submission';

/** The second half of a step: runs the first group of pending actions, unless one of them needs a person first. */
export async function act(parts: AgentParts, context: StepContext): Promise<void> {
  context.signal.throwIfAborted();
  const pending = pendingActions(context.history);
  const group = pending.filter(action => action.group === pending[0]!.group);
  if (await isDecided(group, parts, context) && isAnswered(group, parts, context)) await runGroup(group, parts, context);
}

const toolOf = ({ tools }: AgentParts, action: Action) => tools.find(({ name }) => name === action.tool);

/** False, after asking, while an action of the group still needs a decision. Standing rules decide by an event of their own. */
async function isDecided(group: readonly Action[], parts: AgentParts, { history, signal, emit }: StepContext): Promise<boolean> {
  const hashes: Record<string, string> = {};
  const hashOf = async (action: Action): Promise<string> => (hashes[action.id] ??= await consentHash(action, parts, history));
  const undecided: Action[] = [];
  const again: string[] = [];
  for (const action of group) {
    if (!needsConsent(action, parts, history)) continue;
    const decision = decisionOn(action.id, history);
    if (!decision) undecided.push(action);
    else if (decision.approved && decision.by === 'person' && decision.hashes?.[action.id] !== await hashOf(action)) again.push(action.id);
  }
  const byRule = undecided.filter(action => isAllowedByRule(action, parts, history)).map(action => action.id);
  if (byRule.length > 0) emit({ type: 'confirmation_resolved', actionIds: byRule, approved: true, by: 'rule' });
  const asked = group.filter(action => again.includes(action.id) || (undecided.includes(action) && !byRule.includes(action.id)));
  for (const action of asked) await hashOf(action);
  signal.throwIfAborted();
  const actionIds = asked.map(({ id }) => id);
  if (actionIds.length > 0) emit({ type: 'confirmation_requested', actionIds, hashes: Object.fromEntries(actionIds.map(id => [id, hashes[id]!])), ...(again.length > 0 && { again }) });
  return actionIds.length === 0;
}

function needsConsent(action: Action, parts: AgentParts, history: History): boolean {
  const settings = settingsOf(history)!;
  const { effect, problem } = action;
  if (problem !== undefined || forbiddenIn(settings.mode, action) !== undefined) return false;
  if (effect !== 'reads' && effect !== 'writes' && effect !== 'executes') return false;
  return action.risk.floor === true || parts.policies[policyIn(settings)](action.risk, settings.asking) === 'ask';
}

function isAllowedByRule(action: Action, parts: AgentParts, history: History): boolean {
  const rules = allowRulesOf(history);
  if (rules.length === 0 || action.risk.tainted) return false;
  const wanted = ruleFor(action, toolOf(parts, action)!, history);
  return (wanted !== undefined && rules.some(rule => sameRule(rule, wanted))) || isAllowedByPattern(action, rules, history);
}

/** False, after asking, while a question of the group has no answer. The answer becomes the action's observation. */
function isAnswered(group: readonly Action[], parts: AgentParts, { history, emit }: StepContext): boolean {
  if (!parts.attended) return true;
  const questions = group.filter(action => action.problem === undefined && action.effect === 'asks');
  const open = new Set(openQuestions(history).map(({ actionId }) => actionId));
  for (const action of questions.filter(({ id }) => !open.has(id))) {
    const { question, choices } = toolOf(parts, action)!.bind(action.input).question!;
    emit({ type: 'question_asked', actionId: action.id, question, choices: [...choices] });
  }
  return questions.length === 0;
}

/** Together, and all of them to their end: one failure interrupts none of the others. */
async function runGroup(group: readonly Action[], parts: AgentParts, context: StepContext): Promise<void> {
  const { history, emit, durable } = context;
  const { mode } = settingsOf(history)!;
  const forbidden = new Map(group.map(action => [action.id, forbiddenIn(mode, action)]));
  const starting = group.filter(({ id, problem }) => problem === undefined && forbidden.get(id) === undefined && decisionOn(id, history)?.approved !== false);
  for (const { id } of starting) emit({ type: 'action_started', actionId: id });
  if (starting.some(({ effect }) => effect === 'writes' || effect === 'executes' || effect === 'delegates')) await durable();
  const branching = parts.profile.branches && group.length > 1;
  const run = (action: Action, done: () => void): Promise<Ran> => runAction(action, toolOf(parts, action), {
    parts, context, forbidden: forbidden.get(action.id),
    ...(branching && { then: result => { done(); return branchFrom(action, parts, context)(result); } }),
  });
  const results = await Promise.allSettled(inTurn(group, action => toolOf(parts, action)?.bind, run));
  const broken = results.find(result => result.status === 'rejected');
  if (broken) throw broken.reason;
  const endings = results.flatMap((result, index) => (result.status === 'fulfilled' ? (submissionIn(group[index]!, result.value, parts.profile) ?? []) : []));
  if (endings.length > 0) throw sentBack(parts.profile, history, true) ?? new Submitted(endings.join('\n'));
}
