import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { emptyResult, Outcome, textHash, type BatchFolder } from '../../adapters/batch/batchFolder';
import { startPulse } from '../../adapters/batch/batchPulse';
import type { EndedTask } from '../../adapters/queue/taskQueue';
import { makeFolder, writeDurably } from '../../adapters/storage/durableFile';
import type { BatchTask } from '../../core/batch/batchTask';
import { queuedTask } from '../../core/batch/queuedTask';
import { liveProgress, type LiveFacts } from '../../core/batch/liveProgress';
import type { TaskResult } from '../../core/batch/taskResult';
import { secrets } from '../../core/secrets/secrets';
import type { BatchOptions } from './batchOptions';
import { progressView } from './progressView';
import { checkedQueue, queueBundle, queueName } from './queueBundle';

const lookEveryMs = 250;
const writeEveryMs = 5000;
const claimEveryMs = 10_000;

export interface QueueRunParts {
  readonly options: BatchOptions & { readonly queue: string };
  toolsetsOf(task: BatchTask): readonly string[];
}

/**
 * Puts the open tasks of a batch into a queue and takes over what workers hand back, until
 * all are done. Resolves to the exit code.
 */
export async function queueRun(
  folder: BatchFolder,
  tasks: readonly BatchTask[],
  { options, toolsetsOf }: QueueRunParts,
): Promise<number> {
  const url = checkedQueue(options.queue);
  const { openQueue } = await queueBundle();
  const began = Date.now();
  const open = new Map(tasks.filter((task) => !folder.isSettled(task)).map((task) => [task.id, task]));
  const settledBefore = tasks.length - open.size;
  let ended = 0;
  let isOver = false;
  let interrupts = 0;
  const facts = (): LiveFacts => {
    const isDraining = interrupts > 0 ? 'draining' : 'working';
    return {
      state: isOver ? 'ended' : isDraining,
      runningTasks: [],
      sums: folder.sums,
      total: tasks.length,
      settled: settledBefore + ended,
      running: 0,
      ended,
      seconds: (Date.now() - began) / 1000,
      cost: folder.spent,
    };
  };
  const view = progressView(facts, options.json === true);
  const queue = openQueue({ url, name: queueName(folder.runName) }, (problem) =>
    view.say(secrets.mask(`Redis cannot be reached (${problem}). Waiting for it.`)),
  );
  const leaving = leaveable();
  let isQueued = false;
  const interrupted = (): void => {
    interrupts += 1;
    // Before anything is in the queue there is nothing to wait for.
    if (interrupts > 1 || !isQueued) return leaving.leave();
    view.say(
      'Interrupted: tasks that run are waited for, the others leave the queue. Press Ctrl-C again to go at once.',
    );
    void queue.withdraw().catch(() => undefined);
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, interrupted);
  const batchOf = new Map(tasks.map((task, place) => [task.id, Math.floor(place / options.batchSize)]));
  const take = (handed: EndedTask): boolean => {
    const task = open.get(handed.id);
    // Another run may have put it there, or it was taken over before this run was killed.
    if (!task) return batchOf.has(handed.id);
    const result = takenOver(folder, task, batchOf.get(task.id)!, handed);
    open.delete(task.id);
    ended += 1;
    view.ended(result);
    return true;
  };
  const pulse = startPulse(
    folder.root,
    () => liveProgress(folder.runName, facts()),
    (word) => {
      if (interrupts === 0) interrupted();
      if (word === 'stop' && interrupts === 1) interrupted();
    },
  );
  // The folder is locked, so that whoever comes again from there is the same batch, after a kill.
  const owner = textHash(`${os.hostname()} ${folder.root}`);
  try {
    if (!(await leaving.unlessLeft(queue.claim(owner))))
      throw new Error(
        `Another batch uses the run name ${folder.runName} in this Redis. Wait for its end, or choose another --run-name. One that was killed gives it back after a minute.`,
      );
    let claimedAt = Date.now();
    const added = queue.add(
      [...open.values()].map((task) => ({
        id: task.id,
        data: queuedTask(task, {
          batch: batchOf.get(task.id)!,
          toolsets: [...toolsetsOf(task)],
          keepsWithoutReasoning: options.keepWithoutReasoning === true,
        }),
      })),
    );
    await leaving.unlessLeft(added);
    isQueued = true;
    let wroteAt = Date.now();
    let quietSince = Date.now();
    while (open.size > 0 && interrupts < 2) {
      if ((await leaving.unlessLeft(queue.collect(take))) > 0) quietSince = Date.now();
      if (interrupts > 0 && Date.now() - quietSince > options.taskTimeout * 1000) break;
      if (interrupts > 0 && (await leaving.unlessLeft(queue.waiting())) === 0) break;
      if (Date.now() - wroteAt > writeEveryMs) {
        folder.writeProgress();
        wroteAt = Date.now();
      }
      if (Date.now() - claimedAt > claimEveryMs) {
        await leaving.unlessLeft(queue.claim(owner));
        claimedAt = Date.now();
      }
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
    if (interrupts > 0) await leaving.unlessLeft(queue.collect(take));
  } catch (error) {
    if (!(error instanceof LeftAtOnce)) throw error;
  } finally {
    for (const signal of signals) process.off(signal, interrupted);
    view.close();
    isOver = true;
    pulse.end();
    await queue.close(leaving.isLeft());
  }
  if (interrupts > 0) return 130;
  return tasks.every((task) => folder.statusOf(task) === 'done') ? 0 : 1;
}

/** A person does not wait for the queue any more. */
class LeftAtOnce extends Error {}

/** What is waited for, until a person leaves: a Redis that cannot be reached answers never. */
function leaveable() {
  let isLeft = false;
  let leave = (): void => undefined;
  const left = new Promise<never>((_, reject) => {
    leave = () => {
      isLeft = true;
      reject(new LeftAtOnce());
    };
  });
  left.catch(() => undefined);
  return {
    leave,
    isLeft: () => isLeft,
    unlessLeft: <Answer>(answer: Promise<Answer>): Promise<Answer> => Promise.race([answer, left]),
  };
}

/** Undefined for what is no outcome: Redis may have lost it, or somebody wrote something else. */
function outcomeIn(text: string | undefined): Outcome | undefined {
  try {
    return text === undefined ? undefined : Outcome.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * What a worker handed back, as if the task had run here. Its place among the tasks
 * is known here, whatever the worker says.
 */
function takenOver(folder: BatchFolder, task: BatchTask, batch: number, handed: EndedTask): TaskResult {
  const empty = { ...emptyResult(task, batch), status: 'crashed' as const, exit_status: 'Crashed' };
  const outcome = outcomeIn(handed.outcome);
  if (outcome?.result.id !== task.id) {
    const result: TaskResult = { ...empty, reason: handed.problem ?? 'What its worker handed back cannot be read.' };
    folder.note(result);
    return result;
  }
  const { line_key, index } = empty;
  const result: TaskResult = { ...outcome.result, index, batch, line_key, log: folder.logOf(task) };
  const log = folder.at(result.log);
  makeFolder(path.dirname(log));
  writeDurably(log, [handed.log ?? '']);
  fs.mkdirSync(path.dirname(folder.outcomeFile(task)), { recursive: true });
  writeDurably(folder.outcomeFile(task), [JSON.stringify({ ...outcome, result })]);
  return folder.collect(task) ?? result;
}
