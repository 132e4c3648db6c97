import { endProcessesIn, type ProcessEnd } from '../../adapters/batch/taskProcess';
import { removeTemporary } from '../../adapters/sandbox/madePlaces';
import type { BatchTask } from '../../core/batch/batchTask';
import type { TaskResult } from '../../core/batch/taskResult';
import type { BatchOptions } from './batchOptions';

/** The signals by which a person, a terminal or a machine asks a batch or a worker to end. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What a task may use, as the command line says it. */
export interface TaskLimits {
  /** Seconds. */
  readonly taskTimeout: number;
  /** Megabytes. */
  readonly taskMemory: number;
}

/**
 * What an evaluation says of a task whose process left nothing that could be checked: it is not resolved. To leave it
 * out would make the rate better than the work.
 */
export const unresolved = (
  { checks }: BatchTask,
  { checkSeconds }: Pick<BatchOptions, 'checkSeconds'>,
): Pick<TaskResult, 'resolved'> => (checks && checkSeconds !== undefined ? { resolved: false } : {});

/** Why a process left no outcome, as its row tells it. */
export type ToldEnd = Pick<TaskResult, 'status' | 'reason' | 'exit_status'>;

/** The words for the process of a task that ended without an outcome: it took too long, needed too much, or crashed. */
export function toldEnd({ code, signal, stderr, timedOut }: ProcessEnd, limits: TaskLimits): ToldEnd {
  const { taskTimeout, taskMemory } = limits;
  if (timedOut)
    return { status: 'timeout', exit_status: 'Timeout', reason: `It took longer than ${taskTimeout} seconds.` };
  if (/heap out of memory|heap limit/i.test(stderr)) {
    const reason = `It needed more than ${taskMemory} MB of memory.`;
    return { status: 'crashed', exit_status: 'OutOfMemory', reason };
  }
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const last = stderr.split('\n').findLast((line) => line.trim() !== '');
  const reason = `Its process ended ${how}${last === undefined ? '.' : `: ${last.trim()}`}`;
  return { status: 'crashed', exit_status: 'Crashed', reason };
}

/**
 * Removes what a task left behind when it could not clean up itself. `beside`: the folder around its copy; absent if it
 * made none.
 */
export function leaveNothing(beside: string | undefined, { code, timedOut }: ProcessEnd): void {
  if (beside === undefined || (code === 0 && !timedOut)) return;
  endProcessesIn(beside);
  try {
    removeTemporary(beside);
  } catch {
    // What root of a container made may not be removable here. One folder that stays ends no batch.
  }
}
