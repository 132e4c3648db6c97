import type { CheckResult } from './taskResult';

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
