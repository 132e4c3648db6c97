import type { Action, Event, EventOf } from '../../protocol/events/event';
import type { ModelReply } from '../ports/model';
import { toolCalledInText } from '../model/formats/callsInText';
import type { Proposal } from '../ports/replyFormat';
import { problemsBeforeEnd } from './acting/newProblems';
import type { AgentParts, StepContext } from './agentParts';
import { reviewByCritic, type Ending } from './thinking/critics';
import { Failed, Feedback, Submitted } from './interrupt';
import { isUnfinished, todosOf } from '../tools/native/todo';
import { projection, type History } from '../log/projection';

/** A reply of the model that is in the log, with what was read from it. */
interface RecordedReply {
  readonly reply: ModelReply;
  readonly proposal: Proposal;
  readonly actions: readonly Action[];
}

/**
 * Decides how the run continues after a recorded reply. Returns if the reply contains actions or an answer; otherwise
 * throws an interrupt.
 */
export async function checkReply(parts: AgentParts, context: StepContext, recorded: RecordedReply): Promise<void> {
  const { history, emit, signal } = context;
  const { reply, proposal, actions } = recorded;
  const { failureLimits, end } = parts.profile;
  const { finishReason } = reply;
  if (proposal.notice) emit({ type: 'notice', level: 'warning', text: proposal.notice });
  if (proposal.completed !== undefined)
    throw (await whyNotEnd(parts, { history, signal }, 'declared')) ?? new Submitted(proposal.completed);
  if (actions.length > 0) return checkTools(history, failureLimits.unknownTools);

  if (proposal.problem !== undefined) return complain({ error: proposal.problem }, parts, context, recorded);
  const text = proposal.text.trim();
  if (/^(content_filter|refusal|safety)$/.test(finishReason)) throw declined(text);
  if (text === '') throw emptyReply(history, failureLimits.emptyReplies, reply);
  if (finishReason === 'length') {
    if (feedbackStreak(history, 'reply_cut') < failureLimits.continuations)
      throw new Feedback('reply_cut', 'The reply was cut off at the token limit. Continue exactly where it stopped.');
    if (end.text !== 'format_error')
      emit({
        type: 'notice',
        level: 'warning',
        text: 'The reply was cut off at the token limit, so it is incomplete.',
      });
  }
  if (end.text === 'format_error')
    return complain({ error: 'The reply contains no action.' }, parts, context, recorded);
  // Profiles that tolerate any number of these follow a published agent, where such a reply is the answer.
  const calledInText = failureLimits.formatErrors > 0 ? toolCalledInText(proposal.text, parts.tools) : undefined;
  if (calledInText !== undefined) return complain(callAsText(calledInText), parts, context, recorded);
  const reminder = reminderOfWork(parts.profile, history);
  const reasonToContinue = reminder ?? (await whyNotEnd(parts, { history, signal }, 'answered'));
  if (reasonToContinue) throw reasonToContinue;
}

const declined = (text: string): Failed =>
  new Failed(
    {
      what: 'The model declined to answer.',
      why: text === '' ? 'Its provider’s content filter stopped the reply.' : `It said: “${text}”.`,
      next: 'Rephrase the task, or choose another model.',
    },
    'model',
  );

/** `limit`: number of empty replies in a row that end the run; 0 means none do. */
function emptyReply(history: History, limit: number, { reasoning }: ModelReply): Feedback | Failed {
  if (!isReached(limit, feedbackStreak(history, 'empty_reply')))
    return new Feedback('empty_reply', 'The last reply was empty. Continue with the task, or say that it is done.', {
      hidesReply: true,
    });
  return new Failed(
    {
      what: 'The model returned empty replies.',
      why: reasoning?.text.trim()
        ? `${limit} replies in a row had no text and no tool call. The last one contained only reasoning.`
        : `${limit} replies in a row contained neither text nor a tool call.`,
      next: 'Choose another model, or try again.',
      remedy: 'choose_model',
    },
    'empty_replies',
  );
}

/**
 * Returns a reminder if a reply without calls leaves todos open on which the agent worked since the last message of the
 * user. There is at most one after each message.
 */
function reminderOfWork({ remindsOfWork }: AgentParts['profile'], history: History): Feedback | undefined {
  if (!remindsOfWork) return undefined;
  const lastMessage = history.findLastIndex(({ type }) => type === 'user_message' || type === 'task_started');
  const sinceMessage = history.slice(lastMessage);
  if (sinceMessage.some((event) => event.type === 'feedback' && event.cause === 'open_work')) return undefined;
  const worked = sinceMessage.some((event) => event.type === 'observation' && event.details?.kind === 'todo');
  const open = worked ? todosOf(history).filter(isUnfinished) : [];
  if (open.length === 0) return undefined;
  const openTodos = open.length === 1 ? '1 todo is open' : `${open.length} todos are open`;
  return new Feedback(
    'open_work',
    `${openTodos}: ${open.map(({ text }) => text).join('; ')}. Continue, or call finish.`,
  );
}

/** What is wrong with a reply. */
interface Fault {
  /** Told to the model. */
  readonly error: string;
  /** What the person can do if the run ends because of it. */
  readonly next?: string;
}

const callAsText = (tool: string): Fault => ({
  error: `The reply ends with a call of ${tool} that is written as text, so it was not run. Make it as a tool call.`,
  next:
    'Turn on tool calls in the model server, such as --enable-auto-tool-choice of vLLM. ' +
    'Or choose a profile for models without tools, such as mini-text.',
});

/** Tells the model what is wrong with its reply. Ends the run if this has already failed several times. */
async function complain(
  { error, next = 'Try again, or choose another model or profile.' }: Fault,
  { profile: { failureLimits, faultyReply }, wording }: AgentParts,
  { history, emit }: StepContext,
  { reply: { toolCalls, finishReason }, proposal: { unreadCalls = [] } }: RecordedReply,
): Promise<never> {
  const faulty = { calls: unreadCalls, hasToolCalls: toolCalls.length > 0, finishReason };
  const text = await wording.formatError(error, faulty, history);
  const feedback = new Feedback('format_error', text, { hidesReply: faultyReply === 'hidden' });
  if (!isReached(failureLimits.formatErrors, feedbackStreak(history, 'format_error'))) throw feedback;
  feedback.events.forEach(emit);
  throw new Failed(
    {
      what: 'The model’s replies cannot be used.',
      why: `${failureLimits.formatErrors} replies in a row contained no action that can run: ${error}`,
      next,
    },
    'format_errors',
  );
}

/**
 * Maximum number of times that late problems keep a run from ending. A language service that keeps finding new problems
 * would otherwise cause a loop.
 */
const maxLateProblems = 2;

/** Returns the reason to continue although the model wants to end the run, or undefined if it may end. */
async function whyNotEnd(
  { profile, environment }: AgentParts,
  { history, signal }: Pick<StepContext, 'history' | 'signal'>,
  ending: Ending,
): Promise<Feedback | undefined> {
  const tooLittle = reviewByCritic(profile, history, ending);
  if (tooLittle) return tooLittle;
  if (feedbackStreak(history, 'late_problems') >= maxLateProblems) return undefined;
  const unseen = await problemsBeforeEnd(environment.diagnostics, signal);
  return unseen === '' ? undefined : new Feedback('late_problems', unseen);
}

/** Returns whether one more bad reply after `before` others reaches the limit. A limit of 0 is never reached. */
const isReached = (limit: number, before: number): boolean => limit > 0 && before + 1 >= limit;

const endsStreak: ReadonlySet<Event['type']> = new Set<Event['type']>([
  'observation',
  'user_message',
  'task_started',
  'resumed',
]);

/** Number of replies in a row that ended with this feedback. */
export function feedbackStreak(history: History, cause: EventOf<'feedback'>['cause']): number {
  let count = 0;
  for (let index = history.length - 1; index >= 0; index--) {
    const event = history[index]!;
    if (event.type === 'feedback' && event.cause === cause) count++;
    else if (endsStreak.has(event.type)) break;
  }
  return count;
}

/** Ends the run if too many replies in a row call tools that do not exist. Until then the model is only told. */
function checkTools(history: History, allowed: number): void {
  if (allowed > 0 && misnamedInARow(history).count >= allowed) {
    throw new Failed(
      {
        what: 'The model calls tools that do not exist.',
        why: `${allowed} replies in a row named one, although the model was given the available names.`,
        next: 'Try again, or choose another model or toolset.',
      },
      'unknown_tools',
    );
  }
}

const misnamedInARow = projection<{ count: number }>(
  () => ({ count: 0 }),
  (state, event) => {
    if (event.type === 'agent_response')
      state.count = event.actions.some(({ effect }) => effect === undefined) ? state.count + 1 : 0;
  },
);
