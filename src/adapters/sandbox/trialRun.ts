import { anyOf } from '../../core/text/alternatives';
/** How a program ended that tried whether a sandbox works. */
export interface TrialRun {
  readonly failed: (Error & { readonly code?: unknown; readonly killed?: boolean }) | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a person can do where the system has too little left. */
export const raiseLimits =
  'End other programs, or raise the limits of this account (ulimit -u, ulimit -n, ulimit -v), and try again.';

const shortOfSomething = anyOf(
  [
    /Resource temporarily unavailable/,
    /Cannot allocate memory/,
    /Too many open files/,
    /Cannot fork/,
    /failed to map segment/,
    /\b(?:EAGAIN|ENOMEM|EMFILE|ENFILE)\b/,
  ],
  'i',
);

/**
 * Whether it failed for lack of processes, memory, open files or time: then there is a
 * sandbox, and nothing may run without it.
 */
export function isExhausted({ failed, stderr }: TrialRun): boolean {
  if (failed === null) return false;
  return failed.killed === true || shortOfSomething.test(`${String(failed.code)}\n${stderr}`);
}

/** Why it failed, in one line. */
export const saidBy = ({ failed, stderr }: TrialRun): string =>
  stderr.trim().split('\n')[0] || failed?.message || 'it printed something else than it should';
