import * as z from 'zod';

/** Outcome of a check command for one candidate. */
export const CheckOutcome = z.object({
  passed: z.boolean(),
  /** Null if the command did not exit by itself. */
  exitCode: z.number().nullable(),
  /** Reason why it could not run or complete; absent if it ran or timed out. */
  problem: z.string().optional(),
  seconds: z.number(),
  /** End of its output. */
  output: z.string(),
});
export type CheckOutcome = z.infer<typeof CheckOutcome>;

/** Comparison of several sessions that worked on one task, each in its own worktree. */
export const Comparison = z.object({
  /** Name shared by the worktrees of all candidates. */
  group: z.string(),
  candidates: z.array(
    z.object({
      session: z.string(),
      status: z.enum(['done', 'consent', 'limit', 'failed', 'stopped', 'crashed', 'timeout', 'invalid']),
      /** Reason why an unfinished candidate does not count. */
      reason: z.string(),
      files: z.number(),
      added: z.number(),
      removed: z.number(),
      /** US dollars; null if unknown. */
      cost: z.number().nullable(),
      check: CheckOutcome.optional(),
      /** Score of a reward model; null if it could not be read. */
      score: z.number().nullable().optional(),
    }),
  ),
  /** Command that each candidate had to pass; absent if there was none. */
  check: z.string().optional(),
  /** Index of the winner in `candidates`, from 0; absent if none won. */
  chosen: z.number().int().nonnegative().optional(),
  by: z.enum([
    'none',
    'only_one',
    'check',
    'same',
    'smallest',
    'first_valid',
    'llm',
    'reward_model',
    'similarity_gate',
  ]),
  reason: z.string(),
  /** Texts of the judge, if a model judged. */
  outputs: z.array(z.string()).optional(),
});
export type Comparison = z.infer<typeof Comparison>;
