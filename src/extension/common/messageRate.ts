/**
 * Messages that may come at once, and how many more each second. Someone who types and scrolls sends some ten a second.
 */
const burst = 300;
const perSecond = 60;

/** How many messages the panel may send, so that a flood of them does not keep the host from its work. */
export class MessageRate {
  private left = burst;
  private last: number;
  private flooded = false;

  /** `now`: milliseconds of a clock that only goes forward. */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.last = now();
  }

  /** What to do with one more: `refuse` is said once for each flood, `drop` after that. */
  next(): 'handle' | 'refuse' | 'drop' {
    const now = this.now();
    this.left = Math.min(burst, this.left + ((now - this.last) * perSecond) / 1000);
    this.last = now;
    if (this.left >= 1) {
      this.left--;
      if (this.left >= perSecond) this.flooded = false;
      return 'handle';
    }
    if (this.flooded) return 'drop';
    this.flooded = true;
    return 'refuse';
  }
}
