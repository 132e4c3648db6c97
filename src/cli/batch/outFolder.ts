import path from 'node:path';
import type { BatchOptions } from './batchOptions';

export const runNameOf = (dataset: string, { runName }: Pick<BatchOptions, 'runName'>): string =>
  runName ?? path.basename(dataset).replace(/\.jsonl?$/, '');

/** Where the results of a batch lie: absolute. */
export const outFolder = (dataset: string, options: Pick<BatchOptions, 'runName' | 'out'>): string =>
  path.resolve(options.out ?? path.join('data', runNameOf(dataset, options)));
