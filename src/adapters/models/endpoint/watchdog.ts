/** One signal that ends a request: when the caller aborts, or when nothing has moved for a while. */
export interface Watchdog {
  /** Its reason is the caller's reason, or what `stalled` gave. */
  readonly signal: AbortSignal;
  /** Something moved: the wait starts anew. */
  touch(): void;
  release(): void;
}

/** `idleMs` 0 waits for ever. */
export function watchdog(idleMs: number, caller: AbortSignal, stalled: () => Error): Watchdog {
  const controller = new AbortController();
  const cancel = (): void => controller.abort(caller.reason);
  if (caller.aborted) cancel();
  else caller.addEventListener('abort', cancel, { once: true });
  const timer = idleMs > 0 ? setTimeout(() => controller.abort(stalled()), idleMs) : undefined;
  return {
    signal: controller.signal,
    touch: () => void timer?.refresh(),
    release() {
      clearTimeout(timer);
      caller.removeEventListener('abort', cancel);
    },
  };
}
