import type { BatchSums } from './statistics';
import { costWords } from '../../protocol/plain/amounts';
import * as z from 'zod';
import { TaskStatus } from './taskResult';

/** Progress of a batch, for a line that a person reads. */
export interface BatchProgressFacts {
  readonly sums: BatchSums;
  /** Number of selected tasks. */
  readonly total: number;
  /** Number of selected tasks that are done, including those of earlier runs. */
  readonly settled: number;
  readonly running: number;
  /** Number of tasks that ended since this run of the batch began. */
  readonly ended: number;
  /** Seconds since this run of the batch began. */
  readonly seconds: number;
  /** US dollars, including tasks that still run. */
  readonly cost: number;
}

/** Speed of a batch. Values that are not known yet are absent. */
interface BatchSpeed {
  /** Share of tasks that are done, from 0 to 1. */
  readonly share: number;
  /** Tasks that end per minute. */
  readonly perMinute?: number;
  readonly secondsLeft?: number;
}

export function speedOf({
  total,
  settled,
  ended,
  seconds,
}: Pick<BatchProgressFacts, 'total' | 'settled' | 'ended' | 'seconds'>): BatchSpeed {
  const share = total === 0 ? 1 : settled / total;
  if (ended === 0 || seconds === 0) return { share };
  const perSecond = ended / seconds;
  const open = total - settled;
  return { share, perMinute: perSecond * 60, ...(open > 0 && { secondsLeft: open / perSecond }) };
}

/**
 * Formats "[#####-----]  5/10  50%  2 running  12.0/min  $0.31  2m left  1 timeout". `width`: length of the bar; 0 for
 * none.
 */
export function progressLine(facts: BatchProgressFacts, width = 0): string {
  const { total, settled, running, cost } = facts;
  const { share, perMinute, secondsLeft } = speedOf(facts);
  const parts = [
    ...(width > 0 ? [barOf(share, width)] : []),
    `${settled}/${total}`,
    `${Math.floor(share * 100)}%`,
    ...(running > 0 ? [`${running} running`] : []),
    ...(perMinute === undefined ? [] : [`${perMinute.toFixed(1)}/min`]),
    costWords(cost),
    ...(secondsLeft === undefined ? [] : [`${duration(secondsLeft)} left`]),
    ...failuresIn(facts.sums),
  ];
  return parts.filter((part) => part !== '').join('  ');
}

function barOf(share: number, width: number): string {
  const full = Math.floor(share * width);
  return `[${'#'.repeat(full)}${'-'.repeat(width - full)}]`;
}

/** Failure counts such as "2 timeout" and "1 crashed", in alphabetical order. */
export const failuresIn = ({ statuses }: BatchSums): string[] =>
  [...statuses]
    .filter(([status]) => status !== 'done')
    .sort()
    .map(([status, count]) => `${count} ${status}`);

/** Formats a duration as "45s", "3m" or "2h 5m". */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

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
