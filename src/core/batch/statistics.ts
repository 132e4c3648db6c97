import { localTime } from '../trajectory/times';
import { pythonFile, PythonFloat, rounded } from './pythonFile';
import type { TaskResult, TaskStatus } from './taskResult';
import { addToolUse, type ToolUse } from './toolUse';

/** Sums over results. The size does not depend on their number. */
export class BatchSums {
  readonly statuses = new Map<TaskStatus, number>();
  readonly discarded = new Map<string, number>();
  readonly reasoning = { total: 0, withReasoning: 0 };
  readonly tokens = { input: 0, output: 0 };
  tools: ToolUse = {};
  tasks = 0;
  steps = 0;
  seconds = 0;
  cost = 0;
  /** Tasks with unknown cost. */
  unpriced = 0;
  checked = 0;
  resolved = 0;

  add(result: TaskResult): void {
    this.tasks += 1;
    this.statuses.set(result.status, (this.statuses.get(result.status) ?? 0) + 1);
    if (result.discarded) this.discarded.set(result.discarded, (this.discarded.get(result.discarded) ?? 0) + 1);
    this.reasoning.total += result.reasoning.total;
    this.reasoning.withReasoning += result.reasoning.withReasoning;
    this.tokens.input += result.input_tokens ?? 0;
    this.tokens.output += result.output_tokens ?? 0;
    this.tools = addToolUse(this.tools, result.tools);
    this.steps += result.steps;
    this.seconds += result.seconds;
    this.cost += result.cost ?? 0;
    if (result.cost === null && result.steps > 0) this.unpriced += 1;
    if (result.resolved !== undefined) this.checked += 1;
    if (result.resolved === true) this.resolved += 1;
  }

  get failed(): number {
    return this.tasks - (this.statuses.get('done') ?? 0);
  }
}

/** Contents of `statistics.json` in addition to the sums. */
export interface BatchFacts {
  readonly runName: string;
  readonly distribution: string;
  readonly totalPrompts: number;
  readonly totalBatches: number;
  readonly batchSize: number;
  readonly model: string;
  readonly seconds: number;
}

/** Formats `statistics.json`: the fields of Hermes Agent in their order, then those of Waymark. */
export function statisticsText(facts: BatchFacts, sums: BatchSums, at: number): string {
  const { total, withReasoning } = sums.reasoning;
  return pythonFile({
    run_name: facts.runName,
    distribution: facts.distribution,
    total_prompts: facts.totalPrompts,
    total_batches: facts.totalBatches,
    batch_size: facts.batchSize,
    model: facts.model,
    completed_at: localTime(at),
    duration_seconds: rounded(facts.seconds),
    tool_statistics: Object.fromEntries(Object.entries(sums.tools).map(([tool, count]) => [tool, withRates(count)])),
    reasoning_statistics: {
      total_assistant_turns: total,
      turns_with_reasoning: withReasoning,
      turns_without_reasoning: total - withReasoning,
    },
    outcomes: Object.fromEntries([...sums.statuses].sort()),
    discarded: Object.fromEntries([...sums.discarded].sort()),
    steps: sums.steps,
    input_tokens: sums.tokens.input,
    output_tokens: sums.tokens.output,
    cost_usd: new PythonFloat(Number(sums.cost.toFixed(6))),
    tasks_without_known_cost: sums.unpriced,
    task_seconds: rounded(sums.seconds),
  });
}

function withRates({ count, success, failure }: ToolUse[string]): Record<string, unknown> {
  const all = success + failure;
  const percent = (part: number): PythonFloat => rounded(all === 0 ? 0 : (part / all) * 100);
  return { count, success, failure, success_rate: percent(success), failure_rate: percent(failure) };
}
