import * as z from 'zod';

/**
 * Outcome of a task. `done`: it submitted a result or answered. `limit`: it reached a limit of steps, cost or time.
 * `consent`: it needed an approval. `failed`: the run failed. `timeout`: its process was killed. `crashed`: its process
 * died. `invalid`: it could not start. `stopped`: the batch was stopped first, so the task does not count as done.
 */
export const TaskStatus = z.enum(['done', 'limit', 'consent', 'failed', 'timeout', 'crashed', 'invalid', 'stopped']);
export type TaskStatus = z.infer<typeof TaskStatus>;

/** Why a conversation is not part of the trajectories. */
export const Discarded = z.enum(['no_reasoning', 'unknown_tool']);
export type Discarded = z.infer<typeof Discarded>;

const count = z.number().int().nonnegative();
const Counts = z.object({ count, success: count, failure: count });

/** One check of an evaluation. */
export const CheckResult = z.object({
  test: z.string(),
  kind: z.enum(['fail_to_pass', 'pass_to_pass']),
  before: z.enum(['pass', 'fail', 'timeout']),
  after: z.enum(['pass', 'fail', 'timeout']),
});
export type CheckResult = z.infer<typeof CheckResult>;

/** A line of `results.jsonl`. For each task the last line that is not `stopped` counts. */
export const TaskResult = z.object({
  index: count,
  id: z.string().min(1),
  /** Number of its batch. */
  batch: count,
  status: TaskStatus,
  /** Message for people. Empty if there is no problem. */
  reason: z.string(),
  /** Exit status, with the names of mini-swe-agent. */
  exit_status: z.string(),
  completed: z.boolean(),
  /** True if it ended because of unusable calls. */
  partial: z.boolean(),
  steps: count,
  /** US dollars, or null if unknown. */
  cost: z.number().nullable(),
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  /** Seconds from start to end. */
  seconds: z.number().nonnegative(),
  model: z.string(),
  toolsets: z.array(z.string()),
  tools: z.record(z.string(), Counts),
  reasoning: z.object({ total: count, withReasoning: count }),
  /** True if it has a line in its batch file. False for tasks that are discarded immediately. */
  saved: z.boolean(),
  /** Key of its line within the batch file. */
  line_key: z.string(),
  discarded: Discarded.optional(),
  /** Its changes as a Git patch, or the output that a profile with a marker submitted. */
  patch: z.string(),
  /** Path of its log, relative to the folder of the batch. */
  log: z.string(),
  finished_at: z.string(),
  checks: z.array(CheckResult).optional(),
  /** True if every check ended as expected. Absent if there were none, or they were inconclusive. */
  resolved: z.boolean().optional(),
});
export type TaskResult = z.infer<typeof TaskResult>;

/** True if a task needs no further work. */
export const isSettled = ({ status }: Pick<TaskResult, 'status'>): boolean => status !== 'stopped';

/** True if `--retry-failed` runs it again. */
export const isFailed = ({ status }: Pick<TaskResult, 'status'>): boolean => status !== 'done' && isSettled({ status });

/** True if Hermes Agent would count it as completed: its conversation was saved, or discarded on purpose. */
export const isCompletedPrompt = ({ saved, discarded }: TaskResult): boolean => saved || discarded === 'no_reasoning';

/** Whether a task was solved. */
export interface TaskVerdict {
  readonly checks: readonly CheckResult[];
  /** Undefined if the checks are inconclusive, because a run that did nothing would have the same result. */
  readonly resolved: boolean | undefined;
  /** Why it was not solved, or why the checks are inconclusive. Empty if it was solved. */
  readonly reason: string;
}

/**
 * Evaluates the checks: all that failed before must pass, and none that passed may fail. `problem`: why the checks
 * could not run on the result.
 */
export function verdictOnChecks(checks: readonly CheckResult[], problem?: string): TaskVerdict {
  const unfit = checks.filter(({ kind, before }) => (kind === 'fail_to_pass') === (before === 'pass'));
  if (unfit.length > 0) {
    const [{ kind, test }] = unfit as [CheckResult];
    const how = kind === 'fail_to_pass' ? 'already passes before the task' : 'already fails before the task';
    return { checks, resolved: undefined, reason: `The checks are inconclusive: ${test} ${how}.` };
  }
  if (problem !== undefined) return { checks, resolved: false, reason: problem };
  const failed = checks.filter(({ after }) => after !== 'pass').map(({ test }) => test);
  const reason = failed.length === 0 ? '' : `Not passed: ${failed.join(', ')}.`;
  return { checks, resolved: failed.length === 0, reason };
}
