import type { BatchTask } from '../../core/batch/batchTask';
import type { UnstoredMessages } from '../../core/batch/unstoredMessages';
import type { TaskSources } from '../../adapters/batch/taskPlace';
import type { RequestGate } from '../../core/batch/requestGate';
import type { TaskProcess } from '../../adapters/batch/taskProcess';
import type { RunOptions } from '../run/runOptions';
import readline from 'node:readline';

/** The input of a task's process: one line of JSON on its stdin. When the stream ends, the parent process is dead. */
export interface TaskJob {
  readonly task: BatchTask;
  readonly batch: number;
  readonly sources: TaskSources;
  /** Same as for `waymark run`. */
  readonly options: RunOptions;
  readonly unstored: UnstoredMessages;
  readonly toolsets: readonly string[];
  /** Absolute path. */
  readonly log: string;
  /** The path of the log relative to the folder of the batch. */
  readonly logName: string;
  /** Where the outcome is written. */
  readonly outcome: string;
  /** The folder for log and outcome, if only the parent process uses it. */
  readonly ownFolder?: string;
  readonly keepsWithoutReasoning: boolean;
  /** True if the checks of the task are run. */
  readonly checks: boolean;
  /** Time limit of one check, in seconds. */
  readonly checkSeconds: number;
  /** True if checks require a sandbox, unless it is disabled for all commands. */
  readonly checksNeedSandbox: boolean;
  /** True if the process asks before each request to a model. */
  readonly asksForRequests: boolean;
}

/** A message that the process of a task prints, as one line of JSON. */
export interface TaskReport {
  /** The folder to delete with the task, reported as soon as it exists. */
  readonly beside?: string;
  readonly steps?: number;
  /** Cost so far, in US dollars. */
  readonly cost?: number;
  /** Asks to send a request; the process waits until it receives the same number. */
  readonly request?: { readonly number: number; readonly endpoint: string };
}

/** A message to the process of a task after its job: the number of a request that may be sent. */
export interface RequestPermission {
  readonly request: number;
}

/** Handles a request of a task. */
export function allowRequest(
  { request }: TaskReport,
  gate: RequestGate | undefined,
  task: Pick<TaskProcess, 'send'>,
): void {
  if (!request || !gate) return;
  const { number, endpoint } = request;
  void gate.pass(endpoint).then(() => task.send({ request: number } satisfies RequestPermission));
}

/** What a process that works for another one does with its stdin after its job. */
interface Parent {
  /** Who starts such a process, for people who start it themselves: "waymark batch". */
  readonly command: string;
  /** Called with each further line. */
  onLine?(line: string): void;
  /** Called when the stream ends: the parent process is dead, and nobody waits for the result. */
  onEnd(): void;
}

/**
 * Reads the job of a process that works for another one: a line of JSON, the first on its stdin. Rejects with an `Error`
 * with a message for people if there is none. Listening keeps no process alive.
 */
export async function jobFromParent<Job>({ command, onLine, onEnd }: Parent): Promise<Job> {
  const lines = readline.createInterface({ input: process.stdin });
  const first = await new Promise<string | undefined>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(undefined));
  });
  if (first === undefined) throw new Error(`"${command}" starts this command, which reads a task from standard input.`);
  if (onLine) lines.on('line', onLine);
  lines.once('close', onEnd);
  process.stdin.unref?.();
  return JSON.parse(first) as Job;
}
