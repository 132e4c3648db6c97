import type { Hooks, AgentParts, StepContext } from './agentParts';
import type { Action, EventOf, HookMoment, NewEvent } from '../../protocol/events/event';
import type { Hook } from '../ports/hook';
import type { HookEnd } from '../hooks/outcome';
import { secrets } from '../secrets/secrets';
import { settingsOf } from '../log/runSettings';
import { statusOf } from '../log/status';
import type { History } from '../log/projection';
import { eventsSinceLastMessage } from '../log/agentResults';
import { hooksDue } from './hooksDue';
import { Feedback, Submitted } from './interrupt';
import { observationEvent } from './wording';

/** `durable` is absent if everything is already on disk. */
type Context = Pick<StepContext, 'history' | 'signal' | 'emit'> & Partial<Pick<StepContext, 'durable'>>;
type HookSubject = { readonly actionId?: string; readonly message?: number };

/** Maximum number of times in a row that hooks may send the agent back to work. */
const maxRounds = 5;

/**
 * Runs half a step with the hooks around it. The log determines which hooks are due and records what a hook refused: an
 * observation for an action that did not run, a message hidden from the model, or a reason to continue.
 */
export async function withHooks(
  parts: Pick<AgentParts, 'wording'> & { readonly hooks: Hooks },
  context: StepContext,
  thinkOrAct: () => Promise<void>,
): Promise<void> {
  const { history, emit } = context;
  const { hooks, changed, problems } = await parts.hooks.current();
  if (changed.length > 0 && !wasReported(history, changed)) return pauseForChanges(changed, context);
  reportNewProblems(problems, context);
  if (hooks.length === 0) return thinkOrAct();
  const around = new HooksAround(parts, context, hooksDue(hooks, history));
  await around.sessionStart();
  await around.afterActions();
  if (await around.refuseMessage()) return;
  if (await around.refuseActions()) return;
  try {
    await thinkOrAct();
  } catch (thrown) {
    if (!(thrown instanceof Submitted)) throw thrown;
    await around.afterActions();
    const refused = await around.refuseEnd();
    throw refused === undefined ? thrown : goOn(refused);
  }
  await around.afterActions();
  if (statusOf(history) !== 'idle' || history.findLast((event) => event.type === 'agent_response')?.by === 'person')
    return;
  const refused = await around.refuseEnd();
  if (refused !== undefined) goOn(refused).events.forEach(emit);
}

/** Pauses until a person decided about changed hooks or resumes without them. */
function pauseForChanges(changed: readonly string[], { emit }: StepContext): void {
  emit({
    type: 'notice',
    level: 'warning',
    about: 'hooks_changed',
    text: `${changed.join(' ')} None of them runs until someone decides.`,
  });
  emit({
    type: 'paused',
    by: 'hook',
    reason: `${changed.join(' ')} Review and approve them, or resume to continue without them.`,
  });
}

/** Reports each problem of the hook files once, in the session that a person started. */
function reportNewProblems(problems: readonly string[], { history, emit }: StepContext): void {
  if (hasParent(history)) return;
  const isTold = (problem: string): boolean =>
    history.some((event) => event.type === 'notice' && event.about === 'hook_problems' && event.text.includes(problem));
  const fresh = problems.filter((problem) => !isTold(problem));
  if (fresh.length === 0) return;
  emit({
    type: 'notice',
    level: 'warning',
    about: 'hook_problems',
    text: `Some hooks of this folder do not fully work. ${fresh.join(' ')}`,
  });
}

/** The hooks around half a step. What they refuse is recorded in the log. */
class HooksAround {
  constructor(
    private readonly parts: Pick<AgentParts, 'wording'> & { readonly hooks: Hooks },
    private readonly context: StepContext,
    private readonly occasions: ReturnType<typeof hooksDue>,
  ) {}

  async sessionStart(): Promise<void> {
    const due = this.occasions.start();
    if (due.length === 0) return;
    const isResumed = this.context.history.some(({ type }) => type === 'agent_response');
    await this.refusalBy('SessionStart', due, { metadata: { source: isResumed ? 'resume' : 'startup' } });
  }

  async afterActions(): Promise<void> {
    for (const { action, observation, due } of this.occasions.results())
      await this.refusalBy(
        'PostToolUse',
        due,
        { ...calledTool(action), tool_response: { outcome: observation.outcome, output: observation.content } },
        { actionId: action.id },
      );
  }

  /** Pauses and returns true if a hook refuses a message of a person. */
  async refuseMessage(): Promise<boolean> {
    for (const { seq, text, due } of this.occasions.words()) {
      const refused = await this.refusalBy('UserPromptSubmit', due, { message: text }, { message: seq });
      if (refused === undefined) continue;
      const reason = `A hook of this folder blocked this message: ${refused}`;
      this.context.emit({ type: 'paused', by: 'hook', reason });
      return true;
    }
    return false;
  }

  /** Rejects the actions that hooks refuse. Returns true if there are any. */
  async refuseActions(): Promise<boolean> {
    const { history, emit } = this.context;
    let isRefused = false;
    for (const { action, due } of this.occasions.calls()) {
      const refused = await this.refusalBy('PreToolUse', due, calledTool(action), { actionId: action.id });
      if (refused === undefined) continue;
      isRefused = true;
      const content = `A hook of this folder blocked this action: ${refused}`;
      const worded = await this.parts.wording.observation(action, 'rejected', { content }, history);
      emit(observationEvent(action, 'rejected', { content }, { worded }));
    }
    return isRefused;
  }

  /** Returns why a hook does not let the agent finish, or undefined if it may. */
  async refuseEnd(): Promise<string | undefined> {
    const due = this.occasions.stop();
    if (due.length === 0) return undefined;
    const rounds = roundsIn(this.context.history);
    const refused = await this.refusalBy('Stop', due, { metadata: { stop_hook_active: rounds > 0 } });
    if (refused === undefined || rounds < maxRounds) return refused;
    this.context.emit({
      type: 'notice',
      level: 'warning',
      text: `Hooks made the agent continue ${maxRounds} times. The run ends anyway.`,
    });
    return undefined;
  }

  /** Returns the reason of the hook that refuses, or undefined. */
  private refusalBy(
    on: HookMoment,
    due: readonly Hook[],
    input: object,
    subject: HookSubject = {},
  ): Promise<string | undefined> {
    return runInOrder(due, this.parts.hooks, { ...this.context, on, input, subject });
  }
}

/**
 * Runs the last hooks when the session is closed. `maxSeconds`: how long all of them together may run. What precedes a
 * hook, such as the last scan of the workspace, does not count.
 */
export async function runSessionEndHooks(
  hooks: Hooks,
  { history, emit, maxSeconds }: Pick<Context, 'history' | 'emit'> & { readonly maxSeconds: number },
): Promise<void> {
  if (settingsOf(history) === undefined) return;
  const current = await hooks.current();
  await runInOrder(hooksDue(current.hooks, history).end(), withinSeconds(hooks, maxSeconds), {
    history,
    signal: new AbortController().signal,
    emit,
    on: 'SessionEnd',
    input: { metadata: { reason: statusOf(history) } },
    subject: {},
  });
}

/** Hooks that together may run this long. */
function withinSeconds(hooks: Hooks, maxSeconds: number): Hooks {
  let left = maxSeconds;
  return {
    current: () => hooks.current(),
    async run(hook, ...given) {
      const timeout = Math.min(hook.timeout, Math.round(left * 10) / 10);
      if (timeout <= 0) return notStarted(`the hooks before it took the ${maxSeconds} s that all have at the end`);
      const end = await hooks.run({ ...hook, timeout }, ...given);
      left -= end.durationMs / 1000;
      return end;
    },
  };
}

const notStarted = (why: string): HookEnd => ({
  exit: null,
  stdout: '',
  stderr: '',
  cut: false,
  durationMs: 0,
  problem: `was not started, because ${why}`,
});

const calledTool = ({ tool, input, summary }: Action): object => ({
  tool_name: tool,
  tool_input: input,
  metadata: { summary },
});

const goOn = (refused: string): Feedback =>
  new Feedback('hook', `A hook of this folder does not let you finish: ${refused}`);

/** Runs hooks one after the other until one refuses. Returns its reason, or undefined. Each hook leaves an event. */
async function runInOrder(
  due: readonly Hook[],
  hooks: Hooks,
  {
    history,
    signal,
    emit,
    durable,
    on,
    input,
    subject,
  }: Context & { readonly on: HookMoment; readonly input: object; readonly subject: HookSubject },
): Promise<string | undefined> {
  if (due.length === 0) return undefined;
  // Hooks must only see events that a crash cannot lose.
  await durable?.();
  const { blockableEvents, hookLine, verdictOf } = await import('../hooks/outcome');
  for (const hook of due) {
    const end = await hooks.run(
      hook,
      { event_type: on, working_dir: settingsOf(history)!.cwd, metadata: {}, ...input },
      signal,
    );
    const verdict = hook.async && !end.problem ? { decision: 'none' as const } : verdictOf(end);
    const refuses = verdict.decision === 'block' && blockableEvents.has(on);
    const { command, path, place, hash } = hook;
    const reason = verdict.reason ?? (verdict.decision === 'block' ? 'it gave no reason.' : undefined);
    // After the tool has run, nothing can be refused, so an objection becomes context for the model.
    const context = [verdict.context, !refuses && verdict.decision === 'block' && on === 'PostToolUse' && reason]
      .filter(Boolean)
      .join('\n');
    emit(
      hookRan({
        on,
        command,
        path,
        place,
        hash,
        exit: end.exit,
        durationMs: end.durationMs,
        decision: verdict.decision,
        text: hookLine(hook, end, verdict),
        level: refuses || verdict.decision === 'failed' ? 'warning' : 'info',
        ...subject,
        ...(reason && { reason }),
        ...(context && on !== 'SessionEnd' && { context }),
        ...outputOf(end),
      }),
    );
    signal.throwIfAborted();
    if (refuses) return reason;
  }
  return undefined;
}

const hookRan = (what: Omit<EventOf<'hook_ran'>, 'seq' | 'at' | 'type'>): NewEvent => ({ type: 'hook_ran', ...what });

/** Maximum length of a hook's output in the log, in characters. */
const keptOutput = 4_000;

function outputOf({ stdout, stderr }: HookEnd): { output?: string } {
  const all = [stdout.trim(), stderr.trim()].filter(Boolean).join('\n');
  // Masks before cutting, because half a secret would not be recognized.
  return all ? { output: all.length > keptOutput ? `… ${secrets.mask(all).slice(-keptOutput)}` : all } : {};
}

const hasParent = (history: History): boolean =>
  history.some((event) => event.type === 'task_started' && event.parent !== undefined);

/** True if a person was told about these changes since the last task or message. */
const wasReported = (history: History, changed: readonly string[]): boolean =>
  eventsSinceLastMessage(history).some(
    (event) =>
      event.type === 'notice' &&
      event.about === 'hooks_changed' &&
      changed.every((sentence) => event.text.includes(sentence)),
  );

/** Number of times hooks sent the agent back to work since a person last spoke. */
const roundsIn = (history: History): number =>
  eventsSinceLastMessage(history).filter((event) => event.type === 'feedback' && event.cause === 'hook').length;
