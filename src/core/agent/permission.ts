import type { Action, Assessment } from '../../protocol/event';
import { isCovered } from '../security/allowRules';
import { assessWith } from '../security/analyzers';
import { worst } from '../security/assessment';
import { asksAlways } from '../security/confirmation';
import { consentHash } from '../security/consent';
import type { Environment, Terminal } from '../tools/environment';
import type { AgentParts } from './agent';
import { allowRulesOf, decisionOn, settingsOf, type History } from './history';
import { forbiddenIn, policyIn } from './modes';

type Parts = Pick<AgentParts, 'tools' | 'environment' | 'analyzers' | 'policies'>;

/**
 * How an action stands at this moment. `given`: it was decided, or needs no decision; `by_rule`: a standing permission covers it; `needed`:
 * a person has to say yes; `outdated`: a person did, to something that it is not any more. `risk`: as it is judged now where that matters.
 */
export interface Permission { readonly action: Action; readonly state: 'given' | 'by_rule' | 'needed' | 'outdated'; readonly risk: Assessment }

/** Looks at the action again, because a script, a folder or what was read may be another than when it was proposed. */
export async function permissionFor(action: Action, parts: Parts, history: History): Promise<Permission> {
  const settings = settingsOf(history)!;
  const { effect, problem, id } = action;
  const decision = decisionOn(id, history);
  const given: Permission = { action, state: 'given', risk: action.risk };
  if (problem !== undefined || forbiddenIn(settings.mode, action) !== undefined || decision?.approved === false) return given;
  if (effect !== 'reads' && effect !== 'writes' && effect !== 'executes') return given;
  const isNeeded = (risk: Assessment): boolean => asksAlways(risk) || parts.policies[policyIn(settings)](risk, settings.asking) === 'ask';
  if (isAsProposed(action, history) && !isNeeded(action.risk)) return given;
  const risk = await riskNow(action, parts, history);
  if (!isNeeded(risk)) return given;
  if (decision?.by === 'person') return decision.hashes?.[id] === await consentHash(action, risk, history) ? given : { action, state: 'outdated', risk };
  const around = { tool: parts.tools.find(({ name }) => name === action.tool), history, shell: shellOf(parts.environment) };
  const covered = await isCovered({ ...action, risk }, allowRulesOf(history), around);
  return { action, risk, state: !covered ? 'needed' : decision ? 'given' : 'by_rule' };
}

/** The shell that commands are written for, where it says its name. */
export const shellOf = ({ terminal }: Environment): string | undefined => (terminal as Terminal | null)?.shellName;

/** Whether nothing at all happened since the reply that holds it. */
function isAsProposed({ id }: Action, history: History): boolean {
  const last = history.at(-1);
  return last?.type === 'agent_response' && last.actions.some(action => action.id === id);
}

/** Never below what it was judged to be when it was proposed. */
export async function riskNow({ tool: name, input, risk }: Action, { tools, environment, analyzers }: Pick<AgentParts, 'tools' | 'environment' | 'analyzers'>, history: History): Promise<Assessment> {
  const tool = tools.find(known => known.name === name);
  return tool ? worst(risk, await assessWith(analyzers, tool, tool.bind(input), environment, history)) : risk;
}

/** Whether something was done since it was proposed that may make it another thing than it was. */
export const isAfterOthers = ({ id }: Action, history: History): boolean => {
  for (let at = history.length - 1; at >= 0; at--) {
    const event = history[at]!;
    if (event.type === 'observation') return true;
    if (event.type === 'agent_response' && event.actions.some(action => action.id === id)) return false;
  }
  return false;
};
