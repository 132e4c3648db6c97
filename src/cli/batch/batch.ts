import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { BatchFolder, otherDatasetIn, textHash } from '../../adapters/batch/batchFolder';
import type { TaskSources } from '../../adapters/batch/taskPlace';
import { decodeUtf8 } from '../../adapters/files/textEncoding';
import { makeFolder, writeDurably } from '../../adapters/storage/durableFile';
import { readDataset, type BatchTask, type Dataset } from '../../core/batch/batchTask';
import { junitOf } from '../../core/batch/junit';
import { duration, failuresIn } from '../../core/batch/batchProgress';
import {
  distributionNamed,
  distributions,
  sampleToolsets,
  unknownToolsets,
  type Distribution,
} from '../../core/batch/distributions';
import { PythonRandom } from '../../core/batch/pythonRandom';
import { selectTasks } from '../../core/batch/selectTasks';
import { isFailed } from '../../core/batch/taskResult';
import { PrefillMessage, type UnstoredMessages } from '../../core/batch/unstoredMessages';
import { knownToolsets } from '../../core/tools/toolsets';
import { containerFor, containerKind } from '../run/designOptions';
import { settingsForModel } from '../run/modelOptions';
import { refuseUncountable } from '../run/runModels';
import { refuseUnnamedServers } from '../run/runOptions';
import { stderr, stdout } from '../output/output';
import { namesFolder, outFolder, runNameOf, type BatchOptions } from './batchOptions';
import { BatchRun } from './batchRun';
import { LocalWorkers } from './localWorkers';
import { QueueWorkers } from './queueWorkers';
import type { ExitCode } from '../output/exitCodes';
import { costWords } from '../../protocol/plain/amounts';

const isToolset = (name: string): boolean => knownToolsets.some((toolset) => toolset.name === name);

/**
 * Runs the tasks of a dataset. `known`: the dataset, if it was already read. Resolves to the exit code. Rejects with an
 * `Error` with a message for people if the batch cannot begin.
 */
export async function batch(
  datasetFile: string | undefined,
  options: BatchOptions,
  known?: Dataset,
): Promise<ExitCode<'batch'>> {
  if (options.listDistributions) return listDistributions();
  if (datasetFile === undefined) throw new Error('Name a dataset: a file with a JSON object on each line.');
  if (options.retryFailed && !options.resume) throw new Error('--retry-failed requires --resume.');
  if (options.resume && options.redoExisting) throw new Error('Choose --resume or --redo-existing, not both.');
  const { tasks, problems } = known ?? readTasks(datasetFile);
  for (const problem of problems) stderr.write(`${problem}\n`);
  const chosen = selectTasks(tasks, options);
  if (chosen.length === 0)
    throw new Error(`No task of ${datasetFile} is selected. Change --filter, --slice or the dataset.`);
  if (options.queue === undefined) {
    refuseUnnamedServers(options);
    await needContainers(chosen, options);
  } else refuseBeyondQueue(options);
  for (const sentence of unusedParts(chosen, options)) stderr.write(`${sentence}\n`);
  const distribution = options.distribution === undefined ? undefined : distributionOf(options.distribution);
  const model = await modelNameOf(chosen, options);
  const runName = runNameOf(datasetFile, options);
  const out = outFolder(datasetFile, options);
  const unstored = unstoredOf(options);
  if (!namesFolder(options)) refuseOtherDataset(out, datasetFile);
  const folder = BatchFolder.open(out, runName, {
    resume: options.resume,
    redo: options.redoExisting,
    dataset: path.resolve(datasetFile),
  });
  try {
    folder.recover(tasks);
    if (options.retryFailed)
      folder.forget(chosen.filter((task) => isFailed({ status: folder.statusOf(task) ?? 'done' })));
    const began = performance.now();
    const { queue } = options;
    const sources = sourcesOf(datasetFile, out, options);
    const run = new BatchRun(folder, chosen, {
      options,
      toolsetsOf: (task) => toolsetsOf(task, distribution, options),
      engage: (desk) =>
        queue === undefined ? new LocalWorkers(desk, { model, unstored, sources }) : new QueueWorkers(desk, queue),
    });
    const code = await run.work();
    const seconds = (performance.now() - began) / 1000;
    folder.writeSummary({
      runName,
      distribution: distribution?.name ?? '',
      totalPrompts: chosen.length,
      totalBatches: Math.ceil(chosen.length / options.batchSize),
      batchSize: options.batchSize,
      model,
      seconds,
    });
    if (options.junit !== undefined) writeReport(options.junit, junitOf(runName, folder.results()));
    if (!options.json) stdout.write(`${batchSummary(folder, chosen, seconds)}\n`);
    return code;
  } finally {
    folder.close();
  }
}

/** The sources of the tasks, and the folders that they may use. */
function sourcesOf(datasetFile: string, out: string, { cwd, repos, root }: BatchOptions): TaskSources {
  const base = path.dirname(path.resolve(datasetFile));
  const repositories = repos === undefined ? undefined : path.resolve(repos);
  const folders = [root === undefined ? base : path.resolve(root), repositories];
  return {
    base,
    cwd: cwd === undefined ? undefined : path.resolve(cwd),
    repositories,
    within: folders.filter((folder) => folder !== undefined),
    leftOut: [folderItself(out)],
    hidden: [fs.realpathSync(datasetFile), ...(repositories === undefined ? [] : [repositories])],
  };
}

/**
 * Checked early, because without an engine or an image every task would fail in the same way. Throws an `Error` with a
 * message for people.
 */
async function needContainers(tasks: readonly BatchTask[], options: BatchOptions): Promise<void> {
  const [container] = tasks.map(({ image, usualImage }) => containerFor(options, image ?? options.image ?? usualImage));
  if (!container) return;
  const { needEngine } = await import('../../adapters/terminal/container');
  await needEngine(container);
}

/** A queue transports only tasks. Options that affect how tasks run must be passed to each worker. */
function refuseBeyondQueue({ script, ephemeralSystemPrompt, prefillMessagesFile }: BatchOptions): void {
  const refusedFlags = {
    '--script': script,
    '--ephemeral-system-prompt': ephemeralSystemPrompt,
    '--prefill-messages-file': prefillMessagesFile,
  };
  const [flag] = Object.entries(refusedFlags).find(([, value]) => value !== undefined) ?? [];
  if (flag !== undefined) throw new Error(`${flag} does not work with a queue. Remove ${flag} or --queue.`);
}

/** Returns a sentence for each part of the dataset and the command line that this batch ignores. */
function unusedParts(tasks: readonly BatchTask[], options: BatchOptions): string[] {
  const { queue, unusedInQueue = [] } = options;
  const hasContainers = containerKind(options) !== 'local';
  const withImage = hasContainers ? 0 : tasks.filter(({ image }) => image !== undefined).length;
  const withScript = tasks.filter(({ script }) => script !== undefined).length;
  const sentences: string[] = [];
  if (withImage > 0 && queue !== undefined)
    sentences.push(
      `Tasks that name a container image: ${withImage}. Workers use these images if their --task-images allows them.`,
    );
  else if (withImage > 0)
    sentences.push(
      `Tasks that name a container image: ${withImage}. They run without a container; to use one for each task, add --environment docker or podman.`,
    );
  if (queue !== undefined && withScript > 0)
    sentences.push(`Tasks with a script: ${withScript}. Workers of a queue do not use it.`);
  if (queue !== undefined && unusedInQueue.length > 0)
    sentences.push(`Workers of a queue use their own options. Ignored here: ${unusedInQueue.join(', ')}.`);
  return sentences;
}

function writeReport(file: string, text: string): void {
  makeFolder(path.dirname(path.resolve(file)));
  writeDurably(path.resolve(file), [text]);
}

function refuseOtherDataset(out: string, dataset: string): void {
  const other = otherDatasetIn(out, dataset);
  if (other !== undefined)
    throw new Error(
      `${out} contains the results of ${other}. Choose another folder with --run-name or --out. (Named with them, one folder can hold the results of several datasets.)`,
    );
}

const folderItself = (folder: string): string => fs.realpathSync(folder);

/**
 * Reads the tasks of a batch from a file. Throws an `Error` with a message for people if it cannot be read or has no
 * tasks.
 */
export function readTasks(file: string): Dataset {
  let text: string;
  try {
    text = decodeUtf8(fs.readFileSync(file), file);
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  const dataset = readDataset(text, textHash);
  if (dataset.tasks.length === 0)
    throw new Error([`${file} has no tasks.`, ...dataset.problems.slice(0, 5)].join('\n'));
  return dataset;
}

function listDistributions(): ExitCode<'batch'> {
  for (const { name, description, toolsets } of distributions) {
    const parts = Object.entries(toolsets).map(([toolset, percent]) => `${toolset} ${percent}%`);
    stdout.write(`${name.padEnd(15)} ${description}\n${''.padEnd(16)}${parts.join(', ')}\n`);
  }
  return 0;
}

function distributionOf(name: string): Distribution {
  const distribution = distributionNamed(name, isToolset);
  const unknown = unknownToolsets(distribution, isToolset);
  if (unknown.length > 0)
    stderr.write(`Waymark does not have the toolset ${unknown.join(', ')} of ${name}. It draws from the others.\n`);
  return distribution;
}

/** The random choice for a task depends only on the seed and its id, so that a resumed batch makes the same choice. */
function toolsetsOf(
  task: BatchTask,
  distribution: Distribution | undefined,
  { seed, settings }: BatchOptions,
): readonly string[] {
  if (task.toolsets) return task.toolsets;
  if (!distribution) return settings.toolsets ?? [];
  const numbers = new PythonRandom(Number.parseInt(textHash(`${seed} ${task.id}`), 16));
  return sampleToolsets(distribution, isToolset, () => numbers.random());
}

/**
 * Requires a model early, because without one every task would fail in the same way. Workers of a queue have their own
 * model, and only they know its price.
 */
async function modelNameOf(tasks: readonly BatchTask[], options: BatchOptions): Promise<string> {
  const isPlayed =
    options.queue !== undefined || options.script !== undefined || tasks.every(({ script }) => script !== undefined);
  if (isPlayed) return options.settings['model.name'] ?? 'tutorial (scripted)';
  const { name = '' } = await settingsForModel(options);
  refuseUncountable(options, { name });
  if (options.batchMaxCost !== undefined) refuseUncountable(options, { name }, options.batchMaxCost);
  return name;
}

function unstoredOf({ ephemeralSystemPrompt, prefillMessagesFile }: BatchOptions): UnstoredMessages {
  if (prefillMessagesFile === undefined) return { systemPrompt: ephemeralSystemPrompt };
  let value: unknown;
  try {
    value = JSON.parse(decodeUtf8(fs.readFileSync(prefillMessagesFile), prefillMessagesFile));
  } catch (error) {
    throw new Error(`${prefillMessagesFile} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  const prefill = z.array(PrefillMessage).safeParse(value);
  if (!prefill.success)
    throw new Error(
      `${prefillMessagesFile} is not a list of messages. Write it as [{"role": "user", "content": "…"}].`,
    );
  return { systemPrompt: ephemeralSystemPrompt, prefill: prefill.data };
}

/** The summary for people at the end. */
function batchSummary(folder: BatchFolder, tasks: readonly BatchTask[], seconds: number): string {
  const { sums } = folder;
  const done = sums.statuses.get('done') ?? 0;
  const open = tasks.filter((task) => !folder.isSettled(task)).length;
  const failures = failuresIn(sums);
  const discarded = [...sums.discarded].map(([why, count]) => `${count} ${why}`);
  const spent = costWords(folder.spent);
  return [
    `${done} of ${tasks.length} tasks are done, in ${duration(seconds)}${spent && ` for ${spent}`}.`,
    ...(failures.length > 0 ? [`Failed: ${failures.join(', ')}. --resume --retry-failed repeats them.`] : []),
    ...(open > 0 ? [`Not done yet: ${open}. --resume continues.`] : []),
    ...(discarded.length > 0 ? [`Conversations omitted from trajectories.jsonl: ${discarded.join(', ')}.`] : []),
    `Results: ${folder.root}`,
  ].join('\n');
}
