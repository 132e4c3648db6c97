import type { BatchTask } from '../../core/batch/batchTask';
import type { UnstoredMessages } from '../../core/batch/unstoredMessages';
import type { TaskSources } from '../../adapters/batch/taskPlace';
import type { RequestGate } from '../../core/batch/requestGate';
import type { TaskProcess } from '../../adapters/batch/taskProcess';
import type { RunOptions } from '../run/runOptions';

/**
 * The input of a task's process: one line of JSON on its stdin. The end of the stream means that the process that
 * started it is gone.
 */
export interface TaskJob {
  readonly task: BatchTask;
  readonly batch: number;
  readonly sources: TaskSources;
  /** As for `waymark run`. */
  readonly options: RunOptions;
  readonly unstored: UnstoredMessages;
  readonly toolsets: readonly string[];
  /** Absolute. */
  readonly log: string;
  /** The same, relative to the folder of the batch. */
  readonly logName: string;
  /** Where the outcome is left. */
  readonly outcome: string;
  /** The folder for log and outcome, if they are only for the process that started it. */
  readonly ownFolder?: string;
  readonly keepsWithoutReasoning: boolean;
  /** Whether the checks of the task are run. */
  readonly checks: boolean;
  /** Of one check. */
  readonly checkSeconds: number;
  /** Whether checks do not run where there is no sandbox, unless it was switched off for all. */
  readonly checksNeedSandbox: boolean;
  /** Whether it asks before each request to a model. */
  readonly asksForRequests: boolean;
}

/** What the process of a task prints, a JSON object on each line. */
export interface TaskTold {
  /** The folder that goes with the task, told as soon as it is there. */
  readonly beside?: string;
  readonly steps?: number;
  /** US dollars so far. */
  readonly cost?: number;
  /** It wants to send a request, and waits until it is told the same number. */
  readonly request?: { readonly number: number; readonly endpoint: string };
}

/** What the process of a task is told after its job: the number of a request that may be sent. */
export interface TaskAllowed {
  readonly request: number;
}

/** Answers what a task asks for. */
export function allowRequest(
  { request }: TaskTold,
  gate: RequestGate | undefined,
  task: Pick<TaskProcess, 'tell'>,
): void {
  if (!request || !gate) return;
  const { number, endpoint } = request;
  void gate.pass(endpoint).then(() => task.tell({ request: number } satisfies TaskAllowed));
}
