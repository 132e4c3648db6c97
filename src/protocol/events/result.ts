import * as z from 'zod';
import { Image } from './beginning';
import { ChildReport, Details } from './details';

/**
 * How an action ended. `rejected`: the user refused it; `skipped`: it never began; `unknown`: the program ended
 * during it.
 */
export const Outcome = z.enum(['ok', 'error', 'timeout', 'rejected', 'skipped', 'interrupted', 'unknown']);
export type Outcome = z.infer<typeof Outcome>;

/** An error for people: what happened, why, and what to do next. */
export const Problem = z.object({
  what: z.string(),
  why: z.string(),
  next: z.string(),
  /** Command mentioned in `next`, offered as a button. */
  remedy: z.enum(['set_api_key', 'choose_model']).optional(),
});
export type Problem = z.infer<typeof Problem>;

/** Result of one action, for people. */
export const AgentResult = z.object({
  /** Id of the action. */
  id: z.string(),
  /** Name of the tool that was called. */
  action: z.string(),
  /** One-line summary: "Edit src/add.ts". */
  summary: z.string(),
  /** Files that it changed. */
  files: z.array(z.string()),
  state: Outcome,
});
export type AgentResult = z.infer<typeof AgentResult>;

/** Reason for a message from Waymark to the model. */
export const FeedbackCause = z.enum([
  'format_error',
  'interruption',
  'empty_reply',
  'going_in_circles',
  'reply_cut',
  'bad_arguments',
  'mode_changed',
  'changes_undone',
  'edits_applied',
  'wrap_up',
  'not_enough',
  'hook',
  'late_problems',
  /** A reply without calls while todos are open or after a failed step. */
  'open_work',
]);

/** Why a run ended, for lists and exports; `summary` is the text for people. */
export const EndCause = z.enum([
  /** The last reply is the answer. */
  'answer',
  'steps',
  'cost',
  'seconds',
  'format_errors',
  'empty_replies',
  'unknown_tools',
  'going_in_circles',
  'context_overflow',
  'model',
  'person',
]);
export type EndCause = z.infer<typeof EndCause>;

/** Result of an action. */
export const observation = () => ({
  actionId: z.string(),
  outcome: Outcome,
  content: z.string(),
  durationMs: z.number().optional(),
  details: Details.optional(),
  /** `content` in the wording that the model reads, if the profile uses another one. */ worded: z.string().optional(),
  /** Report of the branch that continued from this result. */ branch: ChildReport.optional(),
  /** Images in the result. The model receives them after the results. */ images: z.array(Image).optional(),
});

/** The end of a task. */
export const finished = () => ({
  status: z.enum(['submitted', 'limit_exceeded', 'failed', 'stopped']),
  summary: z.string(),
  cause: EndCause.optional(),
  problem: Problem.optional(),
  /** Results for people; absent if the profile does not list them. */
  results: z.array(AgentResult).optional(),
});
