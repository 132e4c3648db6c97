/** Number of calls that are timed. */
const timedCalls = 16;
/** In ms. A call that waits longer for the disk is worth the way to another thread, on which it waits beside others. */
const slowMs = 0.15;

/** Measures how long calls wait for a disk, which may be a network drive or belong to another system. */
export class DiskPace {
  private readonly times: number[] = [];
  private isFoundSlow = false;

  get isMeasured(): boolean {
    return this.times.length === timedCalls;
  }

  /** True if half of the first calls were slow. Other programs on a busy machine delay only some of them. */
  get isSlow(): boolean {
    return this.isFoundSlow;
  }

  /** Runs a call that waits for the disk. Times it if it is one of the first. */
  time<Result>(call: () => Result): Result {
    if (this.isMeasured) return call();
    const began = performance.now();
    const result = call();
    this.times.push(performance.now() - began);
    if (this.isMeasured) this.isFoundSlow = this.times.filter((time) => time > slowMs).length > timedCalls / 2;
    return result;
  }
}
