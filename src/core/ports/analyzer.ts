import type { History } from '../log/projection';
import type { Environment } from './environment';
import type { BoundTool, Tool } from './tool';
import type { Judged } from '../risk/assessment';
import type { Harm } from '../risk/finding';

export interface Subject {
  readonly tool: Tool;
  readonly call: BoundTool;
  readonly environment: Environment;
  readonly history: History;
  /**
   * What is known so far: the tool's own estimate, with the model's where it gave one; for the
   * `last` analyzers what all others found too.
   */
  readonly found?: Judged;
}

/** Judges one call before it may run. `undefined`: nothing to say about this one. */
export interface RiskAnalyzer {
  readonly name: string;
  /** Whether it builds on what the others found. */
  readonly last?: true;
  /** What its plain reasons are about, for their order among those of others. */
  readonly harm?: Harm;
  assess(subject: Subject): Judged | undefined | Promise<Judged | undefined>;
}
