import type { BatchFolder } from '../../adapters/batch/batchFolder';
import { startPulse, type BatchWord } from '../../adapters/batch/batchPulse';
import type { BatchTask } from '../../core/batch/batchTask';
import { liveProgress, type BatchState, type LiveFacts, type RunningTask } from '../../core/batch/liveProgress';
import { isSettled, type TaskResult } from '../../core/batch/taskResult';
import { uncountedWords } from '../../core/model/countableCost';
import type { BatchOptions } from './batchOptions';
import { progressView, type ProgressView } from './progressView';
import { stopSignals } from './taskEnd';
import type { ExitCode } from '../output/exitCodes';

/** What workers ask the batch, and what they report to it. */
export interface BatchDesk {
  readonly folder: BatchFolder;
  readonly options: BatchOptions;
  /** The tasks that are to be done, in the order of the dataset. */
  readonly open: readonly BatchTask[];
  /** The number of the batch file that a task belongs to; undefined for a task that this batch does not have. */
  batchOf(id: string): number | undefined;
  toolsetsOf(task: BatchTask): readonly string[];
  /** Why no further task begins, in words; undefined while tasks begin. */
  readonly draining: string | undefined;
  /** Whether running tasks were asked to end. */
  readonly isStopping: boolean;
  /** A task ended, and the folder holds its result. */
  ended(result: TaskResult): void;
  /** The cost of a running task changed. */
  spent(): void;
  /** Tells a person a sentence. */
  say(words: string): void;
}

/** Who works on the tasks of a batch: processes of this machine, or workers behind a queue. */
export interface Workers {
  /** Works until every open task has ended, or until no further one begins and those that run have ended. */
  work(): Promise<void>;
  /** Begins no further task. */
  drain(): void;
  /** Asks running tasks to end; absent where they cannot be asked. */
  stop?(): void;
  /** A person does not wait for running tasks any more. */
  leave(): void;
  /** Ends them at once. */
  kill(): void;
  /** How many tasks run. */
  readonly running: number;
  /** Those of them that are known by name. */
  readonly runningTasks: readonly RunningTask[];
  /** What a person reads at the first Ctrl-C, and at the second one. */
  readonly words: { readonly draining: string; readonly leaving: string };
}

/** What a batch works with, beside its tasks. */
export interface BatchParts {
  readonly options: BatchOptions;
  toolsetsOf(task: BatchTask): readonly string[];
  /** Finds those who work on it. */
  engage(desk: BatchDesk): Workers;
}

/** One run of a batch, whoever works on it: until all tasks are done or somebody wants the end. */
export class BatchRun implements BatchDesk {
  readonly options: BatchOptions;
  readonly open: readonly BatchTask[];
  readonly #began = Date.now();
  readonly #batches = new Map<string, number>();
  readonly #view: ProgressView;
  readonly #workers: Workers;
  #ended = 0;
  /** Also those of earlier runs. */
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
    this.#view = progressView(() => this.#facts(), this.options.json === true);
  }

  get seconds(): number {
    return (Date.now() - this.#began) / 1000;
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
    // Tasks that were stopped say nothing of how fast the batch comes on.
    if (isSettled(result)) {
      this.#ended += 1;
      this.#settled += 1;
    }
    this.#view.ended(result);
    this.#tellUncounted(result);
    this.spent();
    this.folder.writeProgressSometimes();
  }

  /** Once: the limit of the batch would otherwise seem to hold. */
  #tellUncounted({ cost, steps, model }: TaskResult): void {
    if (this.options.batchMaxCost === undefined || cost !== null || steps === 0 || this.#hasToldUncounted) return;
    this.#hasToldUncounted = true;
    this.#view.say(`${uncountedWords(model, this.options.batchMaxCost)} Tasks with this model do not count toward it.`);
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

  /** `why`: for the rows of tasks that are stopped; `words`: for the person who watches. */
  #drain(why: string, words: string): void {
    this.#view.say(words);
    if (this.#draining !== undefined) return;
    this.#draining = why;
    this.#workers.drain();
  }

  /** Once: no further task begins. Twice: nobody waits for running ones. Three times: they end at once. */
  #interrupt(): void {
    this.#interrupts += 1;
    const { words } = this.#workers;
    if (this.#interrupts === 1) return this.#drain('The batch was stopped.', words.draining);
    if (this.#interrupts > 2) return this.#workers.kill();
    this.#view.say(words.leaving);
    this.#isStopping = true;
    this.#workers.leave();
  }

  /** A message to the batch from a window or another program. */
  #heed(word: BatchWord): void {
    if (this.#interrupts === 0) this.#interrupt();
    if (word === 'stop' && this.#interrupts === 1) this.#interrupt();
  }

  get #state(): BatchState {
    if (this.#hasEnded) return 'ended';
    if (this.#isStopping) return 'stopping';
    return this.#draining === undefined ? 'working' : 'draining';
  }

  /** US dollars, also of tasks that still run. */
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
