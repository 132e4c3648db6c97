import path from 'node:path';
import type { TaskSelection } from '../../core/batch/selectTasks';
import type { RunOptions } from '../run/runOptions';
import type { QueueFlags } from './queueBundle';

/** Options of a batch, in addition to those of each run. */
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
  /** Folder of repositories. */
  readonly repos?: string;
  /** Tasks use folders, repositories and scripts below this folder; default is the folder of the dataset. */
  readonly root?: string;
  readonly batchMaxCost?: number;
  /** Maximum number of requests per minute to one model endpoint, over all tasks. */
  readonly requestsPerMinute?: number;
  readonly taskTimeout: number;
  readonly taskMemory: number;
  readonly ephemeralSystemPrompt?: string;
  readonly prefillMessagesFile?: string;
  readonly keepWithoutReasoning?: boolean;
  /** Flags from the command line that have no effect on tasks in a queue. */
  readonly unusedInQueue?: readonly string[];
  /** File for a JUnit report. */
  readonly junit?: string;
  /** Time limit of one check, in seconds. If absent, checks of tasks are not run. */
  readonly checkSeconds?: number;
}

export const runNameOf = (dataset: string, { runName }: Pick<BatchOptions, 'runName'>): string =>
  runName ?? path.basename(dataset).replace(/\.jsonl?$/, '');

/** Absolute path of the folder for the results of a batch. */
export const outFolder = (dataset: string, options: Pick<BatchOptions, 'runName' | 'out'>): string =>
  path.resolve(options.out ?? path.join('data', runNameOf(dataset, options)));

/** Returns whether the user chose the folder. Otherwise it has the name of the dataset. */
export const namesFolder = ({ runName, out }: Pick<BatchOptions, 'runName' | 'out'>): boolean =>
  runName !== undefined || out !== undefined;
