import type { Subject, RiskAnalyzer } from '../ports/analyzer';
import { neverCutOff, TookTooLong } from '../ports/cutOff';
import type { Assessment } from '../../protocol/events/event';
import type { History } from '../log/projection';
import type { Environment } from '../ports/environment';
import type { BoundTool, Tool } from '../ports/tool';
import { withFoundTouches } from '../tools/calls/withFoundTouches';
import { withHarm, finalAssessment, worst, type Judged } from '../risk/assessment';
import { loadCommandAnalysis } from './commandAnalysis';
import { commandAnalyzer } from './commandAnalyzer';
import { homeAnalyzer } from './homeAnalyzer';
import { manifestAnalyzer } from './manifest/manifestAnalyzer';
import { overwriteAnalyzer } from './overwriteAnalyzer';
import { pathAnalyzer } from './pathAnalyzer';
import { sandboxAnalyzer } from './sandbox';
import { schemaAnalyzer } from './schemaAnalyzer';
import { shellChangesAnalyzer } from './shellChanges';
import { reachAnalyzer } from './taint/reachAnalyzer';
import { taintAnalyzer } from './taint/taintAnalyzer';
import { webAnalyzer } from './webAnalyzer';

/** ★ Register analyzers here. Each may only raise the level that the others found. */
export const analyzers: readonly RiskAnalyzer[] = [
  pathAnalyzer,
  commandAnalyzer,
  manifestAnalyzer,
  schemaAnalyzer,
  overwriteAnalyzer,
  sandboxAnalyzer,
  shellChangesAnalyzer,
  webAnalyzer,
  reachAnalyzer,
  taintAnalyzer,
  homeAnalyzer,
];

const analyzerTimeoutMs = 5000;

/**
 * Returns the worst assessment, including the tool's own estimate. An analyzer that fails or takes longer than
 * `timeoutMs` counts as high, and the call waits for approval in every mode.
 */
export async function assessWith(
  list: readonly RiskAnalyzer[],
  {
    tool,
    call: bound,
    environment,
    history,
  }: { readonly tool: Tool; readonly call: BoundTool; readonly environment: Environment; readonly history: History },
  timeoutMs = analyzerTimeoutMs,
): Promise<Assessment> {
  const call = await withFoundTouches(bound, environment);
  if (call.touches.command !== undefined) await loadCommandAnalysis();
  const answersOf = async (some: readonly RiskAnalyzer[], found: Judged): Promise<Judged[]> => {
    const subject = { tool, call, environment, history, found };
    const answers = await Promise.all(some.map((analyzer) => answerOf(analyzer, subject, timeoutMs)));
    return answers.filter((answer) => answer !== undefined);
  };
  const first = list.filter(({ last }) => !last);
  const last = list.filter((analyzer) => analyzer.last);

  let found: Judged = call.risk;
  for (const answer of await answersOf(first, found)) found = worst(found, answer);
  // At equal weight, findings of the last analyzers come first.
  for (const answer of await answersOf(last, found)) found = worst(answer, found);
  return finalAssessment(found);
}

async function answerOf(analyzer: RiskAnalyzer, subject: Subject, timeoutMs: number): Promise<Judged | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Assessment>((resolve) => {
    timer = setTimeout(() => resolve(tooLate(analyzer, timeoutMs)), timeoutMs);
  });
  const { cutOff = neverCutOff } = subject.environment;
  try {
    const begun = cutOff(modelWrittenText(subject), () => analyzer.assess(subject));
    const answer = await Promise.race([begun, late]);
    return answer && analyzer.harm ? withHarm(answer, analyzer.harm) : answer;
  } catch (error) {
    if (error instanceof TookTooLong) return tooLate(analyzer, timeoutMs);
    return unjudged(`The ${analyzer.name} analyzer failed (${(error as Error).message}), so this counts as high.`);
  } finally {
    clearTimeout(timer);
  }
}

const tooLate = ({ name }: RiskAnalyzer, timeoutMs: number): Assessment =>
  unjudged(`The ${name} analyzer did not answer within ${timeoutMs / 1000} s, so this counts as high.`);

/** The effect is unknown, so no mode and no rule may allow it. */
const unjudged = (reason: string): Assessment => ({ level: 'high', reasons: [reason], guarded: true });

/** Returns the model-written part of a call that analyzers read. */
const modelWrittenText = ({ call: { touches } }: Subject): string =>
  touches.command ??
  touches.fetches ??
  [touches.adds ?? '', ...(touches.writes ?? []), ...(touches.reads ?? [])].join('\n');
