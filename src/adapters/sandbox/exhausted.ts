/** What a person can do where the system has too little left. */
export const raiseLimits =
  'End other programs, or raise the limits of this account (ulimit -u, ulimit -n, ulimit -v), and try again.';

const shortOfSomething =
  /Resource temporarily unavailable|Cannot allocate memory|Too many open files|Cannot fork|failed to map segment|\b(?:EAGAIN|ENOMEM|EMFILE|ENFILE)\b/i;

/** Whether a trial of a sandbox failed for lack of processes, memory, open files or time: then there is one, and nothing may run without it. */
export function isExhausted(
  failed: Error & { readonly code?: unknown; readonly killed?: boolean },
  stderr: string,
): boolean {
  return (
    failed.killed === true ||
    ['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE'].includes(String(failed.code)) ||
    shortOfSomething.test(stderr)
  );
}
