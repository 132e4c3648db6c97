import type { Action } from '../../protocol/events/event';
import { mayChangeFiles } from '../../protocol/plain/mayChangeFiles';
import { mayLeaveSandbox } from '../security/sandbox';
import type { AgentParts, StepContext } from './agentParts';
import { reviewByCritic } from './thinking/critics';
import { putEditedActions } from './acting/editedActions';
import { decisionOn, openQuestions, pendingActions } from '../log/openActions';
import { settingsOf } from '../log/runSettings';
import { Submitted } from './interrupt';
import { whyForbiddenIn } from './modes';
import { resolveAction, type ResolvedAction } from './acting/resolvedAction';
import { startGroup } from './acting/startGroup';
import { currentHash, hasOtherEndedSince, permissionFor } from './acting/permission';
import { branchFrom, runAction, type RanAction } from './acting/runAction';
import type { Profile } from '../ports/profile';
import { submittedAfter } from '../text/pythonBlanks';
import { errorMessage } from '../text/errorMessage';

/**
 * The acting half of a step: runs the first group of pending actions, or asks first if one needs approval or an answer.
 */
export async function act(parts: AgentParts, context: StepContext): Promise<void> {
  context.signal.throwIfAborted();
  // While a person decides and the actions run, the connection of the last request would be closed.
  parts.model.connect?.();
  // End the half step here, so that hooks see the replacement actions before they run.
  if (await putEditedActions(parts, context)) return;
  const all = pendingActions(context.history).map((action) => resolveAction(action, parts.tools));
  const others = all.filter(({ tool }) => !tool?.endsAfterOthers);
  const pending = others.length > 0 ? others : all;
  const group = pending.filter(({ action }) => action.group === pending[0]!.action.group);
  const asking = settingsOf(context.history)!.asking;
  const wholeReply = asking?.wholeReplies ?? parts.profile.wholeReplies ?? false;
  if ((await isDecided(wholeReply ? all : group, parts, context)) && isAnswered(group, parts, context))
    await runGroup(group, parts, context);
}

/**
 * Returns false after requesting approval if an action of the group still needs a decision. Actions covered by allow
 * rules are approved with their own event.
 */
async function isDecided(
  group: readonly ResolvedAction[],
  parts: AgentParts,
  { history, signal, emit }: StepContext,
): Promise<boolean> {
  const permissions = await Promise.all(group.map((resolved) => permissionFor(resolved, parts, history)));
  const byRule = permissions.filter(({ state }) => state === 'by_rule').map(({ action }) => action.id);
  if (byRule.length > 0) emit({ type: 'confirmation_resolved', actionIds: byRule, approved: true, by: 'rule' });
  const asked = permissions.filter(({ state }) => state === 'needed' || state === 'outdated');
  const hashes = await Promise.all(asked.map(({ resolved, risk }) => currentHash(resolved, risk, parts, history)));
  signal.throwIfAborted();
  if (asked.length === 0) return true;
  const again = asked.filter(({ state }) => state === 'outdated').map(({ action }) => action.id);
  const risks = asked
    .filter(({ action, risk }) => JSON.stringify(risk) !== JSON.stringify(action.risk))
    .map(({ action, risk }) => [action.id, risk] as const);
  const places = asked.flatMap(({ action, place }) => (place ? [[action.id, place] as const] : []));
  emit({
    type: 'confirmation_requested',
    actionIds: asked.map(({ action }) => action.id),
    hashes: Object.fromEntries(asked.map(({ action }, index) => [action.id, hashes[index]!])),
    ...(again.length > 0 && { again }),
    ...(risks.length > 0 && { risks: Object.fromEntries(risks) }),
    ...(places.length > 0 && { places: Object.fromEntries(places) }),
  });
  return false;
}

/**
 * Returns false, after asking, if a question of the group is unanswered. The answer becomes the action's observation.
 */
function isAnswered(group: readonly ResolvedAction[], parts: AgentParts, { history, emit }: StepContext): boolean {
  if (!parts.attended) return true;
  const questions = group.filter(({ action }) => action.problem === undefined && action.effect === 'asks');
  const open = new Set(openQuestions(history).map(({ actionId }) => actionId));
  for (const { action, call } of questions.filter((asking) => !open.has(asking.action.id))) {
    const { question, choices } = call!.question!;
    emit({ type: 'question_asked', actionId: action.id, question, choices: [...choices] });
  }
  return questions.length === 0;
}

/**
 * The context without this action's `action_started` event, which must not count as something that happened before it.
 */
function withoutStartOf({ id }: Action, context: StepContext): StepContext {
  return {
    ...context,
    history: context.history.filter((event) => event.type !== 'action_started' || event.actionId !== id),
  };
}

/**
 * Suspends all processes in the sandbox from the last check of a command until it has ended outside, so that none of
 * them can change what was checked. `problem`: why they cannot be suspended.
 */
async function holdSandbox({ environment }: AgentParts): Promise<{ readonly problem?: string; release(): void }> {
  try {
    return (await environment.terminal.hold?.()) ?? { release: () => undefined };
  } catch (problem) {
    return { problem: errorMessage(problem), release: () => undefined };
  }
}

/** True if the action may change something, here or on another machine. Its start must be on disk before it runs. */
const hasSideEffects = ({ action: { effect }, tool }: ResolvedAction): boolean =>
  mayChangeFiles(effect) || tool?.lasting === true;

/** Runs the actions of a group in parallel. A failing action does not interrupt the others. */
async function runGroup(group: readonly ResolvedAction[], parts: AgentParts, context: StepContext): Promise<void> {
  const { history, emit, durable } = context;
  const { mode } = settingsOf(history)!;
  const reasons = group.map(
    async (resolved) => [resolved.action.id, await whyForbiddenIn(mode, resolved, parts.environment, history)] as const,
  );
  const forbidden = new Map(await Promise.all(reasons));
  const starting = group.filter(
    ({ action: { id, problem } }) =>
      problem === undefined && forbidden.get(id) === undefined && decisionOn(id, history)?.approved !== false,
  );
  for (const { action } of starting) emit({ type: 'action_started', actionId: action.id });
  const startRecorded = starting.some(hasSideEffects) ? durable() : Promise.resolve();
  // Each action awaits it itself, in parallel with its own preparations.
  startRecorded.catch(() => undefined);
  const branches = parts.profile.branches === true && group.length > 1;
  const running = { parts, context, starting, forbidden, startRecorded, branches };
  const results = await Promise.allSettled(startGroup(group, (resolved, done) => runInGroup(resolved, running, done)));
  const broken = results.find((result) => result.status === 'rejected');
  if (broken) throw broken.reason;
  const endings = results.flatMap((result, index) =>
    result.status === 'fulfilled' && result.value
      ? (submissionIn(group[index]!.action, result.value, parts.profile) ?? [])
      : [],
  );
  if (endings.length > 0) throw reviewByCritic(parts.profile, history, 'declared') ?? new Submitted(endings.join('\n'));
}

/** What the actions of a group share while they run. */
interface RunningGroup {
  readonly parts: AgentParts;
  readonly context: StepContext;
  /** The actions whose start is in the log. */
  readonly starting: readonly ResolvedAction[];
  /** Why the mode forbids an action, by its id. */
  readonly forbidden: ReadonlyMap<string, string | undefined>;
  /** Resolves when their start is on disk. */
  readonly startRecorded: Promise<void>;
  /** True if each action continues in a branch of its own. */
  readonly branches: boolean;
}

/**
 * Runs one action of a group. Earlier actions may have changed what it does: if so, it needs a new approval and does not
 * run yet, and the result is undefined. `done` is called when the rest of it touches nothing.
 */
async function runInGroup(
  resolved: ResolvedAction,
  { parts, context, starting, forbidden, startRecorded, branches }: RunningGroup,
  done: () => void,
): Promise<RanAction | undefined> {
  const { action } = resolved;
  const { history } = context;
  const isStarting = starting.includes(resolved);
  const outsideSandbox = isStarting && action.effect === 'executes' && mayLeaveSandbox(action.id, history);
  const wasDecided = action.risk.pins !== undefined && decisionOn(action.id, history) !== undefined;
  const isCheckedAgain = outsideSandbox || (isStarting && (wasDecided || hasOtherEndedSince(action, history)));
  if (outsideSandbox) await startRecorded;
  const held = outsideSandbox ? await holdSandbox(parts) : undefined;
  try {
    if (
      held?.problem === undefined &&
      isCheckedAgain &&
      !(await isDecided([resolved], parts, withoutStartOf(action, context)))
    )
      return undefined;
    return await runAction(resolved, {
      parts,
      context,
      forbidden: forbidden.get(action.id),
      holdProblem: held?.problem,
      outsideSandbox,
      startRecorded,
      ...(branches && {
        continuation: (result) => {
          done();
          return branchFrom(action, parts, context)(result);
        },
      }),
    });
  } finally {
    held?.release();
  }
}

/** Returns what an action submits as the result of the task, or undefined if the task continues. */
function submissionIn(
  { effect }: Action,
  { outcome, result }: RanAction,
  { end: { markers } }: Pick<Profile, 'end'>,
): string | undefined {
  if (outcome !== 'ok') return undefined;
  if (effect === 'ends') return result.content;
  if (effect !== 'executes' || result.details?.kind !== 'command' || result.details.exitCode !== 0) return undefined;
  const { outputCharacters = result.content.length } = result.details;
  return submittedAfter(markers, result.content.slice(0, outputCharacters));
}
