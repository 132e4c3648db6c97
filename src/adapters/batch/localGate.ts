import type { RequestGate } from '../../core/batch/requestGate';

/** When the next request may begin, if they follow each other evenly. Counts the one that asks. */
export function evenly(perMinute: number, now: () => number = Date.now): (endpoint: string) => number {
  const interval = 60_000 / perMinute;
  const next = new Map<string, number>();
  return (endpoint) => {
    const at = Math.max(now(), next.get(endpoint) ?? 0);
    next.set(endpoint, at + interval);
    return at - now();
  };
}

/** Shared by all tasks of one process and its children. */
export function localGate(perMinute: number): RequestGate {
  const waitFor = evenly(perMinute);
  return { pass: (endpoint) => new Promise((resolve) => setTimeout(resolve, waitFor(endpoint))) };
}
