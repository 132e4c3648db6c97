// Files that a batch writes for programs of other agents: `preds.json`, the exit statuses and `checkpoint.json`.

import { inAscii } from '../trajectory/pythonJson';
import type { TaskResult } from './taskResult';
import { localTime } from '../trajectory/times';
import { pythonFile } from './pythonFile';

/** Yields `preds.json` in pieces, as mini-swe-agent writes it: id → model and patch. SWE-bench reads it. */
export function* predictionText(results: Iterable<TaskResult>): Generator<string> {
  let isFirst = true;
  for (const { id, model, patch } of results) {
    const prediction = { [id]: { model_name_or_path: model, instance_id: id, model_patch: patch } };
    const [, ...lines] = inAscii(JSON.stringify(prediction, null, 2)).split('\n');
    yield `${isFirst ? '{' : ','}\n${lines.slice(0, -1).join('\n')}`;
    isFirst = false;
  }
  yield isFirst ? '{}' : '\n}';
}

/** Yields ids grouped by exit status, as mini-swe-agent writes them. */
export function* exitStatusFile(results: Iterable<TaskResult>): Generator<string> {
  const byStatus = new Map<string, string[]>();
  for (const { id, exit_status: status } of results) {
    const ids = byStatus.get(status) ?? [];
    ids.push(id);
    byStatus.set(status, ids);
  }
  yield byStatus.size === 0 ? 'instances_by_exit_status: {}\n' : 'instances_by_exit_status:\n';
  for (const [status, ids] of [...byStatus].sort())
    yield `    ${yamlText(status)}:\n${ids.map((id) => `    - ${yamlText(id)}\n`).join('')}`;
}

/** Quotes a word unless YAML reads it as a string. */
const yamlText = (text: string): string =>
  /^[A-Za-z][\w.-]*$/.test(text) && !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text) ? text : JSON.stringify(text);

/** Progress of one batch, with the names of Hermes Agent. */
export interface BatchProgress {
  processed: number;
  skipped: number;
  discarded_no_reasoning: number;
}

/**
 * `checkpoint.json`, as Hermes Agent writes it. It is only for other programs; Waymark resumes from `results.jsonl`.
 */
interface Checkpoint {
  readonly runName: string;
  /** Indices of tasks whose conversation was saved, or discarded on purpose. */
  readonly completed: readonly number[];
  readonly batches: ReadonlyMap<number, BatchProgress>;
}

export function checkpointText({ runName, completed, batches }: Checkpoint, at: number): string {
  const numbered = [...batches].sort(([a], [b]) => a - b).map(([batch, progress]) => [String(batch), progress]);
  return pythonFile({
    run_name: runName,
    completed_prompts: [...completed].sort((a, b) => a - b),
    batch_stats: Object.fromEntries(numbered) as Record<string, BatchProgress>,
    last_updated: localTime(at),
  });
}
