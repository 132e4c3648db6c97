import * as z from 'zod';

/**
 * What became of a task. `done`: it handed in its work or answered; `limit`: steps, cost or time ran out; `consent`: it
 * waited for a person; `failed`: the run could not go on; `timeout`, `crashed`: its process was ended or ended by
 * itself; `invalid`: it could not begin; `stopped`: the batch was stopped first, so that the task counts as not done.
 */
export const TaskStatus = z.enum(['done', 'limit', 'consent', 'failed', 'timeout', 'crashed', 'invalid', 'stopped']);
export type TaskStatus = z.infer<typeof TaskStatus>;

/** Why a conversation is not among the trajectories. */
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

/** A line of `results.jsonl`. The last line of a task that is not `stopped` counts. */
export const TaskResult = z.object({
  index: count,
  id: z.string().min(1),
  /** The number of the batch that it belongs to. */
  batch: count,
  status: TaskStatus,
  /** In words for a person; empty where all is well. */
  reason: z.string(),
  /** As mini-swe-agent names the end of a run. */
  exit_status: z.string(),
  completed: z.boolean(),
  /** Whether calls that could not be used ended it. */
  partial: z.boolean(),
  steps: count,
  /** US dollars; null where nobody knows. */
  cost: z.number().nullable(),
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  /** From its beginning to its end. */
  seconds: z.number().nonnegative(),
  model: z.string(),
  toolsets: z.array(z.string()),
  tools: z.record(z.string(), Counts),
  reasoning: z.object({ total: count, withReasoning: count }),
  /** Whether it has a line in its batch file; not so for what is discarded at once. */
  saved: z.boolean(),
  /** Tells its line from others of the same file. */
  line_key: z.string(),
  discarded: Discarded.optional(),
  /** What it changed, as a patch for Git, or what it handed in. */
  patch: z.string(),
  /** Its log, relative to the folder of the batch. */
  log: z.string(),
  finished_at: z.string(),
  checks: z.array(CheckResult).optional(),
  /** Whether every check ended as it should; absent where there was none, or they could not tell. */
  resolved: z.boolean().optional(),
});
export type TaskResult = z.infer<typeof TaskResult>;

/** Whether a task needs no further work. */
export const isSettled = ({ status }: Pick<TaskResult, 'status'>): boolean => status !== 'stopped';

/** Whether `--retry-failed` does it again. */
export const isFailed = ({ status }: Pick<TaskResult, 'status'>): boolean => status !== 'done' && isSettled({ status });

/** Whether Hermes Agent would count it as completed: its conversation was kept, or discarded on purpose. */
export const isCompletedPrompt = ({ saved, discarded }: TaskResult): boolean => saved || discarded === 'no_reasoning';

/** Whether a task was solved. */
export interface Verdict {
  readonly checks: readonly CheckResult[];
  /** Undefined where the checks cannot tell: they would say the same of a run that did nothing. */
  readonly resolved: boolean | undefined;
  /** Why it was not solved, or why nobody can tell; empty where it was solved. */
  readonly reason: string;
}

/**
 * Every check that failed before must pass, and none that passed may fail. `problem`:
 * why the checks could not run on the work.
 */
export function verdictOf(checks: readonly CheckResult[], problem?: string): Verdict {
  const unfit = checks.filter(({ kind, before }) => (kind === 'fail_to_pass') === (before === 'pass'));
  if (unfit.length > 0) {
    const [{ kind, test }] = unfit as [CheckResult];
    const how = kind === 'fail_to_pass' ? 'passes already before the task' : 'fails already before the task';
    return { checks, resolved: undefined, reason: `The checks cannot tell: ${test} ${how}.` };
  }
  if (problem !== undefined) return { checks, resolved: false, reason: problem };
  const failed = checks.filter(({ after }) => after !== 'pass').map(({ test }) => test);
  const reason = failed.length === 0 ? '' : `Not passed: ${failed.join(', ')}.`;
  return { checks, resolved: failed.length === 0, reason };
}
