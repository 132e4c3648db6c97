import { endProcessesIn, type ProcessEnd } from '../../adapters/batch/taskProcess';
import { removeTemporary } from '../../adapters/sandbox/madePlaces';
import type { BatchTask } from '../../core/batch/batchTask';
import type { TaskResult } from '../../core/batch/taskResult';
import type { BatchOptions } from './batchOptions';

/** Signals by which a user, a terminal or the system asks a batch or a worker to end. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resource limits of a task from the command line. */
interface TaskLimits {
  /** In seconds. */
  readonly taskTimeout: number;
  /** In megabytes. */
  readonly taskMemory: number;
}

/**
 * In an evaluation, a task whose process left nothing to check counts as not resolved. Leaving it out would make the
 * rate too good.
 */
export const unresolvedFields = (
  { checks }: BatchTask,
  { checkSeconds }: Pick<BatchOptions, 'checkSeconds'>,
): Pick<TaskResult, 'resolved'> => (checks && checkSeconds !== undefined ? { resolved: false } : {});

/** Why a process left no outcome, in the form of a result. */
export type DescribedEnd = Pick<TaskResult, 'status' | 'reason' | 'exit_status'>;

/** Describes a process that ended without an outcome: it timed out, ran out of memory, or crashed. */
export function describeEnd({ code, signal, stderr, timedOut }: ProcessEnd, limits: TaskLimits): DescribedEnd {
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
 * Removes what a task left behind if it could not clean up itself. `parent`: the folder around its copy; absent if it
 * made none.
 */
export function removeLeftovers(parent: string | undefined, { code, timedOut }: ProcessEnd): void {
  if (parent === undefined || (code === 0 && !timedOut)) return;
  endProcessesIn(parent);
  try {
    removeTemporary(parent);
  } catch {
    // Files created by root in a container may not be removable here. A leftover folder must not end the batch.
  }
}
