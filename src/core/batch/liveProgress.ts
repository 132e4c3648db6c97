import * as z from 'zod';
import type { BatchProgressFacts } from './batchProgress';
import { TaskStatus } from './taskResult';

/** A task that is being worked on. */
export const RunningTask = z.object({
  id: z.string(),
  /** Its log, relative to the folder of the batch. */
  log: z.string(),
  steps: z.number(),
  /** US dollars so far. */
  cost: z.number(),
});
export type RunningTask = z.infer<typeof RunningTask>;

/**
 * `working`: tasks begin; `draining`: no further task begins; `stopping`: running
 * tasks are being ended; `ended`: it is over.
 */
export const BatchState = z.enum(['working', 'draining', 'stopping', 'ended']);
export type BatchState = z.infer<typeof BatchState>;

/**
 * `progress.json`: how far a batch came, for whoever watches it from another process. It is at most
 * a few seconds old while the batch works.
 */
export const LiveProgress = z.object({
  run_name: z.string(),
  state: BatchState,
  /** Tasks that are wanted. */
  total: z.number(),
  /** Those of them that are done, also those of earlier runs. */
  settled: z.number(),
  /** Tasks that ended since this run of the batch began. */
  ended: z.number(),
  /** Since this run of the batch began. */
  seconds: z.number(),
  /** US dollars, also of tasks that still run. */
  cost: z.number(),
  /** How many tasks ended in which way. */
  statuses: z.partialRecord(TaskStatus, z.number()),
  running: z.array(RunningTask),
  updated_at: z.string(),
});
export type LiveProgress = z.infer<typeof LiveProgress>;

/** What others may watch besides the sums. */
export interface LiveFacts extends BatchProgressFacts {
  readonly state: BatchState;
  readonly runningTasks: readonly RunningTask[];
}

/** Of many running tasks only so many are named. */
const mostRunning = 200;

export function liveProgress(runName: string, facts: LiveFacts, at = Date.now()): LiveProgress {
  const { state, total, settled, ended, seconds, cost, sums, runningTasks } = facts;
  return {
    run_name: runName,
    state,
    total,
    settled,
    ended,
    seconds: Number(seconds.toFixed(1)),
    cost: Number(cost.toFixed(6)),
    statuses: Object.fromEntries(sums.statuses),
    running: runningTasks.slice(0, mostRunning),
    updated_at: new Date(at).toISOString(),
  };
}
