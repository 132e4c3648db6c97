/**
 * Maximum number of messages in a burst, and the rate per second after that. Typing and scrolling send about ten per
 * second.
 */
const burst = 300;
const perSecond = 60;

/** Limits how many messages the panel may send, so that a flood does not block the extension host. */
export class MessageRate {
  private remaining = burst;
  private last: number;
  private flooded = false;

  /** `now`: a monotonic clock, in ms. */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.last = now();
  }

  /** Returns what to do with the next message. `refuse` is returned once per flood, then `drop`. */
  next(): 'handle' | 'refuse' | 'drop' {
    const now = this.now();
    this.remaining = Math.min(burst, this.remaining + ((now - this.last) * perSecond) / 1000);
    this.last = now;
    if (this.remaining >= 1) {
      this.remaining--;
      if (this.remaining >= perSecond) this.flooded = false;
      return 'handle';
    }
    if (this.flooded) return 'drop';
    this.flooded = true;
    return 'refuse';
  }
}
