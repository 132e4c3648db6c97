/** Maximum number of consecutive crashes before the server has answered anything. */
const maxCrashes = 3;
const firstBackOffMs = 500;
const maxBackoffMs = 60_000;

/** Decides when a failed server is restarted: with growing delays, and never after several consecutive crashes. */
export class Restarts {
  private failures = 0;
  private crashesInARow = 0;
  private notBefore = 0;

  /** Number of consecutive crashes before the server has answered anything. */
  get crashes(): number {
    return this.crashesInARow;
  }

  get isGivenUp(): boolean {
    return this.crashesInARow >= maxCrashes;
  }

  /** Time in ms until it may be restarted; 0 or less if it may be restarted at once. */
  get waitMs(): number {
    return this.notBefore - performance.now();
  }

  /** Records a failed start or a crash. */
  failed(): void {
    const backOffMs = firstBackOffMs * 2 ** (this.failures + this.crashesInARow);
    this.notBefore = performance.now() + Math.min(maxBackoffMs, backOffMs);
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

  /** Forgets earlier failures, because the user wants it to start. */
  forget(): void {
    this.failures = 0;
    this.crashesInARow = 0;
    this.notBefore = 0;
  }
}
