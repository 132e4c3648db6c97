import { isShortageMessage } from '../processes/shortage';

/** How a program ended that tested whether a sandbox works. */
export interface TrialRun {
  readonly failed: (Error & { readonly code?: unknown; readonly killed?: boolean }) | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Returns whether it failed for lack of processes, memory, open files or time: then there is a sandbox, and nothing may
 * run without it.
 */
export function isExhausted({ failed, stderr }: TrialRun): boolean {
  if (failed === null) return false;
  return failed.killed === true || isShortageMessage(`${String(failed.code)}\n${stderr}`);
}

/** Returns why it failed, in one line. */
export const failureReason = ({ failed, stderr }: TrialRun): string =>
  stderr.trim().split('\n')[0] || failed?.message || 'its output was not as expected';
