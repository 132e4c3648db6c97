export interface Stage {
  readonly name: string;
  readonly commands: readonly (readonly string[])[];
  readonly tests?: boolean;
  /** The commands that run only these test files, as the result of the stage names them. */
  readonly again?: (files: readonly string[]) => readonly (readonly string[])[];
}
export interface StageResult {
  readonly name: string;
  readonly ok: boolean;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly ms: number;
  /** The slowest tests and hooks, twenty at most. */
  readonly slowest: readonly { readonly name: string; readonly ms: number }[];
  /** Test files that could not be loaded, or whose process ended before its tests. */
  readonly crashed: readonly { readonly file: string; readonly error: string }[];
  /** Every test that failed; empty if the names are not known. */
  readonly failing: readonly { readonly name: string; readonly file: string; readonly error: string }[];
  /** The tests that failed once and passed when their files ran again. */
  readonly flaky?: readonly string[];
  readonly output: string;
}
export interface StageOptions {
  readonly root: string;
  readonly node: string;
  readonly grep?: string;
  readonly silenceMs?: number;
  /** Set for the commands, beside what this process was given. */
  readonly env?: Readonly<Record<string, string>>;
}
export function runStage(stage: Stage, options: StageOptions): Promise<StageResult>;
export function tryAgain(stage: Stage, result: StageResult, options: StageOptions): Promise<StageResult>;
/** More failed tests than this are not tried again. */
export const MOST_TRIED_AGAIN: number;
