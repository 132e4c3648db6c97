import { localTime } from '../trajectory/times';
import { pythonFile } from './pythonFile';

/** How far one batch came, in the words of Hermes Agent. */
export interface BatchProgress {
  processed: number;
  skipped: number;
  discarded_no_reasoning: number;
}

/**
 * `checkpoint.json`, as Hermes Agent writes it. Waymark resumes from `results.jsonl`; this file is for other programs.
 */
export interface Checkpoint {
  readonly runName: string;
  /** Indices of tasks whose conversation was kept, or discarded on purpose. */
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
