import type { Action, Assessment, RunPlace } from '../../../protocol/events/event';
import { isCovered } from '../../security/allowRules';
import { assessWith } from '../../security/analyzers';
import { judgedAgain } from '../../risk/assessment';
import { asksAlways, policyIn, withoutConsented } from '../../risk/confirmation';
import { consentHash, type AtThisMoment } from '../../security/consent';
import { runPlace } from '../../security/runPlace';
import { mayLeaveSandbox } from '../../security/sandbox';
import type { Environment } from '../../ports/environment';
import type { AgentParts } from '../agentParts';
import { allowRulesOf, decisionOn, settingsOf, versionsSeen, type History } from '../../log/history';
import { withFoundTouches } from '../../tools/calls/withFoundTouches';
import { forbiddenIn } from '../modes';
import type { ResolvedAction } from './resolvedAction';

type Parts = Pick<AgentParts, 'environment' | 'analyzers' | 'policies'>;

/**
 * How an action stands at this moment. `given`: it was decided, or needs no decision; `by_rule`: a standing
 * permission covers it; `needed`: a person has to say yes; `outdated`: a person did, to something that it is not any
 * more. `risk`: as it is judged now where that matters.
 */
export interface Permission {
  readonly resolved: ResolvedAction;
  readonly action: Action;
  readonly state: 'given' | 'by_rule' | 'needed' | 'outdated';
  readonly risk: Assessment;
  /** Where it would run; for a command that waits for a person. */
  readonly place?: RunPlace | undefined;
}

/** Looks at the action again, because a script, a folder or what was read may be another than when it was proposed. */
export async function permissionFor(resolved: ResolvedAction, parts: Parts, history: History): Promise<Permission> {
  const { action, tool } = resolved;
  const settings = settingsOf(history)!;
  const { effect, problem, id } = action;
  const decision = decisionOn(id, history);
  const given: Permission = { resolved, action, state: 'given', risk: action.risk };
  if (problem !== undefined || decision?.approved === false) return given;
  if ((await forbiddenIn(settings.mode, resolved, parts.environment, history)) !== undefined) return given;
  if (effect !== 'reads' && effect !== 'writes' && effect !== 'executes') return given;
  const isNeeded = (risk: Assessment): boolean =>
    asksAlways(risk) || parts.policies[policyIn(settings)](risk, settings.asking) === 'ask';
  if (isAsProposed(action, history) && !isNeeded(action.risk)) return given;
  const risk = await riskNow(resolved, parts, history);
  // What leaves the sandbox is what a person let out, also where nothing would be asked.
  if (!isNeeded(risk) && !mayLeaveSandbox(id, history)) return given;
  const place = await placeOf(resolved, parts, history);
  if (decision?.by === 'person') {
    const isSame = decision.hashes?.[id] === (await hashNow(resolved, risk, parts, history));
    return isSame ? given : { ...given, state: 'outdated', risk, place };
  }
  const isConsented = !isNeeded(withoutConsented(risk, settings.asking?.consented));
  const around = { tool, history, shell: shellOf(parts.environment) };
  const covered = isConsented || (await isCovered({ ...action, risk }, allowRulesOf(history), around));
  if (!covered) return { ...given, risk, place, state: 'needed' };
  return { ...given, risk, state: decision ? 'given' : 'by_rule' };
}

/** Where a command would run at this moment; undefined for what runs none. */
async function placeOf(
  { tool, call }: ResolvedAction,
  { environment }: Pick<AgentParts, 'environment'>,
  history: History,
): Promise<RunPlace | undefined> {
  return tool && call ? runPlace(tool, call, environment, history) : undefined;
}

/** What consent to the action is bound to at this moment. */
export async function hashNow(
  resolved: ResolvedAction,
  risk: Assessment,
  parts: Pick<AgentParts, 'environment'>,
  history: History,
): Promise<string> {
  const [place, unreadFiles] = await Promise.all([
    placeOf(resolved, parts, history),
    unreadFilesOf(resolved, parts, history),
  ]);
  return consentHash(resolved.action, { risk, place, unreadFiles }, history);
}

/**
 * The files that an edit changes and of which the model saw no version, as they are now. The tool itself checks
 * versions that the model saw.
 */
async function unreadFilesOf(
  { action: { effect }, tool, call }: ResolvedAction,
  { environment }: Pick<AgentParts, 'environment'>,
  history: History,
): Promise<AtThisMoment['unreadFiles']> {
  if (effect !== 'writes' || !tool || !call || tool.from !== undefined) return undefined;
  const found = await withFoundTouches(call, environment);
  const paths = found.touches.writes ?? [];
  // What a language service would write is made from the files as they are, whatever the model saw of them.
  const seen = found.findTouches ? new Map<string, string>() : versionsSeen(history);
  const unread = await Promise.all(
    paths.map(async (path) => {
      const file = await environment.files.read(path).catch(() => undefined);
      return file !== undefined && seen.has(file.path) ? undefined : ([path, file?.version ?? null] as const);
    }),
  );
  return unread.filter((each) => each !== undefined);
}

/** The shell that commands are written for, where it says its name. */
export const shellOf = ({ terminal }: Environment): string | undefined => terminal.shellName;

/** Whether nothing at all happened since the reply that holds it. */
function isAsProposed({ id }: Action, history: History): boolean {
  const last = history.at(-1);
  return last?.type === 'agent_response' && last.actions.some((action) => action.id === id);
}

/** Never below what it was judged to be when it was proposed. */
async function riskNow(
  { action: { risk }, tool, call }: ResolvedAction,
  { environment, analyzers }: Pick<AgentParts, 'environment' | 'analyzers'>,
  history: History,
): Promise<Assessment> {
  return tool && call ? judgedAgain(risk, await assessWith(analyzers, tool, call, environment, history)) : risk;
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
