import fs from 'node:fs';
import path from 'node:path';
import { fileName } from '../../adapters/batch/batchFolder';
import { lastResultsIn } from '../../adapters/batch/resultsFile';
import { makeFolder, writeDurably } from '../../adapters/storage/durableFile';
import { readEventLog } from '../../adapters/log/eventLog';
import { exportedFiles } from '../../adapters/sessions/writeExport';
import { compareEvaluations, evaluationSummary, evaluationTable, type Evaluation } from '../../core/batch/evaluation';
import { evaluationPage } from '../../core/batch/evaluationPage';
import type { TaskResult } from '../../core/batch/taskResult';
import { formatNamed } from '../../core/trajectory/formats/formats';
import { stderr, stdout } from '../output/output';
import { batch, readTasks } from './batch';
import { outFolder, type BatchOptions } from './batchOptions';
import type { ExitCode } from '../output/exitCodes';

/** Flags of `waymark eval`. */
export interface EvaluateOptions extends BatchOptions {
  /** The folders of two evaluations. */
  readonly compare?: readonly string[];
}

/**
 * Runs tasks with checks, and reports how many were solved. Resolves to the exit code: that of the batch if it did not
 * finish, otherwise 0. Rejects with an `Error` with a message for people if it cannot begin.
 */
export async function evaluate(dataset: string | undefined, options: EvaluateOptions): Promise<ExitCode<'eval'>> {
  if (options.compare) return compareFolders(options.compare, options);
  if (dataset === undefined) throw new Error('Name a dataset, or two folders of results with --compare.');
  const tasks = readTasks(dataset);
  if (!tasks.tasks.some(({ checks }) => checks))
    throw new Error(`No task of ${dataset} has a check. Add check, fail_to_pass or pass_to_pass to its lines.`);
  const code = await batch(dataset, { ...options, keepWithoutReasoning: options.keepWithoutReasoning ?? true }, tasks);
  if (code === 130) return code;
  const out = outFolder(dataset, options);
  const evaluation = evaluationIn(out);
  writePages(out, evaluation);
  writeDurably(path.join(out, 'eval.json'), [`${JSON.stringify(evaluation.summary, null, 2)}\n`]);
  if (!options.json) stdout.write(`\n${evaluationTable({ evaluations: [evaluation] })}\n`);
  stderr.write(`Report: ${path.join(out, 'eval.html')}\n`);
  return 0;
}

function evaluationIn(folder: string, name = path.basename(folder)): Evaluation {
  const results = [...lastResultsIn(path.join(folder, 'results.jsonl'))].sort((a, b) => a.index - b.index);
  if (results.length === 0) throw new Error(`${folder} contains no results. Name the results folder of an evaluation.`);
  return { results, summary: evaluationSummary(name, results) };
}

/** Writes the page of an evaluation, and a page for each trajectory beside it. */
function writePages(folder: string, evaluation: Evaluation): void {
  makeFolder(path.join(folder, 'trajectories'));
  const links = new Map<string, string>();
  for (const result of evaluation.results) {
    const page = trajectoryPage(folder, result);
    if (page === undefined) continue;
    const name = `trajectories/${fileName(result.id)}.html`;
    writeDurably(path.join(folder, name), [page]);
    links.set(result.id, name);
  }
  const page = evaluationPage(evaluation.summary.name, {
    evaluations: [evaluation],
    linkTo: (_, { id }) => links.get(id),
  });
  writeDurably(path.join(folder, 'eval.html'), [page]);
}

function trajectoryPage(folder: string, { log, id }: TaskResult): string | undefined {
  const file = path.join(folder, log);
  if (log === '' || !fs.existsSync(file)) return undefined;
  const context = { version: process.env['WAYMARK_VERSION'] ?? '0', session: id };
  return exportedFiles(formatNamed('html'), readEventLog(file).events, context)[0]?.text;
}

function compareFolders(folders: readonly string[], { out, json }: EvaluateOptions): ExitCode<'eval'> {
  const [first, second, ...more] = folders;
  if (first === undefined || second === undefined || more.length > 0)
    throw new Error('--compare takes the folders of two evaluations.');
  const hasOneName = path.basename(path.resolve(first)) === path.basename(path.resolve(second));
  const evaluations = [first, second].map((folder) =>
    evaluationIn(path.resolve(folder), hasOneName ? folder : undefined),
  );
  const comparison = compareEvaluations(evaluations[0]!.results, evaluations[1]!.results);
  if (json)
    stdout.write(`${JSON.stringify({ summaries: evaluations.map(({ summary }) => summary), comparison }, null, 2)}\n`);
  else stdout.write(`${evaluationTable({ evaluations, comparison })}\n`);
  if (out === undefined) return 0;
  const page = path.resolve(out);
  const linkTo = (index: number, { id }: TaskResult): string | undefined => {
    const run = path.resolve(folders[index]!, 'trajectories', `${fileName(id)}.html`);
    if (!fs.existsSync(run)) return undefined;
    return path.relative(path.dirname(page), run).split(path.sep).map(encodeURIComponent).join('/');
  };
  const title = `${evaluations[0]!.summary.name} and ${evaluations[1]!.summary.name}`;
  makeFolder(path.dirname(page));
  writeDurably(page, [evaluationPage(title, { evaluations, comparison, linkTo })]);
  stderr.write(`Report: ${page}\n`);
  return 0;
}
