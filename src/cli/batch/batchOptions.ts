import path from 'node:path';
import type { TaskSelection } from '../../core/batch/selectTasks';
import type { RunOptions } from '../run/runOptions';
import type { QueueFlags } from './queueBundle';

/** The options of a batch, in addition to those of each run. */
export interface BatchOptions extends RunOptions, TaskSelection, QueueFlags {
  readonly cwd?: string;
  readonly runName?: string;
  readonly out?: string;
  readonly numWorkers: number;
  readonly batchSize: number;
  readonly resume?: boolean;
  readonly retryFailed?: boolean;
  readonly redoExisting?: boolean;
  readonly seed: number;
  readonly distribution?: string;
  readonly listDistributions?: boolean;
  /** A folder of repositories. */
  readonly repos?: string;
  /** Tasks use folders, repositories and scripts below it; below that of the dataset when absent. */
  readonly root?: string;
  readonly batchMaxCost?: number;
  /** Requests to one endpoint of a model that all tasks together begin in a minute. */
  readonly requestsPerMinute?: number;
  readonly taskTimeout: number;
  readonly taskMemory: number;
  readonly ephemeralSystemPrompt?: string;
  readonly prefillMessagesFile?: string;
  readonly keepWithoutReasoning?: boolean;
  /** Flags of the command line that mean nothing where workers behind a queue do the tasks. */
  readonly unusedInQueue?: readonly string[];
  /** A file for a JUnit report. */
  readonly junit?: string;
  /** Whether checks of tasks are run, with the seconds that one may take. */
  readonly checkSeconds?: number;
}

export const runNameOf = (dataset: string, { runName }: Pick<BatchOptions, 'runName'>): string =>
  runName ?? path.basename(dataset).replace(/\.jsonl?$/, '');

/** Where the results of a batch lie: absolute. */
export const outFolder = (dataset: string, options: Pick<BatchOptions, 'runName' | 'out'>): string =>
  path.resolve(options.out ?? path.join('data', runNameOf(dataset, options)));
