import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { WorkerOutcome } from '../../adapters/queue/taskQueue';
import { startTask } from '../../adapters/batch/taskProcess';
import type { RequestGate } from '../../core/batch/requestGate';
import { makeTemporary, removeTemporary, tidyUp } from '../../adapters/sandbox/madePlaces';
import type { BatchTask } from '../../core/batch/batchTask';
import { QueuedTask } from '../../core/batch/queuedTask';
import { secrets } from '../../core/secrets/secrets';
import { containerFor } from '../run/designOptions';
import { modelSettings } from '../run/modelOptions';
import { stderr } from '../output/output';
import type { RunOptions } from '../run/runOptions';
import { checkedQueue, queueBundle, queueName } from './queueBundle';
import { leaveNothing, stopSignals, toldEnd } from './taskEnd';
import { allowRequest, type TaskJob, type TaskTold } from './taskJob';

export interface WorkerCommandOptions extends RunOptions {
  readonly queue?: string;
  readonly runName: string;
  /** Folders and repositories of tasks lie below it. */
  readonly root: string;
  readonly concurrency: number;
  readonly tasksPerMinute?: number;
  /** Requests to one endpoint of a model that all workers together begin in a minute. */
  readonly requestsPerMinute?: number;
  readonly lease: number;
  readonly taskTimeout: number;
  readonly taskMemory: number;
}

/**
 * Works on the tasks of a queue until it is told to end. Resolves to the exit code; throws
 * an `Error` in words when it cannot begin.
 */
export async function worker(options: WorkerCommandOptions): Promise<number> {
  if (options.queue === undefined) throw new Error('Name the queue with --queue, or in the variable WAYMARK_QUEUE.');
  const url = checkedQueue(options.queue);
  const root = path.resolve(options.root);
  if (!fs.statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${root} is not a folder. Name the folder with the projects of the tasks with --root.`);
  if (options.script === undefined) await modelSettings(options);
  const container = containerFor(options);
  if (container) await (await import('../../adapters/terminal/container')).needEngine(container);
  const { startWorker, openGate } = await queueBundle();
  const say = (words: string): void => stderr.write(`${secrets.mask(words)}\n`);
  const { requestsPerMinute } = options;
  const gate = requestsPerMinute === undefined ? undefined : openGate({ url, perMinute: requestsPerMinute });
  const stopping = new AbortController();
  const atWork = new Set<Promise<unknown>>();
  const taking = startWorker(
    {
      url,
      name: queueName(options.runName),
      concurrency: options.concurrency,
      tasksPerMinute: options.tasksPerMinute,
      leaseMs: options.lease * 1000,
    },
    (data) => {
      const work = workOn(data, root, { options, gate, stopping: stopping.signal });
      atWork.add(work);
      const isOver = (): boolean => atWork.delete(work);
      work.then(isOver, isOver);
      return work;
    },
    (problem) => say(`Redis cannot be reached (${problem}). Tasks that run go on; waiting for it.`),
  );
  say(`Waiting for tasks of ${options.runName}, ${options.concurrency} at the same time.`);
  await interruption();
  say('No further task begins. Press Ctrl-C again to stop those that run: other workers do them then.');
  const isStopped = interruption().then(async () => {
    stopping.abort();
    await Promise.allSettled(atWork);
    // A Redis that cannot be reached is told nothing; it gives the tasks to others when their leases end.
    await new Promise((resolve) => setTimeout(resolve, tellMs));
    taking.leave();
  });
  await Promise.race([taking.drain(), isStopped]);
  gate?.close();
  tidyUp();
  say(`${taking.ended} tasks ended here.`);
  return 0;
}

/** So long a worker that was stopped waits until Redis knows it. Milliseconds. */
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
  readonly stopping: AbortSignal;
}

/**
 * One task in a process of its own. Throws where another try may help; what is
 * wrong with the task itself is an outcome.
 */
async function workOn(data: unknown, root: string, { options, gate, stopping }: WorkingParts): Promise<WorkerOutcome> {
  const read = QueuedTask.safeParse(data);
  if (!read.success) throw new Error(`What lies in the queue is no task: ${z.prettifyError(read.error)}`);
  const { batch, toolsets, keepsWithoutReasoning, ...task } = read.data;
  const place = makeTemporary('waymark-worker-');
  const log = path.join(place, 'log.waymark.jsonl');
  const job: TaskJob = {
    task: task as BatchTask,
    batch,
    sources: { base: root, repositories: root, within: [root], leftOut: [], hidden: [] },
    options,
    unstored: {},
    toolsets: toolsets.length > 0 ? toolsets : (options.settings.toolsets ?? []),
    log,
    logName: '',
    outcome: path.join(place, 'outcome.json'),
    ownFolder: place,
    keepsWithoutReasoning,
    checks: false,
    checkSeconds: 0,
    asksForRequests: gate !== undefined,
  };
  let beside: string | undefined;
  const child = startTask({
    program: [process.argv[1]!, 'batch-task'],
    job,
    timeoutMs: options.taskTimeout * 1000,
    memory: options.taskMemory,
    onTold: (line) => {
      allowRequest(line as TaskTold, gate, child);
      beside ??= (line as TaskTold).beside;
    },
  });
  const stop = (): void => child.stop();
  stopping.addEventListener('abort', stop, { once: true });
  try {
    const end = await child.ended;
    leaveNothing(beside, end);
    if (stopping.aborted) throw new Error('Its worker was stopped.');
    if (end.timedOut || !fs.existsSync(job.outcome)) throw new Error(toldEnd(end, options).reason);
    const kept = fs.existsSync(log) ? fs.readFileSync(log, 'utf8') : '';
    return { outcome: fs.readFileSync(job.outcome, 'utf8'), log: kept };
  } finally {
    stopping.removeEventListener('abort', stop);
    removeTemporary(place);
  }
}
