import type { Assessment } from '../../protocol/event';
import type { History } from '../agent/projection';
import type { Environment } from '../tools/environment';
import type { BoundTool, Tool } from '../tools/tool';
import { worst } from './assessment';
import { commandAnalyzer } from './commandAnalyzer';
import { manifestAnalyzer } from './manifest/manifestAnalyzer';
import { overwriteAnalyzer } from './overwriteAnalyzer';
import { pathAnalyzer } from './pathAnalyzer';
import { sandboxAnalyzer } from './sandbox';
import { schemaAnalyzer } from './schemaAnalyzer';
import { shellChangesAnalyzer } from './shellChanges';
import { reachAnalyzer } from './taint/reachAnalyzer';
import { taintAnalyzer } from './taint/taintAnalyzer';

export interface Subject {
  readonly tool: Tool;
  readonly call: BoundTool;
  readonly environment: Environment;
  readonly history: History;
  /** What is known so far: the tool's own estimate, with the model's where it gave one; for the `last` analyzers what all others found too. */
  readonly found?: Assessment;
}

/** Judges one call before it may run. `undefined`: nothing to say about this one. */
export interface RiskAnalyzer {
  readonly name: string;
  /** Whether it builds on what the others found. */
  readonly last?: true;
  assess(subject: Subject): Assessment | undefined | Promise<Assessment | undefined>;
}

/** ★ The one place to register an analyzer. Each may only raise what the others found. */
export const analyzers: readonly RiskAnalyzer[] = [
  pathAnalyzer, commandAnalyzer, manifestAnalyzer, schemaAnalyzer, overwriteAnalyzer,
  sandboxAnalyzer, shellChangesAnalyzer, reachAnalyzer, taintAnalyzer,
];

const patienceMs = 5000;

/** The worst answer wins, the tool's own estimate among them; an analyzer that fails or takes longer than `timeoutMs` counts as high. */
export async function assessWith(list: readonly RiskAnalyzer[], tool: Tool, call: BoundTool, environment: Environment, history: History, timeoutMs = patienceMs): Promise<Assessment> {
  const judged = async (some: readonly RiskAnalyzer[], found: Assessment): Promise<Assessment[]> => {
    const subject = { tool, call, environment, history, found };
    return (await Promise.all(some.map(analyzer => answerOf(analyzer, subject, timeoutMs)))).filter(answer => answer !== undefined);
  };
  const found = (await judged(list.filter(({ last }) => !last), call.risk)).reduce(worst, call.risk);
  // The part of the call that the last ones point at is what a person has to see.
  return (await judged(list.filter(({ last }) => last), found)).reduce((sum, one) => worst(one, sum), found);
}

async function answerOf(analyzer: RiskAnalyzer, subject: Subject, timeoutMs: number): Promise<Assessment | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Assessment>(resolve => {
    timer = setTimeout(() => resolve({ level: 'high', reasons: [`The ${analyzer.name} analyzer did not answer within ${timeoutMs / 1000} s, so this counts as high.`] }), timeoutMs);
  });
  try {
    return await Promise.race([analyzer.assess(subject), late]);
  } catch (error) {
    return { level: 'high', reasons: [`The ${analyzer.name} analyzer failed (${(error as Error).message}), so this counts as high.`] };
  } finally {
    clearTimeout(timer);
  }
}
