import type { RequestGate } from '../../core/batch/requestGate';

/** Creates a gate that all tasks of one process and its children share. It spaces the requests to an endpoint evenly. */
export function localGate(perMinute: number): RequestGate {
  const interval = 60_000 / perMinute;
  /** Earliest time of the next request to each endpoint. */
  const next = new Map<string, number>();
  return {
    pass(endpoint) {
      const now = Date.now();
      const at = Math.max(now, next.get(endpoint) ?? 0);
      next.set(endpoint, at + interval);
      return new Promise((resolve) => setTimeout(resolve, at - now));
    },
  };
}
