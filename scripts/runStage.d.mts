export interface Stage {
  readonly name: string;
  readonly commands: readonly (readonly string[])[];
  readonly tests?: boolean;
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
  readonly output: string;
}
export function runStage(
  stage: Stage,
  options: { readonly root: string; readonly node: string; readonly grep?: string; readonly silenceMs?: number },
): Promise<StageResult>;
