import { tidyUp } from '../../adapters/sandbox/madePlaces';
import { emptyResult, type BatchFolder } from '../../adapters/batch/batchFolder';
import { startPulse, type BatchWord } from '../../adapters/batch/batchPulse';
import { localGate } from '../../adapters/batch/localGate';
import type { RequestGate } from '../../core/batch/requestGate';
import type { TaskSources } from '../../adapters/batch/taskPlace';
import { startTask, type ProcessEnd, type TaskProcess } from '../../adapters/batch/taskProcess';
import type { BatchTask } from '../../core/batch/batchTask';
import { liveProgress, type BatchState, type LiveFacts } from '../../core/batch/liveProgress';
import { isSettled, type TaskResult } from '../../core/batch/taskResult';
import type { UnstoredMessages } from '../../core/batch/unstoredMessages';
import type { BatchOptions } from './batchOptions';
import { progressView, type ProgressView } from './progressView';
import { leaveNothing, stopSignals, toldEnd, type ToldEnd } from './taskEnd';
import { allowRequest, type TaskJob, type TaskTold } from './taskJob';

/** What a batch works with, beside its tasks. */
export interface BatchParts {
  readonly model: string;
  readonly unstored: UnstoredMessages;
  readonly options: BatchOptions;
  readonly sources: TaskSources;
  toolsetsOf(task: BatchTask): readonly string[];
}

interface Running {
  readonly process: TaskProcess;
  /** Relative to the folder of the batch. */
  readonly log: string;
  readonly told: { beside?: string | undefined; cost: number; steps: number };
}

/** One run of a batch: its tasks, a few at a time, until all are done or somebody wants the end. */
export class BatchRun {
  readonly #began = Date.now();
  readonly #running = new Map<string, Running>();
  readonly #batchOf = new Map<string, number>();
  readonly #open: BatchTask[];
  readonly #view: ProgressView;
  readonly #gate: RequestGate | undefined;
  #ended = 0;
  /** Also those of earlier runs. */
  #settled = 0;
  /** Why no further task begins, in words; absent while tasks begin. */
  #draining: string | undefined;
  #interrupts = 0;
  #hasEnded = false;

  constructor(
    private readonly folder: BatchFolder,
    private readonly tasks: readonly BatchTask[],
    private readonly parts: BatchParts,
  ) {
    for (const [place, task] of tasks.entries())
      this.#batchOf.set(task.id, Math.floor(place / parts.options.batchSize));
    this.#open = tasks.filter((task) => !folder.isSettled(task));
    this.#settled = tasks.length - this.#open.length;
    for (const task of tasks) if (folder.isSettled(task)) folder.skipped(this.#batchOf.get(task.id)!);
    const { requestsPerMinute } = parts.options;
    this.#gate = requestsPerMinute === undefined ? undefined : localGate(requestsPerMinute);
    this.#view = progressView(() => this.#facts(), parts.options.json === true);
  }

  get seconds(): number {
    return (Date.now() - this.#began) / 1000;
  }

  /** Resolves to the exit code. */
  async work(): Promise<number> {
    const interrupted = (): void => this.#interrupt();
    for (const signal of stopSignals) process.on(signal, interrupted);
    const { root, runName } = this.folder;
    const pulse = startPulse(
      root,
      () => liveProgress(runName, this.#facts()),
      (word) => this.#heed(word),
    );
    try {
      const workers = Math.min(this.parts.options.numWorkers, this.#open.length);
      await Promise.all(Array.from({ length: workers }, () => this.#inTurn()));
    } finally {
      for (const signal of stopSignals) process.off(signal, interrupted);
      for (const { process: task } of this.#running.values()) task.kill();
      this.#view.close();
      this.#hasEnded = true;
      pulse.end();
      // Takes away what the shells of killed tasks left.
      tidyUp();
    }
    if (this.#interrupts > 0) return 130;
    const isDone = this.tasks.every((task) => this.folder.statusOf(task) === 'done');
    return isDone ? 0 : 1;
  }

  async #inTurn(): Promise<void> {
    while (this.#draining === undefined) {
      const task = this.#open.shift();
      if (!task) return;
      await this.#workOn(task);
    }
  }

  async #workOn(task: BatchTask): Promise<void> {
    const { options } = this.parts;
    const began = Date.now();
    const told: Running['told'] = { cost: 0, steps: 0 };
    const started = startTask({
      program: [process.argv[1]!, 'batch-task'],
      job: this.#jobOf(task),
      timeoutMs: options.taskTimeout * 1000,
      memory: options.taskMemory,
      onTold: (line) => {
        allowRequest(line as TaskTold, this.#gate, started);
        const { beside, cost, steps } = line as TaskTold;
        told.beside ??= beside;
        told.cost = cost ?? told.cost;
        told.steps = steps ?? told.steps;
        this.#mindBudget();
      },
    });
    this.#running.set(task.id, { process: started, log: this.folder.logOf(task), told });
    const end = await started.ended;
    this.#running.delete(task.id);
    leaveNothing(told.beside, end);
    const result = this.folder.collect(task) ?? this.#withoutOutcome(task, end, told, (Date.now() - began) / 1000);
    this.#ended += 1;
    if (isSettled(result)) this.#settled += 1;
    this.#view.ended(result);
    this.#mindBudget();
    this.folder.writeProgressSometimes();
  }

  #jobOf(task: BatchTask): TaskJob {
    const { options, unstored, sources } = this.parts;
    const { checkSeconds } = options;
    return {
      task,
      batch: this.#batchOf.get(task.id)!,
      sources,
      options,
      unstored,
      toolsets: this.parts.toolsetsOf(task),
      log: this.folder.at(this.folder.logOf(task)),
      logName: this.folder.logOf(task),
      outcome: this.folder.outcomeFile(task),
      keepsWithoutReasoning: options.keepWithoutReasoning === true,
      checks: checkSeconds !== undefined,
      checkSeconds: checkSeconds ?? 0,
      asksForRequests: this.#gate !== undefined,
    };
  }

  /** The row of a task whose process left nothing: it crashed, hung, needed too much memory, or was stopped. */
  #withoutOutcome(task: BatchTask, end: ProcessEnd, told: Running['told'], seconds: number): TaskResult {
    const known: TaskResult = {
      ...emptyResult(task, this.#batchOf.get(task.id)!),
      steps: told.steps,
      cost: told.cost,
      seconds,
      model: this.parts.model,
      toolsets: [...this.parts.toolsetsOf(task)],
      log: this.folder.logOf(task),
    };
    const result: TaskResult = { ...known, ...this.#why(end) };
    this.folder.note(result);
    return result;
  }

  #why(end: ProcessEnd): ToldEnd {
    if (this.#isStopping && !end.timedOut)
      return { status: 'stopped', exit_status: 'Stopped', reason: this.#draining ?? '' };
    return toldEnd(end, this.parts.options);
  }

  /** Whether running tasks were asked to end. */
  get #isStopping(): boolean {
    return this.#interrupts > 1 || this.#isOverBudget;
  }

  #isOverBudget = false;

  #mindBudget(): void {
    const { batchMaxCost } = this.parts.options;
    if (batchMaxCost === undefined || this.#isOverBudget || this.#cost() < batchMaxCost) return;
    this.#isOverBudget = true;
    this.#drain(`The tasks have cost $${this.#cost().toFixed(2)}, and --batch-max-cost is $${batchMaxCost}.`);
    for (const { process: task } of this.#running.values()) task.stop();
  }

  #drain(why: string): void {
    this.#draining ??= why;
    this.#view.say(why);
  }

  /** Once: no further task begins. Twice: running ones end too. Three times: at once. */
  #interrupt(): void {
    this.#interrupts += 1;
    if (this.#interrupts === 1)
      this.#drain(
        `Interrupted: ${this.#running.size} running tasks come to their end. Press Ctrl-C again to stop them.`,
      );
    else if (this.#interrupts === 2) {
      this.#view.say('Running tasks are stopped. --resume begins them again.');
      for (const { process: task } of this.#running.values()) task.stop();
    } else for (const { process: task } of this.#running.values()) task.kill();
  }

  /** What a window, or another program, tells the batch. */
  #heed(word: BatchWord): void {
    if (this.#interrupts === 0) this.#interrupt();
    if (word === 'stop' && this.#interrupts === 1) this.#interrupt();
  }

  get #state(): BatchState {
    if (this.#hasEnded) return 'ended';
    if (this.#isStopping) return 'stopping';
    return this.#draining === undefined ? 'working' : 'draining';
  }

  #cost(): number {
    let cost = this.folder.spent;
    for (const { told } of this.#running.values()) cost += told.cost;
    return cost;
  }

  #facts(): LiveFacts {
    return {
      state: this.#state,
      runningTasks: [...this.#running].map(([id, { log, told }]) => ({
        id,
        log,
        steps: told.steps,
        cost: told.cost,
      })),
      sums: this.folder.sums,
      total: this.tasks.length,
      settled: this.#settled,
      running: this.#running.size,
      ended: this.#ended,
      seconds: this.seconds,
      cost: this.#cost(),
    };
  }
}
