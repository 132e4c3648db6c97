/** Problems that language services report for files of the workspace. */
export interface Diagnostics {
  /**
   * Remembers the current problems until disposed. `since` waits briefly for reports on the changed files to settle.
   */
  watch(): { since(changed: readonly string[], signal: AbortSignal): Promise<NewProblems>; dispose(): void };
  /**
   * Problems from earlier edits that were reported late, each returned once. Undefined if there are none. `atEnd`: the
   * run is about to end, so wait a little for late reports.
   */
  late?(options: { readonly atEnd: boolean }, signal: AbortSignal): Promise<NewProblems | undefined>;
}

/** Problems found since a moment. For files that were not changed, errors only. */
export interface NewProblems {
  /** "src/a.ts:3:5 error ts(2322): …" */
  readonly lines: readonly string[];
  /** Number of problems left out of `lines`. */
  readonly more: number;
  /** Number of earlier problems that are fixed. */
  readonly gone: number;
}
