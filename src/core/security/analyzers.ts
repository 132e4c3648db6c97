import type { Assessment } from '../../protocol/event';
import type { History } from '../agent/projection';
import type { Environment } from '../tools/environment';
import type { BoundTool, Tool } from '../tools/tool';
import { worst } from './assessment';
import { commandAnalyzer } from './commandAnalyzer';
import { pathAnalyzer } from './pathAnalyzer';

export interface Subject {
  readonly tool: Tool;
  readonly call: BoundTool;
  readonly environment: Environment;
  readonly history: History;
}

/** Judges one call before it may run. `undefined`: nothing to say about this one. */
export interface RiskAnalyzer {
  readonly name: string;
  assess(subject: Subject): Assessment | undefined | Promise<Assessment | undefined>;
}

/** ★ The one place to register an analyzer. Each may only raise what the others found. */
export const analyzers: readonly RiskAnalyzer[] = [pathAnalyzer, commandAnalyzer];

/** The worst answer wins, the tool's own estimate among them; an analyzer that fails counts as high. */
export async function assessWith(list: readonly RiskAnalyzer[], tool: Tool, call: BoundTool, environment: Environment, history: History): Promise<Assessment> {
  const judge = async (analyzer: RiskAnalyzer): Promise<Assessment | undefined> => {
    try {
      return await analyzer.assess({ tool, call, environment, history });
    } catch (error) {
      return { level: 'high', reasons: [`The ${analyzer.name} analyzer failed (${(error as Error).message}), so this counts as high.`] };
    }
  };
  const found = await Promise.all(list.map(judge));
  return found.reduce<Assessment>((sum, one) => (one ? worst(sum, one) : sum), call.risk);
}
