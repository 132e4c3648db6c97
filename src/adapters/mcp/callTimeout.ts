/** Upper bound of all timeouts, regardless of what a server reports. */
const maxTimeoutMs = 30 * 60_000;

/** Timeout of a call: `ms` after the last sign of activity, suspended while a person is asked. */
export class CallTimeout {
  private readonly abort = new AbortController();
  private readonly last: ReturnType<typeof setTimeout>;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private holders = 0;
  /** True if the timeout caused `signal` to abort. */
  ranOut = false;
  /** Aborted on the timeout, or when `stop` is aborted. */
  readonly signal: AbortSignal;

  constructor(
    private readonly ms: number,
    stop: AbortSignal,
  ) {
    this.signal = AbortSignal.any([this.abort.signal, stop]);
    this.last = setTimeout(() => this.runOut(), Math.max(ms, maxTimeoutMs));
    this.renew();
  }

  /** Restarts the timeout after a sign of activity. */
  renew(): void {
    clearTimeout(this.timer);
    if (this.holders === 0 && !this.signal.aborted) this.timer = setTimeout(() => this.runOut(), this.ms);
  }

  /** Suspends the timeout while a person is asked. Returns a function that resumes it. */
  hold(): () => void {
    this.holders++;
    clearTimeout(this.timer);
    return () => {
      this.holders--;
      this.renew();
    };
  }

  /** Call this when the call has ended. */
  end(): void {
    clearTimeout(this.timer);
    clearTimeout(this.last);
  }

  private runOut(): void {
    this.ranOut = true;
    this.abort.abort(new Error('No response arrived in time.'));
  }
}
