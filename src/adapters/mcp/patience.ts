/** The longest that anything is waited for, whatever its server tells of it. */
const longestMs = 30 * 60_000;

/** How long a call waits for an answer: `ms` after the last sign of life, and for a person as long as they need. */
export class Patience {
  private readonly abort = new AbortController();
  private readonly last: ReturnType<typeof setTimeout>;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private held = 0;
  /** Whether it ran out, where `signal` says that the call is given up. */
  ranOut = false;
  /** Aborted when it ran out, or when `stop` was. */
  readonly signal: AbortSignal;

  constructor(
    private readonly ms: number,
    stop: AbortSignal,
  ) {
    this.signal = AbortSignal.any([this.abort.signal, stop]);
    this.last = setTimeout(() => this.runOut(), Math.max(ms, longestMs));
    this.renew();
  }

  /** There was a sign of life. */
  renew(): void {
    clearTimeout(this.timer);
    if (this.held === 0 && !this.signal.aborted) this.timer = setTimeout(() => this.runOut(), this.ms);
  }

  /** A person is asked meanwhile. Returns what ends that. */
  hold(): () => void {
    this.held++;
    clearTimeout(this.timer);
    return () => {
      this.held--;
      this.renew();
    };
  }

  /** The call came to its end. */
  end(): void {
    clearTimeout(this.timer);
    clearTimeout(this.last);
  }

  private runOut(): void {
    this.ranOut = true;
    this.abort.abort(new Error('No answer came in time.'));
  }
}
