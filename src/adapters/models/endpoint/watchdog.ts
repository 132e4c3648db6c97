/** Counts of tokens follow a complete reply at once. */
const afterReplyMs = 10_000;

/** A signal that ends a request when the caller aborts or nothing has arrived for a while. */
interface Watchdog {
  /** Its reason is the caller's reason or the error that `stalled` returns. */
  readonly signal: AbortSignal;
  /** Restarts the timeout: something arrived. */
  touch(): void;
  /** The reply is complete: waits only a little longer, whatever arrives. */
  complete(): void;
  release(): void;
}

/** Creates a watchdog for a request of `caller`. An `idleMs` of 0 waits forever. `stalled`: the error for a silent server. */
export function watchdog(idleMs: number, caller: AbortSignal, stalled: () => Error): Watchdog {
  const controller = new AbortController();
  const cancel = (): void => controller.abort(caller.reason);
  if (caller.aborted) cancel();
  else caller.addEventListener('abort', cancel, { once: true });
  const stop = (): void => controller.abort(stalled());
  let timer = idleMs > 0 ? setTimeout(stop, idleMs) : undefined;
  let isComplete = false;
  return {
    signal: controller.signal,
    touch: () => void (isComplete || timer?.refresh()),
    complete() {
      if (isComplete) return;
      isComplete = true;
      clearTimeout(timer);
      timer = setTimeout(stop, Math.min(idleMs || afterReplyMs, afterReplyMs));
    },
    release() {
      clearTimeout(timer);
      caller.removeEventListener('abort', cancel);
    },
  };
}
