import type { Action, Assessment, RunPlace } from '../../../protocol/events/event';
import { isAllowedByRule } from '../../security/allowRules';
import { assessWith } from '../../security/analyzers';
import { reassessed } from '../../risk/assessment';
import { asksAlways, policyIn, withoutConsented } from '../../risk/confirmation';
import { consentHash, type CurrentFacts } from '../../security/consentHash';
import { runPlace } from '../../security/runPlace';
import { mayLeaveSandbox } from '../../security/sandbox';
import type { Environment } from '../../ports/environment';
import type { AgentParts } from '../agentParts';
import { allowRulesOf, settingsOf } from '../../log/runSettings';
import { decisionOn } from '../../log/openActions';
import { seenVersions } from '../../log/seenFiles';
import type { History } from '../../log/projection';
import { withFoundTouches } from '../../tools/calls/withFoundTouches';
import { whyForbiddenIn } from '../modes';
import type { ResolvedAction } from './resolvedAction';

type Parts = Pick<AgentParts, 'environment' | 'analyzers' | 'policies'>;

/**
 * Whether an action may run at this moment. `given`: already decided, or needs no decision. `by_rule`: an allow rule
 * covers it. `needed`: a person must approve it. `outdated`: a person approved it, but it has changed since. `risk`:
 * its current risk, if it was assessed again.
 */
interface Permission {
  readonly resolved: ResolvedAction;
  readonly action: Action;
  readonly state: 'given' | 'by_rule' | 'needed' | 'outdated';
  readonly risk: Assessment;
  /** Where it would run, for a command that waits for approval. */
  readonly place?: RunPlace | undefined;
}

/**
 * Checks the action again, because a script, a folder or a file that was read may have changed since it was proposed.
 */
export async function permissionFor(resolved: ResolvedAction, parts: Parts, history: History): Promise<Permission> {
  const { action, tool } = resolved;
  const settings = settingsOf(history)!;
  const { effect, problem, id } = action;
  const decision = decisionOn(id, history);
  const decided: Permission = { resolved, action, state: 'given', risk: action.risk };
  if (problem !== undefined || decision?.approved === false) return decided;
  if ((await whyForbiddenIn(settings.mode, resolved, parts.environment, history)) !== undefined) return decided;
  if (effect !== 'reads' && effect !== 'writes' && effect !== 'executes') return decided;
  const isNeeded = (risk: Assessment): boolean =>
    asksAlways(risk) || parts.policies[policyIn(settings)](risk, settings.asking) === 'ask';
  if (isAsProposed(action, history) && !isNeeded(action.risk)) return decided;
  const risk = await riskNow(resolved, parts, history);
  // Permission to run outside the sandbox is verified even if the risk needs no approval.
  if (!isNeeded(risk) && !mayLeaveSandbox(id, history)) return decided;
  const place = await runPlaceOf(resolved, parts, history, risk);
  if (decision?.by === 'person') {
    const isSame = decision.hashes?.[id] === (await currentHash(resolved, risk, parts, history));
    return isSame ? decided : { ...decided, state: 'outdated', risk, place };
  }
  const isConsented = !isNeeded(withoutConsented(risk, settings.asking?.consented));
  const around = { tool, history, shell: shellNameOf(parts.environment) };
  const covered = isConsented || (await isAllowedByRule({ ...action, risk }, allowRulesOf(history), around));
  if (!covered) return { ...decided, risk, place, state: 'needed' };
  return { ...decided, risk, state: decision ? 'given' : 'by_rule' };
}

/** Returns where a command would run at this moment, or undefined if the action runs no command. */
async function runPlaceOf(
  { tool, call }: ResolvedAction,
  { environment }: Pick<AgentParts, 'environment'>,
  history: History,
  risk: Assessment,
): Promise<RunPlace | undefined> {
  return tool && call ? runPlace({ tool, call, environment, history, risk }) : undefined;
}

/** Returns the hash of what an approval of the action covers at this moment. */
export async function currentHash(
  resolved: ResolvedAction,
  risk: Assessment,
  parts: Pick<AgentParts, 'environment'>,
  history: History,
): Promise<string> {
  const [place, unreadFiles] = await Promise.all([
    runPlaceOf(resolved, parts, history, risk),
    unreadFilesOf(resolved, parts, history),
  ]);
  return consentHash(resolved.action, { risk, place, unreadFiles }, history);
}

/**
 * Returns the current versions of the files that an edit changes and whose current text the model was not shown: nothing
 * else ties the edit to them.
 */
async function unreadFilesOf(
  { action: { effect }, tool, call }: ResolvedAction,
  { environment }: Pick<AgentParts, 'environment'>,
  history: History,
): Promise<CurrentFacts['unreadFiles']> {
  if (effect !== 'writes' || !tool || !call || tool.from !== undefined) return undefined;
  const found = await withFoundTouches(call, environment);
  const paths = found.touches.writes ?? [];
  // Edits by a language service are computed from the files on disk, so versions the model has read do not matter.
  const versions = found.findTouches ? new Map<string, string>() : seenVersions(history);
  const unread = await Promise.all(
    paths.map(async (path) => {
      const file = await environment.files.read(path).catch(() => undefined);
      const isSeen = file !== undefined && versions.get(file.path) === file.version;
      return isSeen ? undefined : ([path, file?.version ?? null] as const);
    }),
  );
  return unread.filter((each) => each !== undefined);
}

/** The shell that commands are written for, if the terminal names it. */
export const shellNameOf = ({ terminal }: Environment): string | undefined => terminal.shellName;

/** True if the reply that contains the action is the last event. */
function isAsProposed({ id }: Action, history: History): boolean {
  const last = history.at(-1);
  return last?.type === 'agent_response' && last.actions.some((action) => action.id === id);
}

/** Assesses the risk again. The result is never below the risk at the time of the proposal. */
async function riskNow(
  { action: { risk }, tool, call }: ResolvedAction,
  { environment, analyzers }: Pick<AgentParts, 'environment' | 'analyzers'>,
  history: History,
): Promise<Assessment> {
  return tool && call ? reassessed(risk, await assessWith(analyzers, { tool, call, environment, history })) : risk;
}

/** True if an action ended since this one was proposed, which may have changed what this one does. */
export const hasOtherEndedSince = ({ id }: Action, history: History): boolean => {
  for (let index = history.length - 1; index >= 0; index--) {
    const event = history[index]!;
    if (event.type === 'observation') return true;
    if (event.type === 'agent_response' && event.actions.some((action) => action.id === id)) return false;
  }
  return false;
};
