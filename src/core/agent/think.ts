import type { Mode } from '../../protocol/events/event';
import type { Problem } from '../../protocol/events/result';
import { ModelProblem, RequestOutdated, type ModelReply, type ModelRequest, type ToolSchema } from '../ports/model';
import { truncationWarning } from '../model/truncationWarning';
import type { ReadCall } from '../ports/replyFormat';
import { offeredTools } from '../tools/dialects/dialect';
import { waymarkDialect } from '../tools/dialects/waymark';
import { actionsFor } from './thinking/actionsFor';
import { StreamedCalls } from './thinking/streamedCalls';
import type { AgentParts, StepContext } from './agentParts';
import { settingsOf } from '../log/runSettings';
import { statusOf, waitingMessages } from '../log/status';
import type { History } from '../log/projection';
import { AskedAnew, ContextOverflow, Failed, Feedback, type LimitExceeded, limitReached } from './interrupt';
import { checkReply, feedbackStreak } from './checkReply';
import { toMessages } from '../model/messages';
import { toolsOffered } from './toolsOffered';
import { taskSpending, unknownUsage } from '../log/spending';
import { skillActivations } from './thinking/skillActivations';
import { detectLoop } from './thinking/detectLoop';
import type { StuckThresholds } from '../ports/profile';
import { typedAction } from './thinking/typedAction';
import { withCallsInText } from './thinking/readReply';

/**
 * The thinking half of a step: asks the model and records its reply before judging it, so that the cost of a bad reply
 * is counted, too.
 */
export async function think(parts: AgentParts, context: StepContext): Promise<void> {
  const { history, signal, emit } = context;
  signal.throwIfAborted();
  const { mode, limits } = settingsOf(history)!;
  if (mode === 'human') return typedAction(parts, context);
  const limit = limitReached(limits, taskSpending(history));
  if (limit) throw parts.profile.wrapUp ? await wrapUp(parts, context, limit) : limit;
  checkProgress(history, parts.profile.stuck);
  for (const woken of await skillActivations(parts, history)) emit(woken);
  signal.throwIfAborted();
  // The message to be answered may have been withdrawn.
  if (statusOf(history) !== 'ready') return;
  const { reply, request, ...stamp } = await askModel(parts, context, toolsFor(parts, mode, history));
  const proposal = withCallsInText(parts.format.read(reply), reply, request, { profile: parts.profile, history });
  const asksAgain =
    proposal.groups.flat().some(isUnreadable) &&
    feedbackStreak(history, 'bad_arguments') < parts.profile.failureLimits.badArguments;
  const actions = asksAgain ? [] : await actionsFor(proposal.groups, parts, history);
  const { text, written, taskState } = proposal;
  const unreadCalls = asksAgain ? reply.toolCalls : proposal.unreadCalls;
  emit({
    type: 'agent_response',
    ...stamp,
    text,
    actions,
    usage: reply.usage,
    model: reply.model,
    finishReason: reply.finishReason,
    firstTokenMs: reply.firstTokenMs,
    ...(reply.origin !== undefined && { origin: reply.origin }),
    ...(reply.reasoning && { reasoning: reply.reasoning }),
    ...(written !== undefined && { written }),
    ...(taskState && { taskState }),
    ...(unreadCalls?.length && { unreadCalls: [...unreadCalls] }),
    ...(reply.sampling && { sampling: reply.sampling }),
  });
  if (asksAgain) throw new Feedback('bad_arguments', '', { hidesReply: true });
  warnOfTruncation(request, reply, context);
  await checkReply(parts, context, { reply, proposal, actions });
}

const isUnreadable = ({ problem, rawInput }: ReadCall): boolean => problem !== undefined && rawInput !== undefined;

function toolsFor(
  { format, tools, dialect = waymarkDialect }: AgentParts,
  mode: Mode,
  history: History,
): readonly ToolSchema[] {
  if (!format.sendsTools) return [];
  return offeredTools(toolsOffered(tools, mode, history), dialect);
}

interface Answered {
  readonly reply: ModelReply;
  readonly request: ModelRequest;
  readonly readUpTo: number;
  readonly durationMs: number;
}

/**
 * Asks the model and returns its reply. If it is stopped or fails for good, records the text received so far and then
 * throws.
 */
async function askModel(
  { model, format, condenser, tools: allTools, dialect = waymarkDialect }: AgentParts,
  { history, signal, emit, onDelta, hurry }: StepContext,
  tools: readonly ToolSchema[],
  formerTools?: readonly ToolSchema[],
): Promise<Answered> {
  const readUpTo = history.length;
  const began = performance.now();
  let partial = '';
  const streamedCalls = new StreamedCalls({ tools: allTools, dialect });
  onDelta({ kind: 'reading', upTo: readUpTo });
  const request: ModelRequest = {
    messages: toMessages(history),
    tools,
    ...(formerTools && { formerTools }),
    onDelta(delta) {
      if (delta.kind === 'tool') return streamedCalls.deltasFor(delta).forEach((each) => onDelta(each));
      if (delta.kind === 'text') partial += delta.text;
      else if (delta.kind === 'discard') {
        partial = '';
        streamedCalls.discard();
      }
      const isHidden = format.hidesStream && delta.kind === 'text';
      onDelta(isHidden ? { kind: 'tool', tool: 'reply', bytes: partial.length } : delta);
    },
    onRetry: (retry) => emit({ type: 'retry_scheduled', ...retry }),
    ...(hurry && { hurry }),
    // The last request of a run asks for a summary only.
    ...(!formerTools && { isOutdated: () => isRequestOutdated(history, readUpTo) }),
    onNotice: (text) => emit({ type: 'notice', level: 'info', text }),
  };
  try {
    return { reply: await model.complete(request, signal), request, readUpTo, durationMs: performance.now() - began };
  } catch (thrown) {
    if (thrown instanceof RequestOutdated) throw new AskedAnew();
    const overflow = thrown instanceof ModelProblem && thrown.kind === 'context_overflow' ? thrown : undefined;
    if (partial && (signal.aborted || (thrown instanceof ModelProblem && !overflow))) {
      emit({
        type: 'agent_response',
        readUpTo,
        durationMs: performance.now() - began,
        text: partial,
        actions: [],
        usage: unknownUsage,
        model: model.info.name,
        finishReason: 'interrupted',
        firstTokenMs: null,
      });
    }
    if (overflow && condenser && !wasCondensedForOverflow(history)) throw new ContextOverflow(overflow.contextWindow);
    throw thrown;
  }
}

/** True if a request with the log up to there lacks a message of the person, or was made for another model or mode. */
const isRequestOutdated = (history: History, readUpTo: number): boolean =>
  waitingMessages(history).some(({ held, event: { seq } }) => !held && seq >= readUpTo) ||
  history.slice(readUpTo).some((event) => event.type === 'settings_changed' && (event.model ?? event.mode));

/** Detects servers that silently truncate the prompt. The person is warned once, and the conversation is condensed. */
function warnOfTruncation(request: ModelRequest, reply: ModelReply, { history, emit }: StepContext): void {
  const words = reply.sampling ? undefined : truncationWarning(request, reply);
  if (
    words === undefined ||
    history.some((event) => event.type === 'condensation_requested' && event.by === 'silent_truncation')
  )
    return;
  emit({ type: 'notice', level: 'warning', text: words });
  emit({ type: 'condensation_requested', by: 'silent_truncation' });
}

/**
 * True if the conversation was already condensed after an overflow. If it is still too long, a person has to know. A
 * new message or resuming allows another attempt.
 */
function wasCondensedForOverflow(history: History): boolean {
  const last = history.findLast(
    (event) =>
      event.type === 'agent_response' ||
      event.type === 'user_message' ||
      event.type === 'resumed' ||
      (event.type === 'condensation_requested' && event.by === 'context_overflow'),
  );
  return last?.type === 'condensation_requested';
}

/** Adds a hint when the run starts to loop. If that does not help, the run stops and a person decides. */
function checkProgress(history: History, thresholds: StuckThresholds | null): void {
  const circle = detectLoop(history, thresholds);
  if (!circle) return;
  if (circle.stop) throw new Failed(loopProblem(circle.words, history), 'going_in_circles');
  const last = history.findLast(
    (event) => event.type === 'agent_response' || (event.type === 'feedback' && event.cause === 'going_in_circles'),
  );
  if (last?.type === 'feedback') return;
  throw new Feedback(
    'going_in_circles',
    `${circle.words} Repeating it will not help: read the result, try another way, or ask.`,
  );
}

/** A model that goes on making calls that cannot be read needs another model more than another instruction. */
function loopProblem(words: string, history: History): Problem {
  const what = 'The run is stuck in a loop.';
  const last = history.findLast((event) => event.type === 'agent_response');
  const invalid = last?.actions.find(({ problem }) => problem !== undefined)?.problem;
  return invalid === undefined
    ? { what, why: words, next: 'Tell the agent what to do differently, or resume to let it continue.' }
    : {
        what,
        why: `${words} ${invalid.split(/(?<=\.) /, 1)[0]}`,
        next: 'Choose another model, tell the agent what to do differently, or resume to let it continue.',
        remedy: 'choose_model',
      };
}

/** Makes one last call without tools. Its text becomes the result. */
async function wrapUp(parts: AgentParts, context: StepContext, limit: LimitExceeded): Promise<LimitExceeded> {
  const { emit } = context;
  emit({
    type: 'feedback',
    cause: 'wrap_up',
    text: 'The limit of this task is reached, so you can call no more tools. Summarize what was done, what you found out and what is left to do.',
  });
  const answered = await askModel(parts, context, [], toolsFor(parts, 'confirm', context.history)).catch(
    (thrown: unknown) => {
      if (!(thrown instanceof ModelProblem)) throw thrown;
      emit({ type: 'notice', level: 'warning', text: `The work was not summarized. ${thrown.what} ${thrown.why}` });
    },
  );
  if (!answered) return limit;
  const { reply, request: _request, ...stamp } = answered;
  const { text, usage, model, finishReason, firstTokenMs } = reply;
  emit({ type: 'agent_response', ...stamp, text, actions: [], usage, model, finishReason, firstTokenMs });
  return limit.withFinalText(text);
}
