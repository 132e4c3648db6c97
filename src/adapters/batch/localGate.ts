import type { RequestGate } from '../../core/batch/requestGate';

/**
 * Returns a function that gives the wait in ms until the next request to an endpoint may begin, if requests are spaced
 * evenly. Each call reserves a slot.
 */
export function evenly(perMinute: number, now: () => number = Date.now): (endpoint: string) => number {
  const interval = 60_000 / perMinute;
  const next = new Map<string, number>();
  return (endpoint) => {
    const at = Math.max(now(), next.get(endpoint) ?? 0);
    next.set(endpoint, at + interval);
    return at - now();
  };
}

/** Creates a gate that all tasks of one process and its children share. */
export function localGate(perMinute: number): RequestGate {
  const waitFor = evenly(perMinute);
  return { pass: (endpoint) => new Promise((resolve) => setTimeout(resolve, waitFor(endpoint))) };
}
