import * as z from 'zod';
import { ContextPart, Image, settingsChanged, taskStarted } from './beginning';
import { Comparison } from './comparison';
import { allowRuleAdded, confirmationRequested, confirmationResolved, questionAsked } from './confirmation';
import { hookRan } from './hookRan';
import { agentResponse, condensation, Usage } from './reply';
import { FeedbackCause, finished, observation } from './result';

/**
 * The vocabulary of events. Everything that is logged, displayed, exported or sent to the model consists of these
 * events. They are grouped by the life of a run: its start (`beginning`), what the model says (`reply`), what a person
 * approves (`confirmation`), and the results (`result`).
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

/** The two places in a step at which a run can pause: before the model call, and before the actions run. */
export const Checkpoint = z.enum(['before_reasoning', 'before_acting']);
export type Checkpoint = z.infer<typeof Checkpoint>;

/**
 * Content of a foreign file beyond the event that was read from it, so that it can be written back. For each part of
 * the file that the event represents, it lists the differences from what Waymark writes: `[path, value]` if the file
 * has another value, `[path]` if it has none.
 */
export const Foreign = z.record(
  z.string(),
  z.array(z.tuple([z.array(z.union([z.string(), z.number()]))], z.unknown())),
);
export type Foreign = z.infer<typeof Foreign>;

/**
 * `seq` is the event's index in its log, from 0; `at` is milliseconds since 1970. Events are ordered by `seq`, never by
 * time.
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

/** One line of a log. */
export const Event = z.discriminatedUnion('type', [
  event('task_started', taskStarted()),
  event('settings_changed', settingsChanged()),
  /**
   * `steer`: delivered with the next tool result; otherwise before the next reply. `instead`: `seq` of the waiting
   * message that this one replaces.
   */
  event('user_message', {
    text: z.string(),
    delivery: z.enum(['next_step', 'steer']).optional(),
    images: z.array(Image).optional(),
    context: z.array(ContextPart).optional(),
    instead: z.number().int().nonnegative().optional(),
  }),
  /**
   * A person changed a message before the agent read it. `held` (being edited) and `taken_back`: the agent does not
   * read it. `moved`: it is read before the message `before`, or last.
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
    /** True if the previous reply is hidden from the model. */
    hidesReply: z.boolean().optional(),
  }),
  event('retry_scheduled', { attempt: z.number(), delayMs: z.number(), why: z.string() }),
  event('condensation_requested', {
    by: z.enum(['person', 'context_overflow', 'silent_truncation']).optional(),
    /** Tokens that the model can read, if the server named them when it refused the conversation. */
    contextWindow: z.number().optional(),
  }),
  event('condensation', condensation()),
  /**
   * The text of a skill was given to the model because of `what`: a keyword, a command or a path. Skills that apply
   * from the beginning are in `task_started`.
   */
  event('skill_woken', {
    name: z.string(),
    path: z.string(),
    hash: z.string(),
    by: z.enum(['keyword', 'command', 'path']),
    what: z.string(),
    text: z.string(),
  }),
  /** A hook of the folder ran, with a person's earlier approval. Hooks are not run again when the log is replayed. */
  event('hook_ran', hookRan()),
  /** An action started a child session. */
  event('child_started', { actionId: z.string(), session: z.string(), title: z.string() }),
  event('notice', {
    level: z.enum(['info', 'warning']),
    text: z.string(),
    /**
     * Meaning of the notice for the loop. `condensation_failed`: earlier messages could not be condensed, so the model
     * still reads them. `consent_void`: earlier approvals do not count. `hooks_changed`, `hook_problems`: hooks differ
     * from the approved ones, or do less than their files say. `hooks_left_out`, `skills_left_out`: hooks were not
     * approved, or skill files changed, and the session continues without them. The others do not affect the loop:
     * `candidates_compared` (this session was compared with others) and `sandbox_limited` (commands run without the
     * requested sandbox, or with a weaker one).
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
    /** Files that it is about, formatted for people. */
    files: z.array(z.string()).optional(),
    /** Usage of the failed attempt, or of the judge of candidates. */
    usage: Usage.optional(),
    /** Set if it is about a comparison of candidates. */
    compared: Comparison.optional(),
  }),
  /** The run will pause at its next checkpoint. */
  event('pause_requested', {}),
  event('paused', {
    reason: z.string(),
    checkpoint: Checkpoint.optional(),
    /** Set if hooks hold the run. */ by: z.literal('hook').optional(),
  }),
  event('resumed', {}),
  event('finished', finished()),
]);
export type Event = z.infer<typeof Event>;
/** The field `type` of an event. */
export type EventType = Event['type'];
/** The events of one type, or of several. */
export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>;

type WithoutStamp<E> = E extends unknown ? Omit<E, 'seq' | 'at'> : never;
/** An event before the log assigns `seq` and `at`. */
export type NewEvent = WithoutStamp<Event>;
