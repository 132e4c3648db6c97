import { mayChangeFiles } from '../../../protocol/plain/mayChangeFiles';
import type { Action, EventOf, Outcome } from '../../../protocol/events/event';
import { foreignSources, quotesLines } from '../../security/taint/sources';
import { spotlit, type Spotlit } from '../../text/spotlight';
import { placeOfCommand } from '../../security/commandAnalyzer';
import { loadCommandAnalysis } from '../../security/commandAnalysis';
import { denialWords } from '../../security/sandbox';
import { namesOfDialect } from '../../tools/dialects/dialect';
import { withFoundTouches } from '../../tools/calls/withFoundTouches';
import type { Environment } from '../../ports/environment';
import { RunCannotContinue, type Terminal } from '../../ports/terminal';
import type { ToolContext, ToolResult } from '../../ports/tool';
import type { AgentParts, StepContext } from '../agentParts';
import { Failed } from '../interrupt';
import { lateProblems, problemsBeforeEnd, withNewProblems } from './newProblems';
import type { ResolvedAction } from './resolvedAction';
import { observationEvent } from '../wording';
import { decisionOn } from '../../log/openActions';
import { settingsOf } from '../../log/runSettings';
import { shellFolderIn, shellStateOf } from '../../log/shellState';
import { seenVersions } from '../../log/seenFiles';
import type { History } from '../../log/projection';
import { errorMessage } from '../../text/errorMessage';

/** Outcome of an action. `result` is what the tool returned, before it was worded for the model. */
export interface RanAction {
  readonly outcome: Outcome;
  readonly result: ToolResult;
}

/** What an action needs to know to run: the session, and what was decided about it just before. */
interface RunParts {
  readonly parts: AgentParts;
  readonly context: StepContext;
  /** Why the mode forbids it. */
  readonly forbidden: string | undefined;
  /** True if it runs outside the sandbox, whose processes are suspended meanwhile. */
  readonly outsideSandbox: boolean;
  /** Resolves when the start is on disk. The action does not run before. */
  readonly startRecorded?: Promise<void>;
  /** Why the processes in the sandbox could not be suspended. It does not run then. */
  readonly holdProblem?: string | undefined;
  /** Continues its result before the observation is recorded. */
  readonly continuation?: Continuation;
}

/**
 * Runs one action and records exactly one observation, however it ends. Throws if the run was stopped meanwhile, if it
 * cannot continue, or if the start or the wording of the result fails.
 */
export async function runAction(resolved: ResolvedAction, run: RunParts): Promise<RanAction> {
  const { action } = resolved;
  const { parts, context, outsideSandbox, startRecorded = Promise.resolve(), continuation } = run;
  const { history, signal } = context;
  const began = performance.now();
  const observe = async (outcome: Outcome, result: ToolResult): Promise<RanAction> => {
    await recordResult(action, { outcome, result, durationMs: performance.now() - began }, parts, context);
    return { outcome, result };
  };
  const bar = barOf(resolved, run);
  if (bar) return observe(bar.outcome, { content: bar.content });
  let result: ToolResult;
  try {
    signal.throwIfAborted();
    const call = toolContext(action, parts, context, outsideSandbox);
    const { diagnostics } = call.environment;
    const unseenProblems = action.effect === 'ends' ? await problemsBeforeEnd(diagnostics, signal) : '';
    if (unseenProblems !== '') return observe('error', { content: unseenProblems });
    const runTool = (): Promise<ToolResult> => {
      // The run may have been stopped while waiting for the disk or the checkpoint.
      signal.throwIfAborted();
      return resolved.call!.run(call);
    };
    result = await withCheckpoint(resolved, call.environment, { history, startRecorded }, () =>
      action.effect === 'writes' ? withNewProblems(diagnostics, signal, runTool) : runTool(),
    );
    const wasAsked = action.effect === 'writes' || action.effect === 'ends';
    const newProblems = wasAsked ? '' : await lateProblems(diagnostics, signal);
    if (newProblems !== '') result = { ...result, content: `${result.content}\n\n${newProblems}` };
    result = withHeldNote(result, action, call.environment);
    const denied = denialWords(result.details, history);
    if (denied !== '') result = { ...result, content: result.content + denied };
    if (continuation && !signal.aborted) result = await continuation(result);
  } catch (thrown) {
    // If the log could not be written, the action did not run: throw instead of recording an observation.
    await startRecorded;
    if (!signal.aborted) {
      const observed = await observe('error', { content: errorMessage(thrown) });
      if (thrown instanceof RunCannotContinue) throw new Failed(thrown.problem);
      return observed;
    }
    await observe('interrupted', { content: 'This action was stopped while it ran. Check what it did.' });
    throw signal.reason;
  }
  if (signal.aborted && result.failed) {
    await observe('interrupted', result);
    signal.throwIfAborted();
  }
  return observe(outcomeOf(result), result);
}

/** Returns why an action does not run, with the outcome to record, or undefined if it may. */
function barOf(
  { action, tool }: ResolvedAction,
  { context: { history }, forbidden, holdProblem }: RunParts,
): { readonly outcome: Outcome; readonly content: string } | undefined {
  const decision = decisionOn(action.id, history);
  if (decision?.approved === false) return { outcome: 'rejected', content: refusalText(decision, action.id) };
  if (action.problem !== undefined || !tool)
    return { outcome: 'error', content: action.problem ?? `There is no tool named ${action.tool}.` };
  if (forbidden !== undefined) return { outcome: 'rejected', content: forbidden };
  if (holdProblem !== undefined) return { outcome: 'error', content: holdProblem };
  const failures = tool.endsAfterOthers ? failuresBeside(action, history) : 0;
  if (failures === 0) return undefined;
  return {
    outcome: 'error',
    content: `Not finished: ${failures} of the calls beside it failed. Read their results, then call ${action.called?.name ?? action.tool} alone.`,
  };
}

/** Words a result for the model and records it as the action's observation. */
async function recordResult(
  action: Action,
  { outcome, result, durationMs }: RanAction & { readonly durationMs: number },
  { wording }: AgentParts,
  { history, emit }: StepContext,
): Promise<void> {
  const record = (worded: string): void => emit(observationEvent(action, outcome, result, { worded, durationMs }));
  const worded = await wording.observation(action, outcome, result, history).catch((thrown: unknown) => {
    // Record the result even if a template cannot word it.
    record(asData(action, result.content, result).text);
    throw thrown;
  });
  const { text, removed } = outcome === 'rejected' ? { text: worded, removed: 0 } : asData(action, worded, result);
  record(withNote(action, text));
  if (removed > 0)
    emit({
      type: 'notice',
      level: 'warning',
      text: `${removed} invisible ${removed === 1 ? 'character was' : 'characters were'} removed from the result of "${action.summary}" before the model read it.`,
    });
}

/** Number of other calls of the same reply that failed or were refused. */
function failuresBeside({ id }: Action, history: History): number {
  const reply = history.findLastIndex(
    (event) => event.type === 'agent_response' && event.actions.some((action) => action.id === id),
  );
  const began = history[reply];
  if (began?.type !== 'agent_response') return 0;
  const beside = new Set(began.actions.map((action) => action.id).filter((other) => other !== id));
  return history
    .slice(reply)
    .filter((event) => event.type === 'observation' && beside.has(event.actionId) && event.outcome !== 'ok').length;
}

function outcomeOf({ timedOut, failed }: ToolResult): Outcome {
  if (timedOut) return 'timeout';
  return failed ? 'error' : 'ok';
}

/** Adds a note to an edit that it waits for review, and to a command that it ran without the edits that wait. */
function withHeldNote(result: ToolResult, { effect }: Action, { heldEdits }: Environment): ToolResult {
  if (!heldEdits || !effect) return result;
  const { details } = result;
  const isEdit = details?.kind === 'edit';
  if (isEdit && (result.failed || !heldEdits.holdsAny(details.changes.map(({ path }) => path)))) return result;
  const note = heldEdits.noteAfter(effect);
  if (note === undefined) return result;
  const content = `${result.content}\n\n${note}`;
  return isEdit ? { ...result, content, details: { ...details, held: true } } : { ...result, content };
}

function toolContext(
  action: Action,
  { environment: shared, children, dialect }: AgentParts,
  { history, signal, emit, onDelta }: StepContext,
  outsideSandbox: boolean,
): ToolContext {
  const { id, tool } = action;
  const own = shared.forAction?.(id) ?? shared;
  const environment = action.effect === 'executes' ? whereItRuns(own, history, outsideSandbox) : own;
  return {
    environment,
    signal,
    history,
    ...(dialect && { words: namesOfDialect(dialect) }),
    progress: (text) => onDelta({ kind: 'output', actionId: id, text }),
    versionSeen: (path) => seenVersions(history).get(path),
    ...(children && {
      delegate: (task) =>
        children.run(task, {
          actionId: id,
          signal,
          started: (session) => emit({ type: 'child_started', actionId: id, session, title: task.title || tool }),
        }),
    }),
  };
}

/**
 * Runs an action once its start is on disk and, if it may change files, a checkpoint has been created. Both are written
 * at the same time, because creating a checkpoint has no visible effect.
 */
async function withCheckpoint(
  resolved: ResolvedAction,
  environment: Environment,
  { history, startRecorded }: { readonly history: History; readonly startRecorded: Promise<void> },
  run: () => Promise<ToolResult>,
): Promise<ToolResult> {
  const { id, effect } = resolved.action;
  if (!environment.checkpoints || !mayChangeFiles(effect)) {
    await startRecorded;
    return run();
  }
  const { checkpoints } = environment;
  const checkpoint = (await isReadOnlyCommand(resolved, environment, history))
    ? await checkpoints.beforeUnchanging(id)
    : await checkpoints.before(id, await declaredFiles(resolved, environment), resolved.call?.touches.command);
  try {
    await startRecorded;
    return await run();
  } finally {
    // The changes are computed while the model is asked for the next step.
    checkpoint.ended();
  }
}

/**
 * The files that a built-in tool declares it writes. Undefined for commands, child sessions and tools of others, which
 * may write any file.
 */
async function declaredFiles(
  { action, tool, call }: ResolvedAction,
  environment: Environment,
): Promise<readonly string[] | undefined> {
  if (action.effect !== 'writes' || tool?.from !== undefined) return undefined;
  return call ? ((await withFoundTouches(call, environment)).touches.writes ?? []) : [];
}

/** True if it is a command whose programs only read. */
async function isReadOnlyCommand(
  { action: { effect, risk }, tool, call }: ResolvedAction,
  environment: Environment,
  history: History,
): Promise<boolean> {
  if (effect !== 'executes' || !tool || tool.from !== undefined || risk.level !== 'low') return false;
  const { command, types } = call?.touches ?? {};
  if (command === undefined || types) return false;
  // A call that was approved in an earlier window is not assessed again.
  await loadCommandAnalysis();
  const { partNotReadOnly } = await import('../../shell/onlyReads');
  return partNotReadOnly(command, await placeOfCommand(environment, history)) === undefined;
}

/** Appends a note for the model about the form of its call. */
const withNote = ({ called }: Action, text: string): string =>
  called?.note === undefined ? text : `${text}\n[${called.note}]`;

/**
 * Marks text written by others as data for the model. The log keeps exactly this text, so that later requests share the
 * prefix and providers' caches hit. Waymark's own words about the end of a command stay outside the marks: otherwise the
 * model could not follow them.
 */
function asData(action: Action, worded: string, { content, details }: ToolResult): Spotlit {
  const isOwnMessage = details === undefined && !action.from && !(action.risk.reach?.quotes && quotesLines(content));
  const others = isOwnMessage ? [] : foreignSources({ content, ...(details && { details }) }, action);
  const ownWords = worded === content && details?.kind === 'command' ? content.slice(details.outputCharacters) : '';
  const data = worded.slice(0, worded.length - ownWords.length);
  if (others.length === 0 || data === '') return { text: worded, removed: 0 };
  const marked = spotlit(data, others, () => `data-${crypto.randomUUID().slice(0, 8)}`);
  return { ...marked, text: [marked.text, ownWords.replace(/^\n/, '')].filter(Boolean).join('\n') };
}

/**
 * The environment with the terminal for an action: the read-only one in plan mode, the one outside the sandbox, or the
 * default. Commands run in the folder of the log, because they were judged and approved for that one.
 */
function whereItRuns(environment: Environment, history: History, outsideSandbox: boolean): Environment {
  const { root, terminal } = environment;
  const elsewhere = outsideSandbox ? terminal.outside : undefined;
  const other = settingsOf(history)!.mode === 'plan' ? terminal.readOnly : elsewhere;
  const chosen = other ?? terminal;
  const inFolderOfLog: Terminal = {
    container: terminal.container,
    shellName: chosen.shellName,
    run(command, options) {
      const isUsed = shellStateOf(history)?.isUsed ?? false;
      return chosen.run(command, { ...options, judgedFor: { folder: shellFolderIn(root, history), isUsed } });
    },
    answer: (text, options) => chosen.answer(text, options),
    dispose: () => chosen.dispose(),
  };
  return { ...environment, terminal: inFolderOfLog };
}

function refusalText({ comment, edited }: EventOf<'confirmation_resolved'>, actionId: string): string {
  if (edited?.[actionId] !== undefined)
    return 'The user edited this command, so it did not run as you wrote it. The edited command and its result follow.';
  if (comment) return `The user refused this action: ${comment}`;
  return 'The user refused this action. Do not repeat it in another form: go on without it, or ask.';
}

/** Continues from a result and returns the report of the branch, which replaces the result. */
type Continuation = (result: ToolResult) => Promise<ToolResult>;

/**
 * Returns a continuation for an action of a parallel group: a branch, which is a session that knows the task and the
 * result, reasons by itself and reports back.
 */
export function branchFrom(
  action: Action,
  { children }: AgentParts,
  { history, signal, emit }: StepContext,
): Continuation {
  return async (result) => {
    if (!children || action.problem !== undefined) return result;
    const task = history.find((event) => event.type === 'task_started')!.task;
    const report = await children.run(
      {
        title: action.summary,
        task: `${task}\n\nThis is one of several branches that work on this in parallel. Yours ran: ${action.summary}. Read its result, do only what follows from it for this branch, and report in a few sentences.`,
        attachments: [{ id: action.id, description: `Result of ${action.summary}`, content: result.content }],
        profile: settingsOf(history)!.profile,
      },
      {
        actionId: action.id,
        signal,
        started: (session) => emit({ type: 'child_started', actionId: action.id, session, title: action.summary }),
      },
    );
    return {
      ...result,
      content: `${result.content}\n\n[The branch reports: ${report.summary}]`,
      branch: report,
      ...(signal.aborted && { failed: true }),
    };
  };
}
