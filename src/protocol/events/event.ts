import * as z from 'zod';
import { ContextPart, Image, settingsChanged, taskStarted } from './beginning';
import { Comparison } from './comparison';
import { allowRuleAdded, confirmationRequested, confirmationResolved, questionAsked } from './confirmation';
import { hookRan } from './hookRan';
import { agentResponse, condensation, Usage } from './reply';
import { FeedbackCause, finished, observation } from './result';

/**
 * The one vocabulary: what is logged, shown, exported and sent to the model is made of these events. They are grouped
 * by the life of a run: how it begins (`beginning`), what the model says (`reply`), what a person agrees to
 * (`confirmation`), and what came of it (`result`).
 */

export * from './risk';
export {
  ConfirmationMode,
  ContextPart,
  Image,
  Limits,
  Mode,
  ModelInfo,
  PromptPart,
  SessionContainer,
  Worktree,
} from './beginning';
export { Action, Candidate, Reasoning, Sampling, TaskState, Usage } from './reply';
export { AgentResult, EndCause, FeedbackCause, Outcome, Problem } from './result';
export { RunPlace } from './confirmation';
export { AddedTool, ToolOrigin } from './calls';
export { HookMoment } from './hookRan';
export { CheckOutcome, Comparison } from './comparison';

/**
 * The two places of a step where a run can be held: before the model is asked, and before what it asked for is done.
 */
export const Checkpoint = z.enum(['before_reasoning', 'before_acting']);
export type Checkpoint = z.infer<typeof Checkpoint>;

/**
 * What a file of another format says beside the event that was read from it, so that it can be written back: for
 * each part of the file that the event stands for, the places where that part differs from what Waymark writes.
 * `[path, value]` is said there, `[path]` is not.
 */
export const Foreign = z.record(
  z.string(),
  z.array(z.tuple([z.array(z.union([z.string(), z.number()]))], z.unknown())),
);
export type Foreign = z.infer<typeof Foreign>;

/**
 * `seq` is the event's place in its log, from 0; `at` is milliseconds since 1970. Order is by `seq`, never by clock.
 */
function event<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({
    seq: z.number().int().nonnegative(),
    at: z.number(),
    type: z.literal(type),
    foreign: Foreign.optional(),
    ...shape,
  });
}

export const Event = z.discriminatedUnion('type', [
  event('task_started', taskStarted()),
  event('settings_changed', settingsChanged()),
  /**
   * `steer`: read with the next tool result; otherwise before the next reply. `instead`: the place in its log of a
   * message that waited and that this one replaces.
   */
  event('user_message', {
    text: z.string(),
    delivery: z.enum(['next_step', 'steer']).optional(),
    images: z.array(Image).optional(),
    context: z.array(ContextPart).optional(),
    instead: z.number().int().nonnegative().optional(),
  }),
  /**
   * A person changed a message that the agent had not read: `held` while they edit it, and `taken_back`, the agent does
   * not read it; `moved`, it is read before the message `before`, or last.
   */
  event('message_changed', {
    message: z.number().int().nonnegative(),
    change: z.enum(['held', 'taken_back', 'moved']),
    before: z.number().int().nonnegative().optional(),
  }),
  event('agent_response', agentResponse()),
  event('confirmation_requested', confirmationRequested()),
  event('confirmation_resolved', confirmationResolved()),
  event('allow_rule_added', allowRuleAdded()),
  event('question_asked', questionAsked()),
  event('action_started', { actionId: z.string() }),
  event('observation', observation()),
  event('feedback', {
    cause: FeedbackCause,
    text: z.string(),
    /** Whether the reply before it is left out of what the model reads. */
    hidesReply: z.boolean().optional(),
  }),
  event('retry_scheduled', { attempt: z.number(), delayMs: z.number(), why: z.string() }),
  event('condensation_requested', { by: z.enum(['person', 'context_overflow', 'silent_truncation']).optional() }),
  event('condensation', condensation()),
  /**
   * What a skill says was given to the model, because of `what`: a word, a command, a path. Of files that
   * hold, at the beginning, `task_started` tells.
   */
  event('skill_woken', {
    name: z.string(),
    path: z.string(),
    hash: z.string(),
    by: z.enum(['keyword', 'command', 'path']),
    what: z.string(),
    text: z.string(),
  }),
  /**
   * A program of the folder ran at a moment of the session, after a person agreed to it.
   * Nothing runs it again when the log is replayed.
   */
  event('hook_ran', hookRan()),
  /** An action began a session of its own. */
  event('child_started', { actionId: z.string(), session: z.string(), title: z.string() }),
  event('notice', {
    level: z.enum(['info', 'warning']),
    text: z.string(),
    /**
     * What it means to the loop: earlier messages could not be condensed, so the model reads them still; nothing that
     * was agreed to before counts; hooks are not what was agreed to, or do less than their files say; files that teach
     * changed, or nobody agreed to hooks, and the session goes on without them. To the loop it means nothing that this
     * session was compared with others, or that commands run without the sandbox that was wanted, or with less of it.
     */
    about: z
      .enum([
        'condensation_failed',
        'consent_void',
        'hooks_changed',
        'hook_problems',
        'hooks_left_out',
        'skills_left_out',
        'candidates_compared',
        'sandbox_limited',
      ])
      .optional(),
    /** The files that it is about, as people are shown them. */
    files: z.array(z.string()).optional(),
    /** What the attempt, or the judge of candidates, cost. */
    usage: Usage.optional(),
    /** Set where it is about a comparison of candidates. */
    compared: Comparison.optional(),
  }),
  /** The run will halt at its next checkpoint. */
  event('pause_requested', {}),
  event('paused', {
    reason: z.string(),
    checkpoint: Checkpoint.optional(),
    /** Set where hooks hold the run. */ by: z.literal('hook').optional(),
  }),
  event('resumed', {}),
  event('finished', finished()),
]);
export type Event = z.infer<typeof Event>;
export type EventType = Event['type'];
export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>;

type WithoutStamp<E> = E extends unknown ? Omit<E, 'seq' | 'at'> : never;
/** An event before the log has stamped it with its place and time. */
export type NewEvent = WithoutStamp<Event>;
