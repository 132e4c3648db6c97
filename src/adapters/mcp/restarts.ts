/** How often in a row a server may end before it answered anything. */
const mostCrashes = 3;
const firstBackOffMs = 500;
const longestBackOffMs = 60_000;

/** When a server that failed is tried again: later each time, and after several crashes in a row not at all. */
export class Restarts {
  private failures = 0;
  private crashesInARow = 0;
  private notBefore = 0;

  /** How often in a row it ended before it answered anything. */
  get crashes(): number {
    return this.crashesInARow;
  }

  get isGivenUp(): boolean {
    return this.crashesInARow >= mostCrashes;
  }

  /** Milliseconds until it may be tried again; 0 or less when it may be at once. */
  get waitMs(): number {
    return this.notBefore - performance.now();
  }

  /** It did not start, or it crashed. */
  failed(): void {
    const backOffMs = firstBackOffMs * 2 ** (this.failures + this.crashesInARow);
    this.notBefore = performance.now() + Math.min(longestBackOffMs, backOffMs);
    this.failures++;
  }

  crashed(): void {
    this.failed();
    this.crashesInARow++;
  }

  started(): void {
    this.failures = 0;
  }

  answered(): void {
    this.crashesInARow = 0;
  }

  /** A person wants it to start: what happened before does not count. */
  forget(): void {
    this.failures = 0;
    this.crashesInARow = 0;
    this.notBefore = 0;
  }
}
