import * as z from 'zod';
import { Image } from './beginning';
import { ChildReport, Details } from './details';

export const Outcome = z.enum(['ok', 'error', 'timeout', 'rejected', 'skipped', 'interrupted', 'unknown']);
export type Outcome = z.infer<typeof Outcome>;

/** What a person reads when something went wrong: what happened, why, what to do next. */
export const Problem = z.object({
  what: z.string(),
  why: z.string(),
  next: z.string(),
  /** A command that the words in `next` speak of, offered as a button. */
  remedy: z.enum(['set_api_key', 'choose_model']).optional(),
});
export type Problem = z.infer<typeof Problem>;

/** What came of one action, for people. */
export const AgentResult = z.object({
  /** The id of the action. */
  id: z.string(),
  /** What was called: the tool. */
  action: z.string(),
  /** "Edit src/add.ts" */
  summary: z.string(),
  /** Files that it changed. */
  files: z.array(z.string()),
  state: Outcome,
});
export type AgentResult = z.infer<typeof AgentResult>;

/** Why Waymark wrote to the model. */
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
]);

/** Why a run ended, for lists and exports; `summary` says it in words. */
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

/** What came of an action. */
export const observation = () => ({
  actionId: z.string(),
  outcome: Outcome,
  content: z.string(),
  durationMs: z.number().optional(),
  details: Details.optional(),
  /** `content` as the model reads it, where the profile words it otherwise. */ worded: z.string().optional(),
  /** What the branch that went on from this result came to. */ branch: ChildReport.optional(),
  /** Pictures that came with it, which the model sees after the results. */ images: z.array(Image).optional(),
});

/** How a task ended. */
export const finished = () => ({
  status: z.enum(['submitted', 'limit_exceeded', 'failed', 'stopped']),
  summary: z.string(),
  cause: EndCause.optional(),
  problem: Problem.optional(),
  /** What the task did, for people; absent where the way of working does not tell. */
  results: z.array(AgentResult).optional(),
});
