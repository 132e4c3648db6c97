import path from 'node:path';
import { checkCandidate, checkPlaceFrom, defaultCheckMs, type CheckPlace } from '../../adapters/batch/candidateCheck';
import { candidateResult } from '../../adapters/batch/candidateResult';
import { maxTimerMs } from '../../core/ports/maxTimerMs';
import { endProcessesIn, startTask, type ProcessEnd, type TaskProcess } from '../../adapters/batch/taskProcess';
import { checkoutAround } from '../../adapters/git/borrowingRepository';
import { openEventLog, readEventLog, sessionName } from '../../adapters/log/eventLog';
import {
  hasOtherCommit,
  listWorktrees,
  removeWorktree,
  sweepWorktrees,
  changesToBringBack,
  type KnownWorktree,
} from '../../adapters/sessions/worktrees';
import {
  chooseBest,
  comparedNotice,
  comparisonLines,
  judging,
  type CandidateResult,
  type Chosen,
  type JudgeModel,
} from '../../core/batch/bestOf';
import { sumOfKnown } from '../../core/log/spending';
import type { Model } from '../../core/ports/model';
import { maskedEvent } from '../../core/secrets/masking';
import { secrets } from '../../core/secrets/secrets';
import { settingSource, samplingFrom, settingsFrom } from '../../core/session/settingsFrom';
import type { Event } from '../../protocol/events/event';
import { dollars } from '../../protocol/plain/amounts';
import { needTrust } from '../consent/folderTrust';
import { stderr, stdout, stopsWhenUnread } from '../output/output';
import { commandFor, continueCommand } from '../run/continueCommand';
import { containerFor } from '../run/designOptions';
import { folderAt } from '../run/folderAt';
import { additionalModel, modelFromOptions, refuseUncountable } from '../run/runModels';
import { refuseContradictions, type RunOptions } from '../run/runOptions';
import { childLines } from '../run/transcript';
import { storedSessions } from '../run/workplace';
import { stopSignals, describeEnd } from './taskEnd';
import type { ExitCode } from '../output/exitCodes';
import { escapeForTerminal } from '../output/escapeForTerminal';
import { printMasked, printMaskedToStderr } from '../output/masked';

/** Options of `run` for several candidates. */
export interface BestOfOptions extends RunOptions {
  /** Number of sessions that work on the task. */
  readonly bestOf: number;
  /** Command that a candidate must pass. */
  readonly check?: string;
  /** Time limit of one check, in seconds. */
  readonly checkSeconds?: number;
}

/** The input of a candidate's process: one line of JSON on its stdin. */
export interface CandidateJob {
  readonly task: string;
  readonly options: RunOptions;
}

const codes = { done: 0, notDone: 1, needsConsent: 3, stopped: 130 } as const satisfies Record<
  string,
  ExitCode<'run --best-of'>
>;
const candidateMemory = 2048;
/** Effectively no timeout: the limits of the run end a candidate cleanly. */
const noTimeoutMs = maxTimerMs;

/**
 * Runs a task several times, each in its own worktree and process, and chooses the best result. Nothing is brought
 * back; that is up to the user. Resolves to the exit code. Rejects with an `Error` with a message for people if it
 * cannot begin.
 */
export async function bestOf(task: string, wanted: BestOfOptions): Promise<ExitCode<'run --best-of'>> {
  const options = { ...wanted, worktree: true };
  refuseForBestOf(options);
  refuseContradictions(task, options);
  const folder = folderAt(options.cwd ?? '.');
  await needTrust(folder, options);
  const model = await modelFromOptions(options);
  refuseUncountable(options, model.info);
  // Checked here, so that the error is reported once and not for each candidate.
  await checkoutAround(folder);
  const judge = await judgeFor(options, model);
  await sweepWorktrees();
  return new BestOfRun(task, { ...options, cwd: folder }, judge).work();
}

/** Throws an `Error` with a message for people if an option applies only to a single session. */
function refuseForBestOf({
  bestOf: count,
  log,
  fork,
  interactive,
  step,
  junit,
  output,
  settings,
}: BestOfOptions): void {
  if (count < 2 || count > 20) throw new Error('--best-of takes a number from 2 to 20.');
  const ofOneSession = {
    '--log': log,
    '--fork': fork,
    '-i': interactive,
    '--step': step,
    '--junit': junit,
    '-o': output,
  };
  const wrong = Object.entries(ofOneSession).find(([, value]) => value !== undefined)?.[0];
  if (wrong !== undefined)
    throw new Error(`${wrong} applies to one session, and --best-of starts several. Remove one of them.`);
  if (settings.mode === 'human') throw new Error('Human mode has only one session. Remove --best-of.');
  if (settingsFrom(settingSource(settings)).holdsEdits)
    throw new Error(
      'With --apply-edits afterReview no candidate changes a file, so there is nothing to choose from. Remove it: candidates work in their own worktrees, and you review what you bring back.',
    );
}

/** Returns the model that compares results, or undefined if there is a check and the user named no verifier. */
async function judgeFor(options: BestOfOptions, model: Model): Promise<JudgeModel | undefined> {
  const { settings, check } = options;
  const { verifier, parallel } = samplingFrom(settingSource(settings));
  const how = judging(verifier, settings['verifier.kind'] !== undefined, check !== undefined);
  if (!how) return undefined;
  const other = verifier.model === '' ? model : await additionalModel(verifier.model, options);
  return { model: other, parallel, settings: how };
}

interface Candidate {
  readonly number: number;
  readonly log: string;
  readonly process: TaskProcess;
}

/** Runs the candidates, up to the choice of one. */
class BestOfRun {
  readonly #group = `best-of-${crypto.randomUUID().slice(0, 8)}`;
  readonly #candidates: Candidate[] = [];
  readonly #stopped = new AbortController();
  /** Messages about the place where checks run that were already shown. */
  readonly #shownNotices = new Set<string>();
  #signals = 0;

  constructor(
    private readonly task: string,
    private readonly options: BestOfOptions,
    private readonly judge: JudgeModel | undefined,
  ) {}

  /** Resolves to the exit code. */
  async work(): Promise<ExitCode<'run --best-of'>> {
    const interrupted = (): void => this.#interrupt();
    for (const signal of stopSignals) process.on(signal, interrupted);
    stopsWhenUnread(interrupted);
    try {
      for (let number = 1; number <= this.options.bestOf; number++) this.#candidates.push(this.#begin(number));
      const ends = await Promise.all(this.#candidates.map(({ process: { ended } }) => ended));
      if (!this.options.json) for (const line of furtherCandidates(ends)) stderr.write(`${line}\n`);
      const results: CandidateResult[] = [];
      for (const [index, end] of ends.entries()) results.push(await this.#result(this.#candidates[index]!, end));
      if (this.#stopped.signal.aborted) return this.#tellStopped();
      return this.#tell(await this.#choose(results));
    } catch (error) {
      if (this.#stopped.signal.aborted) return this.#tellStopped();
      throw error;
    } finally {
      for (const signal of stopSignals) process.off(signal, interrupted);
      for (const { process: candidate } of this.#candidates) candidate.kill();
      await this.#removeEmpty();
    }
  }

  #begin(number: number): Candidate {
    const sessions = storedSessions();
    const taken = new Set(this.#candidates.map(({ log }) => log));
    let log = sessions.logOf(sessions.newId());
    while (taken.has(log)) log = sessions.logOf(sessions.newId());
    const { bestOf: _count, check: _check, checkSeconds: _seconds, ...options } = this.options;
    // The folder is already trusted, and candidates have no terminal.
    const own = { json: true, log, group: this.#group, trustFolder: true };
    const job: CandidateJob = { task: this.task, options: { ...options, ...own } };
    const show = this.options.json ? undefined : childLines(stdout, `Candidate ${number}`);
    const onTold = (line: unknown): void => {
      if (this.options.json) stdout.write(`${JSON.stringify({ ...(line as Event), candidate: number })}\n`);
      // Child sessions of a candidate report through its output.
      else if (!('child' in (line as object))) show?.onEvent?.(line as Event);
    };
    const program = [process.argv[1]!, 'best-of-candidate'];
    const started = startTask({ program, job, timeoutMs: noTimeoutMs, memory: candidateMemory, onTold });
    return { number, log, process: started };
  }

  #worktreeOf({ log }: Candidate): KnownWorktree | undefined {
    return listWorktrees().find((worktree) => worktree.group === this.#group && worktree.log === path.resolve(log));
  }

  /** Returns the result of a candidate. A candidate whose process ended abnormally has failed. */
  async #result(candidate: Candidate, end: ProcessEnd): Promise<CandidateResult> {
    const { check } = this.options;
    const { log } = candidate;
    const worktree = this.#worktreeOf(candidate);
    const history = readEventLog(log).events;
    const hasBegun = history.some(({ type }) => type === 'task_started');
    if (!worktree || !hasBegun) return notBegun(log, end);
    const result = await candidateResult(worktree, history);
    const isRunEnd = end.code !== null && Object.values<number>(codes).concat(2).includes(end.code);
    if (!isRunEnd) {
      // A killed process could not end its commands.
      endProcessesIn(worktree.folder);
      return { ...result, ...crashOf(end) };
    }
    if (check === undefined || result.status !== 'done' || this.#stopped.signal.aborted) return result;
    if (!this.options.json) printMasked(`Checking candidate ${candidate.number}: ${check}`);
    const outcome = await checkCandidate(worktree, check, this.#checkPlace(), this.#stopped.signal);
    return { ...result, check: outcome };
  }

  #checkPlace(): CheckPlace {
    const { settings, checkSeconds } = this.options;
    const timeoutMs = checkSeconds === undefined ? defaultCheckMs : checkSeconds * 1000;
    return {
      ...checkPlaceFrom(settingsFrom(settingSource(settings)), timeoutMs),
      onNotice: (words) => this.#tellOnce(words),
      container: containerFor(this.options),
    };
  }

  #tellOnce(words: string): void {
    if (this.#shownNotices.has(words)) return;
    this.#shownNotices.add(words);
    printMaskedToStderr(`The check: ${words}`);
  }

  async #choose(results: readonly CandidateResult[]): Promise<Chosen> {
    const chosen = await chooseBest(results, {
      group: this.#group,
      task: this.task,
      check: this.options.check,
      judge: this.judge,
      signal: this.#stopped.signal,
    });
    // The winner gets its comparison last and later than the others, so that "last" names it.
    const indices = this.#candidates.map((_, index) => index).filter((index) => index !== chosen.comparison.chosen);
    if (chosen.comparison.chosen !== undefined) indices.push(chosen.comparison.chosen);
    const now = Date.now();
    for (const [order, index] of indices.entries())
      await keepComparison(this.#candidates[index]!.log, { ...comparedNotice(chosen, index), at: now + order });
    return chosen;
  }

  /** Prints the comparison and the winner. Returns the exit code. */
  #tell(chosen: Chosen): ExitCode<'run --best-of'> {
    const { comparison } = chosen;
    const logs = this.#candidates.map(({ log }) => log);
    const winner = comparison.chosen === undefined ? undefined : logs[comparison.chosen];
    const needsConsent = comparison.candidates.some(({ status }) => status === 'consent');
    if (this.options.json) {
      const report = { ...comparison, logs, cost: totalCost(chosen), ...(chosen.usage && { judging: chosen.usage }) };
      stdout.write(`${secrets.mask(JSON.stringify({ comparison: report }))}\n`);
    } else {
      for (const line of comparisonLines(comparison)) printMasked(line);
      const cost = totalCost(chosen);
      if (cost !== null && cost > 0) printMasked(`All candidates and the judge together cost ${dollars(cost)}.`);
      for (const line of this.#waysOnFrom(comparison)) printMasked(line);
    }
    if (winner !== undefined) return codes.done;
    return needsConsent ? codes.needsConsent : codes.notDone;
  }

  #waysOnFrom({ chosen, candidates }: Chosen['comparison']): string[] {
    if (chosen === undefined) return this.#waysOn();
    // Its worktree is removed.
    if (candidates[chosen]!.files === 0) return ['It changed no file, so there is nothing to bring back.'];
    return nextSteps(this.#candidates[chosen]!.log);
  }

  /** How to continue the candidates if none of them won. */
  #waysOn(): string[] {
    const { again = [] } = this.options;
    return this.#candidates
      .filter((candidate) => this.#worktreeOf(candidate))
      .map(({ number, log }) => `Continue candidate ${number} with: ${continueCommand(log, again, ['Go on.'])}`);
  }

  #tellStopped(): ExitCode<'run --best-of'> {
    const left = listWorktrees().filter(({ group }) => group === this.#group).length;
    if (!this.options.json) stderr.write(`Stopped: ${this.#candidates.length} candidates. None was chosen.\n`);
    if (!this.options.json && left > 0) stderr.write('"waymark worktrees" lists those that changed files.\n');
    return codes.stopped;
  }

  /** The first signal stops all candidates cleanly; the second one kills them. */
  #interrupt(): void {
    this.#signals += 1;
    this.#stopped.abort(new Error('Interrupted from the command line.'));
    for (const { process: candidate } of this.#candidates)
      if (this.#signals === 1) candidate.stop();
      else candidate.kill();
  }

  /** Removes worktrees without anything to review, and incomplete ones of killed processes. */
  async #removeEmpty(): Promise<void> {
    for (const worktree of listWorktrees()) {
      if (worktree.group !== this.#group || worktree.isInUse) continue;
      const isUnchanged = (await changesToBringBack(worktree))?.length === 0 && !(await hasOtherCommit(worktree));
      if (isUnchanged) removeWorktree(worktree.id);
    }
    await sweepWorktrees();
  }
}

/** The stderr lines of candidates: lines that all of them printed once, the others with the number of the candidate. */
function furtherCandidates(ends: readonly ProcessEnd[]): string[] {
  const linesOfEach = ends.map(({ stderr: text }) => text.split('\n').filter((line) => line.trim() !== ''));
  const [first = [], ...others] = linesOfEach;
  const ofAll = new Set(first.filter((line) => others.every((lines) => lines.includes(line))));
  const ofOne = linesOfEach.flatMap((lines, index) =>
    lines.filter((line) => !ofAll.has(line)).map((line) => `Candidate ${index + 1}: ${line}`),
  );
  return [...ofAll, ...ofOne].map((line) => escapeForTerminal(secrets.mask(line)));
}

/** The result of a candidate whose session did not begin, with the last error of its process. */
function notBegun(log: string, end: ProcessEnd): CandidateResult {
  const last = end.stderr.split('\n').findLast((line) => line.trim() !== '');
  const reason = last?.trim() ?? crashOf(end).reason;
  const nothing = { files: 0, added: 0, removed: 0, cost: null, patch: '', content: '', answer: '' };
  return { session: sessionName(log), status: 'invalid', reason: secrets.mask(reason), ...nothing };
}

function crashOf(end: ProcessEnd): Pick<CandidateResult, 'status' | 'reason'> {
  const { status, reason } = describeEnd(end, { taskTimeout: noTimeoutMs / 1000, taskMemory: candidateMemory });
  return { status, reason: secrets.mask(reason) };
}

/** Writes the comparison to the log of a candidate. If that fails, the user is notified. */
async function keepComparison(file: string, compared: object): Promise<void> {
  const sessions = storedSessions();
  const id = sessions.idOf(file);
  if (readEventLog(file).events.length === 0) return;
  const { events, store, problem } = id === undefined ? openEventLog(file) : sessions.open(id);
  if (!store) return stderr.write(`The comparison was not written to ${file}. ${problem}\n`);
  const notice = { ...compared, seq: events.length } as Event;
  const event = maskedEvent(notice, secrets);
  store.append(event, () => undefined);
  await store.close();
  if (id !== undefined) sessions.remember(id, [...events, event], store.position);
}

/** Cost of all candidates and of the judge in US dollars; null if none of it is known. */
function totalCost({ comparison, usage }: Chosen): number | null {
  return sumOfKnown([...comparison.candidates.map(({ cost }) => cost), usage?.cost ?? null]);
}

function nextSteps(log: string): string[] {
  return [
    `See its changes:      ${commandFor(log, 'changes')} --diff`,
    `Bring them back:      ${commandFor(log, 'bring-back')}`,
    'See all candidates:   waymark worktrees',
  ];
}
