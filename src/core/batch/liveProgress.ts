import * as z from 'zod';
import type { BatchProgressFacts } from './batchProgress';
import { TaskStatus } from './taskResult';

/** A running task. */
export const RunningTask = z.object({
  id: z.string(),
  /** Path of its log, relative to the folder of the batch. */
  log: z.string(),
  steps: z.number(),
  /** US dollars so far. */
  cost: z.number(),
});
export type RunningTask = z.infer<typeof RunningTask>;

/**
 * `working`: tasks are started. `draining`: no further task is started. `stopping`: running tasks are being stopped.
 * `ended`: finished.
 */
export const BatchState = z.enum(['working', 'draining', 'stopping', 'ended']);
export type BatchState = z.infer<typeof BatchState>;

/** `progress.json`: progress of a batch for other processes. It is at most a few seconds old while the batch runs. */
export const LiveProgress = z.object({
  run_name: z.string(),
  state: BatchState,
  /** Number of selected tasks. */
  total: z.number(),
  /** Number of selected tasks that are done, including those of earlier runs. */
  settled: z.number(),
  /** Number of tasks that ended since this run of the batch began. */
  ended: z.number(),
  /** Seconds since this run of the batch began. */
  seconds: z.number(),
  /** US dollars, including tasks that still run. */
  cost: z.number(),
  /** Number of tasks per status. */
  statuses: z.partialRecord(TaskStatus, z.number()),
  running: z.array(RunningTask),
  updated_at: z.string(),
});
export type LiveProgress = z.infer<typeof LiveProgress>;

/** State and running tasks, in addition to the progress. */
export interface LiveFacts extends BatchProgressFacts {
  readonly state: BatchState;
  readonly runningTasks: readonly RunningTask[];
}

/** Maximum number of running tasks to list. */
const maxRunning = 200;

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
    running: runningTasks.slice(0, maxRunning),
    updated_at: new Date(at).toISOString(),
  };
}
