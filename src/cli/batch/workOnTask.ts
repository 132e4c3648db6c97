import fs from 'node:fs';
import path from 'node:path';
import { emptyResult, type TaskOutcome } from '../../adapters/batch/batchFolder';
import { runChecks } from '../../adapters/batch/runChecks';
import { allowedPlace, taskPlace, type TaskCopy } from '../../adapters/batch/taskPlace';
import { removeTemporary } from '../../adapters/sandbox/madePlaces';
import { makeFolder, writeDurably } from '../../adapters/storage/durableFile';
import { isLocked } from '../../adapters/storage/fileLock';
import { readEventLog } from '../../adapters/log/eventLog';
import { discardedBecause, taskOutcome } from '../../core/batch/taskOutcome';
import type { TaskResult } from '../../core/batch/taskResult';
import { settingsOf } from '../../core/log/runSettings';
import { profileNamed } from '../../core/profiles/profiles';
import { secrets } from '../../core/secrets/secrets';
import { trajectoryLine } from '../../core/batch/trajectoryLine';
import type { ContainerSettings } from '../../core/ports/containerSettings';
import { withUnstoredMessages } from '../../core/batch/unstoredMessages';
import type { Event } from '../../protocol/events/event';
import { stdout } from '../output/output';
import { containerFor } from '../run/designOptions';
import { run } from '../run/run';
import type { RunOptions } from '../run/runOptions';
import { stopSignals } from './taskEnd';
import { type RequestPermission, type TaskJob, type TaskReport, jobFromParent } from './taskJob';

const sendReport = (report: TaskReport): void => stdout.write(`${JSON.stringify(report)}\n`);

/**
 * The process of one task: reads its job from stdin, works in its own copy, and writes its outcome atomically to a
 * file. Resolves to 0 if it wrote one.
 */
export async function workOnTask(): Promise<number> {
  const wish = new StopRequest();
  const requests = new RequestsAllowed();
  const job = await jobFromParent<TaskJob>({
    command: 'waymark batch',
    onLine: (line) => requests.receive(line),
    // Nobody waits for the result, so this also means stop.
    onEnd() {
      wish.isOrphan = true;
      process.emit('SIGTERM', 'SIGTERM');
    },
  });
  try {
    await writeOutcome({ job, wish, requests });
  } finally {
    // The next process may have removed the folder already, and the last events of this one may have recreated it.
    if (wish.isOrphan && job.ownFolder !== undefined) removeTemporary(job.ownFolder);
  }
  return 0;
}

async function writeOutcome(task: TaskAtWork): Promise<void> {
  const { job, wish } = task;
  const began = performance.now();
  makeFolder(path.dirname(job.outcome));
  const outcome = await outcomeOf(task, began);
  if (outcome === undefined) return;
  const { status } = outcome.result;
  // The task was asked to end: it is not done and will be redone.
  const isDoneAgain = (status === 'stopped' && wish.isThere) || (status === 'failed' && wish.isOrphan);
  if (!isDoneAgain) writeDurably(job.outcome, [JSON.stringify(outcome)]);
}

/** A task, and what its process receives while it runs. */
interface TaskAtWork {
  readonly job: TaskJob;
  readonly wish: StopRequest;
  readonly requests: RequestsAllowed;
}

/** Whether this process was asked to end. */
class StopRequest {
  isThere = false;
  /** True if the parent process is dead: then nobody reads the results. */
  isOrphan = false;
  readonly #stopping = new AbortController();
  #isUnheard = false;

  /** Aborted when this process is asked to end. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  constructor() {
    for (const signal of stopSignals)
      process.on(signal, () => {
        this.isThere = true;
        this.#stopping.abort(new Error('The run was stopped before its checks finished.'));
        this.#isUnheard = process.listenerCount(signal) === 1;
      });
  }

  /** Repeats an earlier request for the run, which handles signals from before its first event. */
  hearAgain(): void {
    if (!this.#isUnheard) return;
    this.#isUnheard = false;
    process.emit('SIGTERM', 'SIGTERM');
  }
}

/** Model requests that wait for permission from the parent process, by number. */
class RequestsAllowed {
  readonly #waiting = new Map<number, () => void>();
  #asked = 0;

  receive(line: string): void {
    const { request } = JSON.parse(line) as RequestPermission;
    this.#waiting.get(request)?.();
    this.#waiting.delete(request);
  }

  /** Asks for one more request. Rejects if the run is stopped while it waits. */
  request(endpoint: string, signal: AbortSignal): Promise<void> {
    this.#asked += 1;
    const number = this.#asked;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.delete(number);
        reject(signal.reason as Error);
      };
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.set(number, () => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
      sendReport({ request: { number, endpoint } });
    });
  }
}

/** Returns undefined if the process was asked to end before the task began. */
async function outcomeOf(task: TaskAtWork, began: number): Promise<TaskOutcome | undefined> {
  const { job, wish } = task;
  const seconds = (): number => Math.round(performance.now() - began) / 1000;
  const empty: TaskResult = { ...emptyResult(job.task, job.batch), toolsets: [...job.toolsets] };
  const notBegun = (reason: string): TaskOutcome => ({
    result: { ...empty, status: 'invalid', exit_status: 'Invalid', reason: secrets.mask(reason), seconds: seconds() },
  });
  let place: TaskCopy;
  try {
    place = await taskPlace(job.task, job.sources, containerOf(job));
  } catch (error) {
    return notBegun((error as Error).message);
  }
  sendReport({ beside: place.parent });
  try {
    const unagreed = whatNobodyAgreedTo(job, place);
    if (unagreed !== undefined) return notBegun(unagreed);
    await untilFree(job.log, wish);
    // From here on, the log may belong to another process that runs this task instead.
    if (wish.isThere) return undefined;
    const problem = await runTask(task, place);
    const history = readEventLog(job.log).events;
    if (problem !== undefined && history.length === 0) return notBegun(problem);
    const result: TaskResult = {
      ...empty,
      ...taskOutcome(history),
      ...(problem !== undefined && { status: 'failed', reason: problem }),
      log: job.logName,
      seconds: seconds(),
      finished_at: new Date().toISOString(),
      patch: await patchOf(history, place),
    };
    // Checks need the unchanged patch; the stored copy contains no secrets.
    const isChecked = job.checks && job.task.checks && result.status !== 'stopped';
    const checked = isChecked ? { ...result, ...(await runTaskChecks(task, result)) } : result;
    return withTrajectory(history, { ...checked, ...withoutSecrets(checked) }, job);
  } finally {
    await place.remove();
  }
}

/** Returns the outcome of a task that has run, with its line of training data unless that is discarded. */
function withTrajectory(history: readonly Event[], result: TaskResult, job: TaskJob): TaskOutcome {
  const hasReplies = history.some(({ type }) => type === 'agent_response');
  if (!hasReplies || result.status === 'stopped') return { result };
  const discarded = discardedBecause(result, { keepsWithoutReasoning: job.keepsWithoutReasoning });
  const kept: TaskResult = { ...result, saved: discarded !== 'no_reasoning', ...(discarded && { discarded }) };
  if (!kept.saved) return { result: kept };
  const id = job.task.named ? job.task.id : undefined;
  return { result: kept, line: trajectoryLine(history, kept, Date.now(), id) };
}

/** The container of a task, with the image that the task names, otherwise the image for all tasks. */
const containerOf = ({ task, options }: TaskJob): ContainerSettings | undefined =>
  containerFor(options, task.image ?? options.image ?? task.usualImage);

/** The texts of a result that may contain known secrets. */
function withoutSecrets({ patch, reason }: TaskResult): Pick<TaskResult, 'patch' | 'reason'> {
  const masked = secrets.mask(patch);
  const note = masked === patch ? '' : 'Its patch contained secrets. They are masked, so it may not apply.';
  const words = [secrets.mask(reason), note].filter((each) => each !== '').join(' ');
  return { patch: masked, reason: words };
}

/**
 * Returns why a task is refused although what a folder brings was approved in advance: the task's own files, which come
 * from the dataset or the queue, bring something. Returns undefined if it may run.
 */
function whatNobodyAgreedTo({ options, task }: TaskJob, { obeyed }: TaskCopy): string | undefined {
  const { agree = [], hooks, allowMcp, containerCwd } = options;
  if (agree.length === 0 && hooks !== true && allowMcp !== true) return undefined;
  if (containerCwd !== undefined && task.image !== undefined)
    return `Its folder comes from the image ${task.image}, which the dataset names, and nobody approved its contents: --agree applies to folders of this machine only. Remove --agree or --container-cwd.`;
  if (obeyed.length === 0) return undefined;
  return `Its files write ${obeyed.join(', ')}, which agents and other programs obey, and nobody approved them: --agree applies to the contents of folders only. Remove --agree or these files.`;
}

/** Runs the checks. A run that did not finish is checked too: its work may be complete. */
async function runTaskChecks(
  { job, wish: { signal } }: TaskAtWork,
  { patch, reason }: TaskResult,
): Promise<Partial<TaskResult>> {
  const { task, sources, options, checkSeconds, checksNeedSandbox } = job;
  const { sandbox: wanted, sandboxLimits } = options.settings;
  const sandbox = checksNeedSandbox && wanted !== 'off' ? 'on' : wanted;
  const timeoutMs = checkSeconds * 1000;
  try {
    const container = containerOf(job);
    const verdict = await runChecks(task, patch, { sources, sandbox, sandboxLimits, timeoutMs, container, signal });
    return {
      checks: [...verdict.checks],
      resolved: verdict.resolved,
      reason: [reason, verdict.reason].filter((words) => words !== '').join(' '),
    };
  } catch (error) {
    const unchecked = { checks: [], resolved: undefined, reason: (error as Error).message };
    return signal.aborted ? { ...unchecked, status: 'stopped' } : unchecked;
  }
}

/** Runs the task. Resolves to why it could not run, as a message. */
async function runTask({ job, wish, requests }: TaskAtWork, place: TaskCopy): Promise<string | undefined> {
  const { task, options, log, toolsets, unstored, sources, asksForRequests } = job;
  const container = containerOf(job);
  // Deletes what an earlier attempt left, since this one starts over.
  fs.rmSync(log, { force: true });
  fs.rmSync(`${log}.outputs`, { recursive: true, force: true });
  fs.rmSync(`${log}.children`, { recursive: true, force: true });
  let steps = 0;
  let cost = 0;
  const onEvent = (event: Event): void => {
    wish.hearAgain();
    if (event.type !== 'agent_response') return;
    steps += 1;
    cost += event.usage.cost ?? 0;
    sendReport({ steps, cost });
  };
  try {
    const script = task.script === undefined ? undefined : path.resolve(sources.base, task.script);
    const taskOptions: RunOptions = {
      ...withoutReport(options),
      ...(container && { image: container.image }),
      cwd: place.root,
      inCopy: true,
      log,
      json: true,
      stateIn: path.join(place.parent, 'state'),
      ...(toolsets.length > 0 && { settings: { ...options.settings, toolsets } }),
      ...(task.input && { textInput: task.input }),
      ...(script !== undefined && { script: allowedPlace(script, sources) }),
      // Other tasks, hidden tests and earlier results are hidden from the agent.
      hidden: [...sources.leftOut, ...sources.hidden],
      show: { onEvent },
      asking: (model) => withUnstoredMessages(model, unstored),
      ...(asksForRequests && { pace: (endpoint: string, signal: AbortSignal) => requests.request(endpoint, signal) }),
    };
    await run(task.prompt, taskOptions);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Maximum time in ms to wait for an earlier process of a task. */
const maxWaitMs = 60_000;

/** If its batch was killed, an earlier process of this task may still be ending and have its log open. */
async function untilFree(log: string, wish: StopRequest): Promise<void> {
  const latest = performance.now() + maxWaitMs;
  while (isLocked(`${log}.lock`) && performance.now() < latest && !wish.isThere)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

/** The report covers the whole batch. */
function withoutReport({ junit: _, ...options }: RunOptions): RunOptions {
  return options;
}

/**
 * Returns the submission if it is a patch; otherwise the changes. If there are none, the output that a profile with a
 * marker submits counts, as in mini-swe-agent; an answer in words is no patch.
 */
async function patchOf(history: readonly Event[], place: TaskCopy): Promise<string> {
  const end = history.findLast((event) => event.type === 'finished');
  const submission = end?.status === 'submitted' ? end.summary : '';
  if (/^(diff --git|--- )/.test(submission)) return submission;
  const changes = await place.patch();
  const submitsOutput = profileNamed(settingsOf(history)?.profile ?? 'waymark').end.markers.length > 0;
  return changes === '' && submitsOutput ? submission : changes;
}
