import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { emptyResult, TaskOutcome, textHash } from '../../adapters/batch/batchFolder';
import type { QueueAddress } from '../../adapters/queue/redisConnection';
import type { EndedTask, TaskQueue } from '../../adapters/queue/taskQueue';
import { makeFolder, writeDurably } from '../../adapters/storage/durableFile';
import type { BatchTask } from '../../core/batch/batchTask';
import { queuedTask } from '../../core/batch/queuedTask';
import type { TaskResult } from '../../core/batch/taskResult';
import { secrets } from '../../core/secrets/secrets';
import type { BatchDesk, Workers } from './batchRun';
import { queueAddress, queueBundle, queueName } from './queueBundle';
import { unresolvedFields } from './taskEnd';

const pollMs = 250;
const countEveryMs = 1000;
const claimEveryMs = 10_000;

/**
 * Puts tasks into a queue, from which workers on any machine take them, and merges the results that the workers return.
 */
export class QueueWorkers implements Workers {
  readonly #open: Map<string, BatchTask>;
  readonly #address: QueueAddress;
  readonly #leaving = waitThatCanBeLeft();
  /** True if tasks are in the queue, so that there is something to wait for. */
  #isQueued = false;
  #queue: TaskQueue | undefined;
  running = 0;
  /** Workers do not report their progress. */
  readonly runningTasks = [];
  readonly words = {
    draining: 'Interrupted: waiting for running tasks; the others leave the queue. Press Ctrl-C again to exit at once.',
    leaving: 'Workers continue the tasks that they started. --resume collects the results.',
  };

  /** `address`: as typed. Throws an `Error` with a message for people if it is not the address of a queue. */
  constructor(
    private readonly desk: BatchDesk,
    address: string,
  ) {
    this.#address = queueAddress(address, desk.options);
    this.#open = new Map(desk.open.map((task) => [task.id, task]));
  }

  async work(): Promise<void> {
    const { folder } = this.desk;
    const { openQueue, refusedByRedis } = await queueBundle();
    const lost = (problem: string): void =>
      this.desk.say(secrets.mask(`Redis cannot be reached (${problem}). Waiting for it.`));
    const refused = await this.#leaving.unlessLeft(refusedByRedis(this.#address));
    if (refused !== undefined) throw new Error(refused);
    const queue = openQueue({ ...this.#address, name: queueName(folder.runName) }, lost);
    this.#queue = queue;
    try {
      await this.#collectAll(queue);
    } catch (error) {
      if (!(error instanceof LeftAtOnce)) throw error;
    } finally {
      await this.#close(queue);
    }
  }

  drain(): void {
    // Before anything is in the queue, there is nothing to wait for.
    if (!this.#isQueued) return this.#leaving.leave();
    void this.#queue?.withdraw().catch(() => undefined);
  }

  leave(): void {
    this.#leaving.leave();
  }

  kill(): void {
    this.#leaving.leave();
  }

  async #collectAll(queue: TaskQueue): Promise<void> {
    const { options } = this.desk;
    const { unlessLeft } = this.#leaving;
    const isClaimed = this.#claims(queue);
    if (!(await isClaimed()))
      throw new Error(
        `Another batch uses the run name ${this.desk.folder.runName} in this Redis. Wait until it ends, or choose another --run-name. The name of a killed batch is free after a minute.`,
      );
    await unlessLeft(queue.add([...this.#open.values()].map((task) => ({ id: task.id, data: this.#queued(task) }))));
    this.#isQueued = true;
    let quietSince = performance.now();
    let countedAt = -Infinity;
    while (this.#open.size > 0) {
      if ((await unlessLeft(queue.collect((handed) => this.#take(handed)))) > 0) quietSince = performance.now();
      if (this.desk.draining !== undefined) {
        const isTooLong = performance.now() - quietSince > options.taskTimeout * 1000;
        if (isTooLong || (await unlessLeft(queue.waiting())) === 0) break;
      }
      if (performance.now() - countedAt > countEveryMs) {
        this.running = await unlessLeft(queue.active());
        countedAt = performance.now();
      }
      await isClaimed();
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    this.running = 0;
    if (this.desk.draining !== undefined) await unlessLeft(queue.collect((handed) => this.#take(handed)));
    await unlessLeft(queue.release(this.#owner));
  }

  /**
   * Identifies this batch by its folder. The folder is locked, so a later process with the same folder is the same
   * batch, for example after a kill.
   */
  get #owner(): string {
    return textHash(`${os.hostname()} ${this.desk.folder.root}`);
  }

  /** Returns a function that claims the queue for this batch, and renews the claim from time to time. */
  #claims(queue: TaskQueue): () => Promise<boolean> {
    let claimedAt = -Infinity;
    return async () => {
      if (performance.now() - claimedAt < claimEveryMs) return true;
      const isOurs = await this.#leaving.unlessLeft(queue.claim(this.#owner));
      claimedAt = performance.now();
      return isOurs;
    };
  }

  #queued(task: BatchTask): unknown {
    const { options } = this.desk;
    return queuedTask(task, {
      batch: this.desk.batchOf(task.id)!,
      toolsets: [...this.desk.toolsetsOf(task)],
      keepsWithoutReasoning: options.keepWithoutReasoning === true,
      ...(options.checkSeconds !== undefined && { checkSeconds: options.checkSeconds }),
    });
  }

  #take(handed: EndedTask): boolean {
    const task = this.#open.get(handed.id);
    const batch = this.desk.batchOf(handed.id);
    // Another run may have queued it, or it was merged before this run was killed.
    if (!task || batch === undefined) return batch !== undefined;
    const result = takenOver(this.desk, task, batch, handed);
    this.#open.delete(task.id);
    // The number of running tasks was counted a moment ago.
    this.running = Math.min(this.running, this.#open.size);
    this.desk.ended(result);
    return true;
  }

  async #close(queue: TaskQueue): Promise<void> {
    const { isLeft, unlessLeft } = this.#leaving;
    if (isLeft()) return queue.abandon();
    try {
      await unlessLeft(queue.close());
    } catch (error) {
      if (!(error instanceof LeftAtOnce)) throw error;
      queue.abandon();
    }
  }
}

/** The user stopped waiting for the queue. */
class LeftAtOnce extends Error {}

/** Lets the user abort waiting: an unreachable Redis never answers. */
function waitThatCanBeLeft() {
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

/** Returns undefined for an invalid outcome: Redis may have lost it, or somebody wrote something else. */
function outcomeIn(text: string | undefined): TaskOutcome | undefined {
  try {
    return text === undefined ? undefined : TaskOutcome.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * Merges the result from a worker as if the task had run here. The position of the task is known here, regardless of
 * what the worker says.
 */
function takenOver({ folder, options }: BatchDesk, task: BatchTask, batch: number, handed: EndedTask): TaskResult {
  const empty = { ...emptyResult(task, batch), status: 'crashed' as const, exit_status: 'Crashed' };
  const outcome = outcomeIn(handed.outcome);
  if (outcome?.result.id !== task.id) {
    const reason = handed.problem ?? 'The result from its worker cannot be read.';
    const result: TaskResult = { ...empty, reason, ...unresolvedFields(task, options) };
    folder.note(result);
    return result;
  }
  const { line_key, index } = empty;
  const result: TaskResult = { ...outcome.result, index, batch, line_key, log: folder.logOf(task) };
  const log = folder.pathOf(result.log);
  makeFolder(path.dirname(log));
  writeDurably(log, [handed.log ?? '']);
  fs.mkdirSync(path.dirname(folder.outcomeFile(task)), { recursive: true });
  writeDurably(folder.outcomeFile(task), [JSON.stringify({ ...outcome, result })]);
  return folder.collect(task) ?? result;
}
