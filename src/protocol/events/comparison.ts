import * as z from 'zod';

/** What a check command said of one candidate. */
export const CheckOutcome = z.object({
  passed: z.boolean(),
  /** Null where the command came to no end of its own. */
  exitCode: z.number().nullable(),
  /** Why it could not run, or not to its end; absent: it ran, or took too long. */
  problem: z.string().optional(),
  seconds: z.number(),
  /** The end of what it printed. */
  output: z.string(),
});
export type CheckOutcome = z.infer<typeof CheckOutcome>;

/** How several sessions that worked on one task, each in a worktree of its own, were compared. */
export const Comparison = z.object({
  /** The name that the worktrees of all of them share. */
  group: z.string(),
  candidates: z.array(
    z.object({
      session: z.string(),
      status: z.enum(['done', 'consent', 'limit', 'failed', 'stopped', 'crashed', 'timeout', 'invalid']),
      /** Why it does not count, where it was not done. */
      reason: z.string(),
      files: z.number(),
      added: z.number(),
      removed: z.number(),
      /** US dollars; null where nobody knows. */
      cost: z.number().nullable(),
      check: CheckOutcome.optional(),
      /** The score of a reward model; null if it could not be read. */
      score: z.number().nullable().optional(),
    }),
  ),
  /** The command that each candidate had to pass; absent: there was none. */
  check: z.string().optional(),
  /** The place of the winner in `candidates`, from 0; absent: none won. */
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
  /** What the judge said, where a model judged. */
  outputs: z.array(z.string()).optional(),
});
export type Comparison = z.infer<typeof Comparison>;
