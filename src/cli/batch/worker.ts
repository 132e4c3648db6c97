import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { WorkerOutcome } from '../../adapters/queue/taskQueue';
import { emptyResult, type TaskOutcome } from '../../adapters/batch/batchFolder';
import { startTask } from '../../adapters/batch/taskProcess';
import type { TaskSources } from '../../adapters/batch/taskPlace';
import type { RequestGate } from '../../core/batch/requestGate';
import { makeTemporary, removeTemporary, tidyUp } from '../../adapters/sandbox/madePlaces';
import type { BatchTask } from '../../core/batch/batchTask';
import { QueuedTask } from '../../core/batch/queuedTask';
import { secrets } from '../../core/secrets/secrets';
import { globMatcher } from '../../core/text/glob';
import type { TaskResult } from '../../core/batch/taskResult';
import { containerFor, containerKind } from '../run/designOptions';
import { settingsForModel } from '../run/modelOptions';
import { refuseUncountable } from '../run/runModels';
import { stderr } from '../output/output';
import { refuseUnnamedServers, type RunOptions } from '../run/runOptions';
import { queueAddress, queueBundle, queueName, type QueueFlags } from './queueBundle';
import { removeLeftovers, stopSignals, describeEnd } from './taskEnd';
import { allowRequest, type TaskJob, type TaskReport } from './taskJob';
import type { ExitCode } from '../output/exitCodes';

/** Flags of `waymark worker`. `lease` and `taskTimeout` are seconds, `taskMemory` is megabytes. */
export interface WorkerCommandOptions extends RunOptions, QueueFlags {
  readonly runName: string;
  /** Folders and repositories of tasks must be below it. */
  readonly root: string;
  readonly concurrency: number;
  readonly tasksPerMinute?: number;
  /** Maximum number of requests per minute to one model endpoint, over all workers. */
  readonly requestsPerMinute?: number;
  readonly lease: number;
  readonly taskTimeout: number;
  readonly taskMemory: number;
  /** True if checks of tasks run: these are commands that come from the queue. */
  readonly checks?: boolean;
  /** Patterns of images that tasks may name. */
  readonly taskImages?: readonly string[];
}

/**
 * Runs tasks of a queue until it is told to end. Resolves to the exit code. Rejects with an `Error` with a message for
 * people if it cannot begin.
 */
export async function worker(options: WorkerCommandOptions): Promise<ExitCode<'worker'>> {
  if (options.queue === undefined) throw new Error('Name the queue with --queue or in the variable WAYMARK_QUEUE.');
  const address = queueAddress(options.queue, options);
  const root = path.resolve(options.root);
  if (!fs.statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${root} is not a folder. Name the folder with the projects of the tasks with --root.`);
  if (options.script === undefined) {
    const { name = '' } = await settingsForModel(options);
    refuseUncountable(options, { name });
  }
  refuseUnnamedServers(options);
  await needPlaces(root, options);
  const mayUse = allowedImages(options);
  const { startWorker, openGate, refusedByRedis } = await queueBundle();
  const refused = await refusedByRedis(address);
  if (refused !== undefined) throw new Error(refused);
  const say = (words: string): void => stderr.write(`${secrets.mask(words)}\n`);
  const { requestsPerMinute } = options;
  const gate = requestsPerMinute === undefined ? undefined : openGate({ ...address, perMinute: requestsPerMinute });
  const stopping = new AbortController();
  const atWork = new Set<Promise<unknown>>();
  const taking = startWorker(
    {
      ...address,
      name: queueName(options.runName),
      concurrency: options.concurrency,
      tasksPerMinute: options.tasksPerMinute,
      leaseMs: options.lease * 1000,
    },
    (data) => {
      const work = workOn(data, root, { options, gate, mayUse, stopping: stopping.signal });
      atWork.add(work);
      const isOver = (): boolean => atWork.delete(work);
      work.then(isOver, isOver);
      return work;
    },
    (problem) => say(`Redis cannot be reached (${problem}). Running tasks continue; waiting for Redis.`),
  );
  say(`Waiting for tasks of ${options.runName}, up to ${options.concurrency} in parallel.`);
  await interruption();
  // Installed before it is announced: a signal without a listener would kill the worker.
  const secondInterruption = interruption();
  say('No more tasks start. Press Ctrl-C again to stop the running ones; other workers then take them over.');
  const isStopped = secondInterruption.then(async () => {
    stopping.abort();
    await Promise.allSettled(atWork);
    // An unreachable Redis cannot be notified; it gives the tasks to others when their leases expire.
    await new Promise((resolve) => setTimeout(resolve, tellMs));
    taking.leave();
  });
  await Promise.race([taking.drain(), isStopped]);
  gate?.close();
  tidyUp();
  say(`${taking.ended} tasks ended here.`);
  return 0;
}

/**
 * Checked early, because without an engine, or a sandbox for its checks, every task would fail in the same way. Throws
 * an `Error` with a message for people.
 */
async function needPlaces(root: string, options: WorkerCommandOptions): Promise<void> {
  const { image, taskImages, checks, settings } = options;
  if (taskImages && containerKind(options) === 'local')
    throw new Error('--task-images requires a container. Choose an engine with --environment docker or podman.');
  // Any image will do to check whether the engine responds.
  const container = containerFor(options, image ?? (taskImages && 'scratch'));
  if (container) return (await import('../../adapters/terminal/container')).needEngine(container);
  if (checks !== true || settings.sandbox === 'off') return;
  const { findSandbox } = await import('../../adapters/sandbox/findSandbox');
  const found = await findSandbox([root]);
  if ('none' in found)
    throw new Error(
      `Checks come from the queue and need a sandbox, and ${found.none}. ${found.next} Or run tasks in containers with --environment, or remove --checks.`,
    );
}

/**
 * Returns a function that says whether a task may use an image. Throws an `Error` with a message for people if a
 * pattern is invalid.
 */
function allowedImages({ taskImages = [] }: WorkerCommandOptions): (image: string) => boolean {
  const patterns = taskImages.map((pattern) => {
    try {
      return globMatcher(pattern);
    } catch (error) {
      throw new Error(`--task-images ${pattern} ${(error as Error).message}.`, { cause: error });
    }
  });
  return (image) => patterns.some((fits) => fits(image));
}

/** Time in ms that a stopped worker waits for Redis to be notified. */
const tellMs = 2000;

const interruption = (): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      for (const signal of stopSignals) process.off(signal, end);
      resolve();
    };
    for (const signal of stopSignals) process.on(signal, end);
  });

interface WorkingParts {
  readonly options: WorkerCommandOptions;
  readonly gate: RequestGate | undefined;
  /** Returns whether a task may use an image. */
  mayUse(image: string): boolean;
  readonly stopping: AbortSignal;
}

/**
 * Runs one task in its own process. Resolves to undefined if this worker was stopped first, so that another one runs
 * the task. Rejects if a retry may help; problems of the task itself are outcomes.
 */
async function workOn(data: unknown, root: string, parts: WorkingParts): Promise<WorkerOutcome | undefined> {
  const { options, gate, stopping } = parts;
  const read = QueuedTask.safeParse(data);
  if (!read.success) throw new Error(`The queue contains an invalid task: ${z.prettifyError(read.error)}`);
  const refused = refusalReason(read.data, parts);
  if (refused !== undefined) return refusedOutcome(read.data, refused);
  const { batch, toolsets, keepsWithoutReasoning, checkSeconds = 0, ...queued } = read.data;
  const task = withAllowedImage(queued as BatchTask, parts);
  const place = makeTemporary('waymark-worker-');
  const log = path.join(place, 'log.waymark.jsonl');
  const job: TaskJob = {
    task,
    batch,
    sources: sourcesFor(task, root),
    options,
    unstored: {},
    toolsets: toolsets.length > 0 ? toolsets : (options.settings.toolsets ?? []),
    log,
    logName: '',
    outcome: path.join(place, 'outcome.json'),
    ownFolder: place,
    keepsWithoutReasoning,
    checks: task.checks !== undefined,
    checkSeconds,
    checksNeedSandbox: true,
    asksForRequests: gate !== undefined,
  };
  let parent: string | undefined;
  const child = startTask({
    program: [process.argv[1]!, 'batch-task'],
    job,
    timeoutMs: options.taskTimeout * 1000,
    memory: options.taskMemory,
    onTold: (line) => {
      allowRequest(line as TaskReport, gate, child);
      parent ??= (line as TaskReport).beside;
    },
  });
  const stop = (): void => child.stop();
  stopping.addEventListener('abort', stop, { once: true });
  try {
    const end = await child.ended;
    removeLeftovers(parent, end);
    const isDone = fs.existsSync(job.outcome);
    // A task that finished at the moment of the stop is still returned, since redoing it would cost the same again.
    if (stopping.aborted && !isDone) return undefined;
    if (end.timedOut || !isDone) throw new Error(describeEnd(end, options).reason);
    const kept = fs.existsSync(log) ? fs.readFileSync(log, 'utf8') : '';
    return { outcome: fs.readFileSync(job.outcome, 'utf8'), log: kept };
  } finally {
    stopping.removeEventListener('abort', stop);
    removeTemporary(place);
  }
}

/** Returns why this worker refuses a task, as a message; undefined if it does not. */
function refusalReason(
  { checks, image, usualImage }: QueuedTask,
  { options, mayUse }: WorkingParts,
): string | undefined {
  if (checks && options.checks !== true)
    return 'It has checks, and its worker runs no checks from the queue. Start workers with --checks.';
  const wanted = image ?? (options.image === undefined ? usualImage : undefined);
  if (options.taskImages === undefined || wanted === undefined || mayUse(wanted)) return undefined;
  return `Its worker may not use the image ${wanted}. Start workers with --task-images ${wanted}, or with a pattern that matches it.`;
}

/** The result of a task that did not begin. */
function refusedOutcome(queued: QueuedTask, reason: string): WorkerOutcome {
  const empty = emptyResult(queued as BatchTask, queued.batch);
  const result: TaskResult = { ...empty, status: 'invalid', exit_status: 'Invalid', reason };
  return { outcome: JSON.stringify({ result } satisfies TaskOutcome), log: '' };
}

/**
 * Returns the task with the image that this worker allows, from whichever field named it: the queue chose the image. If
 * tasks may not choose images, all of them use that of the worker.
 */
function withAllowedImage(task: BatchTask, { options }: WorkingParts): BatchTask {
  const { image, usualImage, ...rest } = task;
  if (options.taskImages === undefined) return rest;
  const allowed = image ?? (options.image === undefined ? usualImage : undefined);
  return allowed === undefined ? rest : { ...rest, image: allowed };
}

/** In an evaluation, everything except its copy is hidden, so that the agent does not find later commits. */
function sourcesFor({ checks }: BatchTask, root: string): TaskSources {
  return { base: root, repositories: root, within: [root], leftOut: [], hidden: checks ? [root] : [] };
}
