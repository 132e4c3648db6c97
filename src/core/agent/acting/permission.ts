import type { Action, Assessment, RunPlace } from '../../../protocol/events/event';
import { isCovered } from '../../security/allowRules';
import { assessWith } from '../../security/analyzers';
import { judgedAgain } from '../../risk/assessment';
import { asksAlways, policyIn, withoutConsented } from '../../risk/confirmation';
import { consentHash, type AtThisMoment } from '../../security/consent';
import { runPlace } from '../../security/runPlace';
import { mayLeaveSandbox } from '../../security/sandbox';
import type { Environment, Files, Terminal } from '../../ports/environment';
import type { AgentParts } from '../agentParts';
import { allowRulesOf, decisionOn, settingsOf, versionsSeen, type History } from '../../log/history';
import { forbiddenIn } from '../modes';

type Parts = Pick<AgentParts, 'tools' | 'environment' | 'analyzers' | 'policies'>;

/**
 * How an action stands at this moment. `given`: it was decided, or needs no decision; `by_rule`: a standing permission covers it; `needed`:
 * a person has to say yes; `outdated`: a person did, to something that it is not any more. `risk`: as it is judged now where that matters.
 */
export interface Permission {
  readonly action: Action;
  readonly state: 'given' | 'by_rule' | 'needed' | 'outdated';
  readonly risk: Assessment;
  /** Where it would run; for a command that waits for a person. */
  readonly place?: RunPlace | undefined;
}

/** Looks at the action again, because a script, a folder or what was read may be another than when it was proposed. */
export async function permissionFor(action: Action, parts: Parts, history: History): Promise<Permission> {
  const settings = settingsOf(history)!;
  const { effect, problem, id } = action;
  const decision = decisionOn(id, history);
  const given: Permission = { action, state: 'given', risk: action.risk };
  if (problem !== undefined || decision?.approved === false) return given;
  const tool = parts.tools.find(({ name }) => name === action.tool);
  if ((await forbiddenIn(settings.mode, action, tool, parts.environment, history)) !== undefined) return given;
  if (effect !== 'reads' && effect !== 'writes' && effect !== 'executes') return given;
  const isNeeded = (risk: Assessment): boolean =>
    asksAlways(risk) || parts.policies[policyIn(settings)](risk, settings.asking) === 'ask';
  if (isAsProposed(action, history) && !isNeeded(action.risk)) return given;
  const risk = await riskNow(action, parts, history);
  // What leaves the sandbox is what a person let out, also where nothing would be asked.
  if (!isNeeded(risk) && !mayLeaveSandbox(id, history)) return given;
  const place = await placeOf(action, parts, history);
  if (decision?.by === 'person') {
    const isSame = decision.hashes?.[id] === (await hashNow(action, risk, parts, history));
    return isSame ? given : { action, state: 'outdated', risk, place };
  }
  const isConsented = !isNeeded(withoutConsented(risk, settings.asking?.consented));
  const around = { tool, history, shell: shellOf(parts.environment) };
  const covered = isConsented || (await isCovered({ ...action, risk }, allowRulesOf(history), around));
  if (!covered) return { action, risk, place, state: 'needed' };
  return { action, risk, state: decision ? 'given' : 'by_rule' };
}

/** Where a command would run at this moment; undefined for what runs none. */
async function placeOf(
  { tool: name, input, problem }: Action,
  { tools, environment }: Pick<AgentParts, 'tools' | 'environment'>,
  history: History,
): Promise<RunPlace | undefined> {
  const tool = tools.find((known) => known.name === name);
  return tool && problem === undefined ? runPlace(tool, tool.bind(input), environment, history) : undefined;
}

/** What consent to the action is bound to at this moment. */
export async function hashNow(
  action: Action,
  risk: Assessment,
  parts: Pick<AgentParts, 'tools' | 'environment'>,
  history: History,
): Promise<string> {
  const [place, unreadFiles] = await Promise.all([
    placeOf(action, parts, history),
    unreadFilesOf(action, parts, history),
  ]);
  return consentHash(action, { risk, place, unreadFiles }, history);
}

/**
 * The files that an edit changes and of which the model saw no version, as they are now. A version that it saw is checked by the tool
 * itself.
 */
async function unreadFilesOf(
  { tool: name, input, effect, problem }: Action,
  { tools, environment }: Pick<AgentParts, 'tools' | 'environment'>,
  history: History,
): Promise<AtThisMoment['unreadFiles']> {
  const tool = tools.find((known) => known.name === name);
  if (effect !== 'writes' || problem !== undefined || !tool || tool.from !== undefined) return undefined;
  const files = environment.files as Files | null; // tools without files are used without them
  const paths = tool.bind(input).touches.writes ?? [];
  const seen = versionsSeen(history);
  const found = await Promise.all(
    paths.map(async (path) => {
      const file = await files?.read(path).catch(() => undefined);
      return file !== undefined && seen.has(file.path) ? undefined : ([path, file?.version ?? null] as const);
    }),
  );
  return found.filter((each) => each !== undefined);
}

/** The shell that commands are written for, where it says its name. */
export const shellOf = ({ terminal }: Environment): string | undefined => (terminal as Terminal | null)?.shellName;

/** Whether nothing at all happened since the reply that holds it. */
function isAsProposed({ id }: Action, history: History): boolean {
  const last = history.at(-1);
  return last?.type === 'agent_response' && last.actions.some((action) => action.id === id);
}

/** Never below what it was judged to be when it was proposed. */
async function riskNow(
  { tool: name, input, risk }: Action,
  { tools, environment, analyzers }: Pick<AgentParts, 'tools' | 'environment' | 'analyzers'>,
  history: History,
): Promise<Assessment> {
  const tool = tools.find((known) => known.name === name);
  return tool ? judgedAgain(risk, await assessWith(analyzers, tool, tool.bind(input), environment, history)) : risk;
}

/** Whether something was done since it was proposed that may make it another thing than it was. */
export const isAfterOthers = ({ id }: Action, history: History): boolean => {
  for (let at = history.length - 1; at >= 0; at--) {
    const event = history[at]!;
    if (event.type === 'observation') return true;
    if (event.type === 'agent_response' && event.actions.some((action) => action.id === id)) return false;
  }
  return false;
};
