import type { BatchFolder } from '../../adapters/batch/batchFolder';
import { startPulse, type BatchWord } from '../../adapters/batch/batchPulse';
import type { BatchTask } from '../../core/batch/batchTask';
import { liveProgress, type BatchState, type LiveFacts, type RunningTask } from '../../core/batch/batchProgress';
import { isSettled, type TaskResult } from '../../core/batch/taskResult';
import { uncountableCostWords } from '../../core/model/prices';
import type { BatchOptions } from './batchOptions';
import { progressView, type ProgressView } from './progressView';
import { stopSignals } from './taskEnd';
import type { ExitCode } from '../output/exitCodes';

/** What workers need from the batch, and what they report to it. */
export interface BatchDesk {
  readonly folder: BatchFolder;
  readonly options: BatchOptions;
  /** The unfinished tasks, in the order of the dataset. */
  readonly open: readonly BatchTask[];
  /** Returns the number of the batch file of a task, or undefined if the task is not in this batch. */
  batchOf(id: string): number | undefined;
  toolsetsOf(task: BatchTask): readonly string[];
  /** Why no further tasks are started, as a message; undefined while tasks are started. */
  readonly draining: string | undefined;
  /** True if running tasks were asked to end. */
  readonly isStopping: boolean;
  /** Reports that a task ended and that the folder has its result. */
  ended(result: TaskResult): void;
  /** Reports that the cost of a running task changed. */
  spent(): void;
  /** Shows a sentence to the user. */
  say(words: string): void;
}

/** Runs the tasks of a batch: processes on this machine, or workers of a queue. */
export interface Workers {
  /** Resolves when every open task has ended, or after a drain when the running tasks have ended. */
  work(): Promise<void>;
  /** Starts no further tasks. */
  drain(): void;
  /** Asks running tasks to end; absent if that is impossible. */
  stop?(): void;
  /** Called when the user does not want to wait for running tasks. */
  leave(): void;
  /** Kills running tasks. */
  kill(): void;
  /** Number of running tasks. */
  readonly running: number;
  /** The running tasks that are known by name. */
  readonly runningTasks: readonly RunningTask[];
  /** Messages for the first and the second Ctrl-C. */
  readonly words: { readonly draining: string; readonly leaving: string };
}

/** What a batch needs besides its tasks. */
interface BatchParts {
  readonly options: BatchOptions;
  toolsetsOf(task: BatchTask): readonly string[];
  /** Creates the workers. */
  engage(desk: BatchDesk): Workers;
}

/** One run of a batch with any kind of workers, until all tasks are done or the user ends it. */
export class BatchRun implements BatchDesk {
  readonly options: BatchOptions;
  readonly open: readonly BatchTask[];
  readonly #began = performance.now();
  readonly #batches = new Map<string, number>();
  readonly #view: ProgressView;
  readonly #workers: Workers;
  #ended = 0;
  /** Number of settled tasks, including earlier runs. */
  #settled: number;
  #draining: string | undefined;
  #isStopping = false;
  #isOverBudget = false;
  #hasToldUncounted = false;
  #interrupts = 0;
  #hasEnded = false;

  constructor(
    readonly folder: BatchFolder,
    private readonly tasks: readonly BatchTask[],
    private readonly parts: BatchParts,
  ) {
    this.options = parts.options;
    for (const [place, task] of tasks.entries()) this.#batches.set(task.id, Math.floor(place / this.options.batchSize));
    this.open = tasks.filter((task) => !folder.isSettled(task));
    this.#settled = tasks.length - this.open.length;
    for (const task of tasks) if (folder.isSettled(task)) folder.skipped(this.#batches.get(task.id)!);
    this.#workers = parts.engage(this);
    this.#view = progressView(() => this.#facts(), { json: this.options.json === true });
  }

  get seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }

  get draining(): string | undefined {
    return this.#draining;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  batchOf(id: string): number | undefined {
    return this.#batches.get(id);
  }

  toolsetsOf(task: BatchTask): readonly string[] {
    return this.parts.toolsetsOf(task);
  }

  say(words: string): void {
    this.#view.say(words);
  }

  ended(result: TaskResult): void {
    // Stopped tasks are left out of the estimate of the remaining time.
    if (isSettled(result)) {
      this.#ended += 1;
      this.#settled += 1;
    }
    this.#view.ended(result);
    this.#tellUncounted(result);
    this.spent();
    this.folder.writeProgressSometimes();
  }

  /** Warns once that tasks with unknown cost do not count toward the cost limit of the batch. */
  #tellUncounted({ cost, steps, model }: TaskResult): void {
    if (this.options.batchMaxCost === undefined || cost !== null || steps === 0 || this.#hasToldUncounted) return;
    this.#hasToldUncounted = true;
    this.#view.say(
      `${uncountableCostWords(model, this.options.batchMaxCost)} Tasks with this model do not count toward it.`,
    );
  }

  spent(): void {
    const { batchMaxCost } = this.options;
    if (batchMaxCost === undefined || this.#isOverBudget || this.#cost() < batchMaxCost) return;
    this.#isOverBudget = true;
    const why = `The tasks have cost $${this.#cost().toFixed(2)}, and --batch-max-cost is $${batchMaxCost}.`;
    this.#drain(why, why);
    if (!this.#workers.stop) return;
    this.#isStopping = true;
    this.#workers.stop();
  }

  /** Resolves to the exit code. */
  async work(): Promise<ExitCode<'batch'>> {
    const interrupted = (): void => this.#interrupt();
    for (const signal of stopSignals) process.on(signal, interrupted);
    const { root, runName } = this.folder;
    const pulse = startPulse(
      root,
      () => liveProgress(runName, this.#facts()),
      (word) => this.#heed(word),
    );
    try {
      await this.#workers.work();
    } finally {
      for (const signal of stopSignals) process.off(signal, interrupted);
      this.#view.close();
      this.#hasEnded = true;
      pulse.end();
    }
    if (this.#interrupts > 0) return 130;
    const isDone = this.tasks.every((task) => this.folder.statusOf(task) === 'done');
    return isDone ? 0 : 1;
  }

  /** `why`: recorded in the results of stopped tasks; `words`: shown to the user. */
  #drain(why: string, words: string): void {
    this.#view.say(words);
    if (this.#draining !== undefined) return;
    this.#draining = why;
    this.#workers.drain();
  }

  /** First call: no further task starts. Second: running tasks are not awaited. Third: they are killed. */
  #interrupt(): void {
    this.#interrupts += 1;
    const { words } = this.#workers;
    if (this.#interrupts === 1) return this.#drain('The batch was stopped.', words.draining);
    if (this.#interrupts > 2) return this.#workers.kill();
    this.#view.say(words.leaving);
    this.#isStopping = true;
    this.#workers.leave();
  }

  /** Handles a message to the batch from a window or another program. */
  #heed(word: BatchWord): void {
    if (this.#interrupts === 0) this.#interrupt();
    if (word === 'stop' && this.#interrupts === 1) this.#interrupt();
  }

  get #state(): BatchState {
    if (this.#hasEnded) return 'ended';
    if (this.#isStopping) return 'stopping';
    return this.#draining === undefined ? 'working' : 'draining';
  }

  /** Cost in US dollars, including running tasks. */
  #cost(): number {
    return this.#workers.runningTasks.reduce((sum, { cost }) => sum + cost, this.folder.spent);
  }

  #facts(): LiveFacts {
    const { running, runningTasks } = this.#workers;
    return {
      state: this.#state,
      runningTasks,
      sums: this.folder.sums,
      total: this.tasks.length,
      settled: this.#settled,
      running,
      ended: this.#ended,
      seconds: this.seconds,
      cost: this.#cost(),
    };
  }
}
