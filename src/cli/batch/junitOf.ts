import { junitText } from '../../core/batch/junit';
import type { TaskResult } from '../../core/batch/taskResult';

/**
 * The results of a batch as a report for CI systems: a task passes where it was
 * solved, or done where nothing checks it.
 */
export function junitOf(suite: string, results: Iterable<TaskResult>): string {
  const cases = [...results].map(({ id, seconds, status, resolved, reason, checks, log }) => {
    const passes = resolved ?? status === 'done';
    const isUntold = resolved === undefined && checks !== undefined;
    return {
      name: id,
      seconds,
      kind: status === 'done' ? 'not_resolved' : status,
      failure: passes || isUntold ? undefined : reason || `The task ended as ${status}.`,
      skipped: isUntold ? reason : undefined,
      output: log,
    };
  });
  return junitText(suite, cases, Date.now());
}
