import { tidyUp } from '../../adapters/sandbox/madePlaces';
import { emptyResult } from '../../adapters/batch/batchFolder';
import type { TaskSources } from '../../adapters/batch/taskPlace';
import { startTask, type ProcessEnd, type TaskProcess } from '../../adapters/batch/taskProcess';
import type { BatchTask } from '../../core/batch/batchTask';
import type { RunningTask } from '../../core/batch/batchProgress';
import type { RequestGate } from '../../core/batch/requestGate';
import type { TaskResult } from '../../core/batch/taskResult';
import type { UnstoredMessages } from '../../core/batch/unstoredMessages';
import type { BatchDesk, Workers } from './batchRun';
import { removeLeftovers, describeEnd, unresolvedFields, type DescribedEnd } from './taskEnd';
import { allowRequest, type TaskJob, type TaskReport } from './taskJob';

/** What tasks on this machine need. */
interface LocalParts {
  readonly model: string;
  readonly unstored: UnstoredMessages;
  readonly sources: TaskSources;
}

interface Running {
  readonly process: TaskProcess;
  /** Relative to the folder of the batch. */
  readonly log: string;
  readonly reported: { beside?: string | undefined; cost: number; steps: number };
}

/** Runs tasks in processes on this machine, a few at a time. */
export class LocalWorkers implements Workers {
  readonly #running = new Map<string, Running>();
  readonly #waiting: BatchTask[];
  readonly #gate: RequestGate | undefined;

  constructor(
    private readonly desk: BatchDesk,
    private readonly parts: LocalParts,
  ) {
    this.#waiting = [...desk.open];
    const { requestsPerMinute } = desk.options;
    this.#gate = requestsPerMinute === undefined ? undefined : localGate(requestsPerMinute);
  }

  get running(): number {
    return this.#running.size;
  }

  get runningTasks(): readonly RunningTask[] {
    return [...this.#running].map(([id, { log, reported }]) => ({
      id,
      log,
      steps: reported.steps,
      cost: reported.cost,
    }));
  }

  get words(): Workers['words'] {
    return {
      draining: `Interrupted: waiting for ${this.running} running tasks. Press Ctrl-C again to stop them.`,
      leaving: 'Stopping the running tasks. --resume starts them again.',
    };
  }

  async work(): Promise<void> {
    const workers = Math.min(this.desk.options.numWorkers, this.#waiting.length);
    try {
      await Promise.all(Array.from({ length: workers }, () => this.#workThroughQueue()));
    } finally {
      this.kill();
      // Deletes what the shells of killed tasks left behind.
      tidyUp();
    }
  }

  drain(): void {
    this.#waiting.length = 0;
  }

  stop(): void {
    for (const { process: task } of this.#running.values()) task.stop();
  }

  leave(): void {
    this.stop();
  }

  kill(): void {
    for (const { process: task } of this.#running.values()) task.kill();
  }

  async #workThroughQueue(): Promise<void> {
    for (;;) {
      const task = this.#waiting.shift();
      if (!task) return;
      await this.#workOn(task);
    }
  }

  async #workOn(task: BatchTask): Promise<void> {
    const { options, folder } = this.desk;
    const began = performance.now();
    const reported: Running['reported'] = { cost: 0, steps: 0 };
    const started = startTask({
      program: [process.argv[1]!, 'batch-task'],
      job: this.#jobOf(task),
      timeoutMs: options.taskTimeout * 1000,
      memory: options.taskMemory,
      onTold: (line) => {
        allowRequest(line as TaskReport, this.#gate, started);
        const { beside, cost, steps } = line as TaskReport;
        reported.beside ??= beside;
        reported.cost = cost ?? reported.cost;
        reported.steps = steps ?? reported.steps;
        this.desk.spent();
      },
    });
    this.#running.set(task.id, { process: started, log: folder.logOf(task), reported });
    const end = await started.ended;
    this.#running.delete(task.id);
    removeLeftovers(reported.beside, end);
    this.desk.ended(
      folder.collect(task) ?? this.#withoutOutcome(task, end, reported, Math.round(performance.now() - began) / 1000),
    );
  }

  #jobOf(task: BatchTask): TaskJob {
    const { options, folder } = this.desk;
    const { unstored, sources } = this.parts;
    const { checkSeconds } = options;
    return {
      task,
      batch: this.desk.batchOf(task.id)!,
      sources,
      options,
      unstored,
      toolsets: this.desk.toolsetsOf(task),
      log: folder.pathOf(folder.logOf(task)),
      logName: folder.logOf(task),
      outcome: folder.outcomeFile(task),
      keepsWithoutReasoning: options.keepWithoutReasoning === true,
      checks: checkSeconds !== undefined,
      checkSeconds: checkSeconds ?? 0,
      checksNeedSandbox: false,
      asksForRequests: this.#gate !== undefined,
    };
  }

  /** The result of a task whose process left no outcome: it crashed, hung, ran out of memory, or was stopped. */
  #withoutOutcome(task: BatchTask, end: ProcessEnd, reported: Running['reported'], seconds: number): TaskResult {
    const { folder } = this.desk;
    const unfinished: TaskResult = {
      ...emptyResult(task, this.desk.batchOf(task.id)!),
      steps: reported.steps,
      cost: reported.cost,
      seconds,
      model: this.parts.model,
      toolsets: [...this.desk.toolsetsOf(task)],
      log: folder.logOf(task),
    };
    const why = this.#describeEnd(end);
    const verdict = why.status === 'stopped' ? {} : unresolvedFields(task, this.desk.options);
    const result: TaskResult = { ...unfinished, ...why, ...verdict };
    folder.note(result);
    return result;
  }

  #describeEnd(end: ProcessEnd): DescribedEnd {
    if (this.desk.isStopping && !end.timedOut)
      return { status: 'stopped', exit_status: 'Stopped', reason: this.desk.draining ?? '' };
    return describeEnd(end, this.desk.options);
  }
}

/** Creates a gate that all tasks of one process and its children share. It spaces the requests to an endpoint evenly. */
function localGate(perMinute: number): RequestGate {
  const interval = 60_000 / perMinute;
  /** Earliest time of the next request to each endpoint. */
  const next = new Map<string, number>();
  return {
    pass(endpoint) {
      const now = performance.now();
      const at = Math.max(now, next.get(endpoint) ?? 0);
      next.set(endpoint, at + interval);
      return new Promise((resolve) => setTimeout(resolve, at - now));
    },
  };
}
