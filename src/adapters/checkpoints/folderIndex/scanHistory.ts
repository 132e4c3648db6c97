import type { StoredIndex } from './storedIndex';

/** What is known about the scans of a folder so far. */
export class ScanHistory {
  /** True once this process has scanned the whole folder. */
  isComplete = false;
  private beganMs = -Infinity;
  private previousMs = -Infinity;

  constructor(private readonly stored: StoredIndex) {}

  /** True if a scan has something to compare with: an earlier scan, or that of an earlier session. */
  get hasEarlierState(): boolean {
    return this.isComplete || this.stored.wasKnown;
  }

  /** When the scan before the current or last one began, in ms since 1970. */
  get previousBeganMs(): number {
    return this.previousMs;
  }

  beginScan(): void {
    this.previousMs = this.beganMs;
    this.beganMs = Date.now();
  }
}
