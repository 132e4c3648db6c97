import type { History } from '../log/projection';
import type { Environment } from './environment';
import type { BoundTool, Tool } from './tool';
import type { Judged } from '../risk/assessment';
import type { Harm } from '../risk/finding';

/** The action that analyzers judge, and what they may look at. */
export interface Subject {
  readonly tool: Tool;
  readonly call: BoundTool;
  readonly environment: Environment;
  readonly history: History;
  /**
   * Judgements so far: the estimates of the tool and of the model if it gave one. For `last` analyzers also the
   * findings of all others.
   */
  readonly found?: Judged;
}

/** Assesses one call before it may run. Returns undefined if it has nothing to say about it. */
export interface RiskAnalyzer {
  readonly name: string;
  /** True if it builds on the findings of the other analyzers. */
  readonly last?: true;
  /** Category of its plain reasons, which determines their order among those of others. */
  readonly harm?: Harm;
  assess(subject: Subject): Judged | undefined | Promise<Judged | undefined>;
}
