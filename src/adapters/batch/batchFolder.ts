import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { BatchTask } from '../../core/batch/batchTask';
import { checkpointText, type BatchProgress, exitStatusFile, predictionText } from '../../core/batch/peerFiles';
import { BatchSums, statisticsText, type BatchFacts } from '../../core/batch/statistics';
import { isCompletedPrompt, isSettled, TaskResult } from '../../core/batch/taskResult';
import { keyOfLine, lineKey, promptOf, readLine, unknownToolsIn } from '../../core/batch/trajectoryLine';
import { exactlyOneOf } from '../../core/text/alternatives';
import { makeFolder, writeDurably } from '../storage/durableFile';
import { acquireLock, type Lock } from '../storage/fileLock';
import { appendDurably, cutTornLine, wholeLines } from './durableLines';
import { everyResultIn, lastResultsIn } from './resultsFile';

/** Stable across machines. Twelve hex digits are enough to distinguish a million tasks. */
export const textHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Outcome of a finished task: its result and, if it produced one, its line for the batch file. */
export const TaskOutcome = z.object({ result: TaskResult, line: z.string().optional() });
export type TaskOutcome = z.infer<typeof TaskOutcome>;

/** What is kept in memory of a finished task. Kept small so that the memory use of a batch stays flat. */
interface FinishedTask {
  readonly status: TaskResult['status'];
  readonly index: number;
  readonly completed: boolean;
}

/**
 * The folder of a batch. `results.jsonl` records the result of each task. A task writes its outcome to `incoming/`,
 * from where it is merged into the files for people. If this process is killed at any point, the next one that opens
 * the folder completes the merge, and each task appears in the results exactly once.
 */
export class BatchFolder {
  readonly sums = new BatchSums();
  /** Cost of all attempts in US dollars, including attempts that do not count. */
  spent = 0;
  readonly #known = new Map<string, FinishedTask>();
  readonly #batches = new Map<number, BatchProgress>();

  private constructor(
    readonly root: string,
    readonly runName: string,
    private readonly lock: Lock,
  ) {}

  /**
   * Creates the folder, or resumes an existing one if `resume` is set. `dataset`: absolute path of the file with the
   * tasks. Throws an `Error` with a message for people.
   */
  static open(
    root: string,
    runName: string,
    {
      resume = false,
      redo = false,
      dataset,
    }: { readonly resume?: boolean | undefined; readonly redo?: boolean | undefined; readonly dataset?: string },
  ): BatchFolder {
    makeFolder(root);
    const lock = acquireLock(path.join(root, '.lock'));
    if (!lock)
      throw new Error(
        `Another batch is running in ${root}. Wait until it ends, or choose another --run-name or --out.`,
      );
    const folder = new BatchFolder(root, runName, lock);
    try {
      const files = folder.#outputs();
      if (files.length > 0 && !isOfBatch(root))
        throw new Error(
          `${root} contains files that no batch created: ${files.slice(0, 3).join(', ')}. Choose an empty folder with --out, so that your files are not changed.`,
        );
      if (files.some((name) => folder.#isOfTasks(name)) && !resume && !redo)
        throw new Error(
          `${root} already contains results. Continue with --resume, start over with --redo-existing, or choose another --run-name or --out.`,
        );
      if (redo && !resume) for (const name of files) removeOutput(root, name);
      const marker: Marker = { waymark: 'batch', run_name: runName, dataset };
      writeDurably(path.join(root, markerName), [`${JSON.stringify(marker)}\n`]);
      for (const name of ['logs', 'incoming']) makeFolder(path.join(root, name));
      return folder;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  close(): void {
    this.lock.release();
  }

  pathOf(...parts: string[]): string {
    return path.join(this.root, ...parts);
  }

  /** The file to which a task writes its outcome. */
  outcomeFile(task: BatchTask): string {
    return this.pathOf('incoming', `${fileName(task.id)}.json`);
  }

  /** The log of a task, relative to this folder. */
  logOf(task: BatchTask): string {
    return path.join('logs', `${fileName(task.id)}.waymark.jsonl`);
  }

  isSettled(task: BatchTask): boolean {
    return this.#known.has(task.id);
  }

  statusOf(task: BatchTask): TaskResult['status'] | undefined {
    return this.#known.get(task.id)?.status;
  }

  /** Completes what an interrupted run of this batch began to write, and loads its results. */
  recover(tasks: readonly BatchTask[]): void {
    const results = this.pathOf('results.jsonl');
    cutTornLine(results);
    if (!fs.existsSync(results)) this.#adopt(tasks);
    this.#read();
    const waiting = this.#waiting();
    const kept = this.#keptLines();
    for (const batch of this.#batchFiles()) this.#mend(batch, kept, waiting);
    for (const { outcome, file } of waiting) this.#take(outcome, file);
  }

  /** Merges the outcome of a task. Returns undefined if the task left no readable outcome. */
  collect(task: BatchTask): TaskResult | undefined {
    const file = this.outcomeFile(task);
    const outcome = outcomeIn(file);
    if (outcome?.result.id !== task.id) return undefined;
    this.#take(outcome, file);
    return outcome.result;
  }

  /** Records the result of a task that left no outcome. */
  note(result: TaskResult): void {
    fs.rmSync(this.pathOf('incoming', `${fileName(result.id)}.json`), { force: true });
    this.#append(result);
  }

  /** Marks tasks to be redone: they count as not done, and their lines are deleted. */
  forget(tasks: readonly BatchTask[]): void {
    const forgotten = new Set(tasks.map(({ id }) => id));
    const lines: string[] = [];
    for (const result of this.results()) {
      if (!forgotten.has(result.id)) continue;
      const again: TaskResult = {
        ...result,
        status: 'stopped',
        reason: 'It is starting over.',
        cost: 0,
        saved: false,
        patch: '',
      };
      lines.push(`${JSON.stringify(again)}\n`);
    }
    if (lines.length > 0) appendDurably(this.pathOf('results.jsonl'), lines.join(''));
    this.#read();
    const kept = this.#keptLines();
    for (const batch of this.#batchFiles()) this.#mend(batch, kept, []);
  }

  skipped(batch: number): void {
    this.#progressOf(batch).skipped += 1;
  }

  /**
   * Calls `writeProgress` at intervals, rarely enough that writing takes a small part of the time, regardless of the
   * number of tasks.
   */
  writeProgressSometimes(): void {
    const now = performance.now();
    if (now < this.#nextProgress) return;
    this.writeProgress();
    const tookMs = performance.now() - now;
    this.#nextProgress = now + Math.max(minRewriteIntervalMs, tookMs * workPerWriting);
  }
  #nextProgress = -Infinity;

  /** Writes `checkpoint.json` and `preds.json` with the current progress. */
  writeProgress(): void {
    const completed = [...this.#known.values()].filter((known) => known.completed).map(({ index }) => index);
    writeDurably(this.pathOf('checkpoint.json'), [
      checkpointText({ runName: this.runName, completed, batches: this.#batches }, Date.now()),
    ]);
    writeDurably(this.pathOf('preds.json'), predictionText(this.results()));
  }

  /** Writes `statistics.json`, `trajectories.jsonl` and the list of exit statuses. */
  writeSummary(facts: BatchFacts): void {
    this.writeProgress();
    writeDurably(this.pathOf('statistics.json'), [statisticsText(facts, this.sums, Date.now())]);
    writeDurably(this.pathOf('trajectories.jsonl'), this.#usableLines());
    writeDurably(this.pathOf('exit_statuses.yaml'), exitStatusFile(this.results()));
  }

  /** The result of each finished task, in the order in which they finished. */
  results(): Generator<TaskResult> {
    return lastResultsIn(this.pathOf('results.jsonl'));
  }

  /**
   * True if tasks wrote this entry. A batch that was refused before its first task leaves no such entry and can start
   * again.
   */
  #isOfTasks(name: string): boolean {
    if (name === markerName || name === 'progress.json') return false;
    const isEmptyFolder =
      fs.statSync(this.pathOf(name)).isDirectory() && fs.readdirSync(this.pathOf(name)).length === 0;
    return !isEmptyFolder;
  }

  #outputs(): string[] {
    return fs.readdirSync(this.root).filter((name) => ownName.test(name));
  }

  #batchFiles(): string[] {
    return fs
      .readdirSync(this.root)
      .filter((name) => /^batch_\d+\.jsonl$/.test(name))
      .sort();
  }

  #progressOf(batch: number): BatchProgress {
    const known = this.#batches.get(batch) ?? { processed: 0, skipped: 0, discarded_no_reasoning: 0 };
    this.#batches.set(batch, known);
    return known;
  }

  #take({ result, line }: TaskOutcome, file: string): void {
    if (line !== undefined && !this.#takeLineOfTheKilled(result))
      appendDurably(this.pathOf(`batch_${result.batch}.jsonl`), line);
    if (!this.#known.has(result.id)) this.#append(result);
    fs.rmSync(file, { force: true });
  }

  /** True if the line already exists: a killed run wrote it but did not finish the remaining steps. */
  #takeLineOfTheKilled(result: TaskResult): boolean {
    return this.#linesOfTheKilled.delete(`${result.batch} ${result.line_key}`);
  }

  readonly #linesOfTheKilled = new Set<string>();

  #append(result: TaskResult): void {
    appendDurably(this.pathOf('results.jsonl'), `${JSON.stringify(result)}\n`);
    this.#learn(result);
    const progress = this.#progressOf(result.batch);
    if (isSettled(result)) progress.processed += 1;
    if (result.discarded === 'no_reasoning') progress.discarded_no_reasoning += 1;
  }

  #learn(result: TaskResult): void {
    this.spent += result.cost ?? 0;
    if (!isSettled(result)) return void this.#known.delete(result.id);
    this.sums.add(result);
    this.#known.set(result.id, { status: result.status, index: result.index, completed: isCompletedPrompt(result) });
  }

  #read(): void {
    this.#known.clear();
    Object.assign(this.sums, new BatchSums());
    this.spent = 0;
    for (const { result } of everyResultIn(this.pathOf('results.jsonl'))) this.spent += result.cost ?? 0;
    const spent = this.spent;
    for (const result of this.results()) this.#learn(result);
    this.spent = spent;
  }

  #waiting(): { readonly outcome: TaskOutcome; readonly file: string }[] {
    return fs
      .readdirSync(this.pathOf('incoming'))
      .sort()
      .flatMap((name) => {
        const file = this.pathOf('incoming', name);
        const outcome = name.endsWith('.json') ? outcomeIn(file) : undefined;
        // A draft, or a file that a full disk cut short: the task is redone.
        if (!outcome) fs.rmSync(file, { force: true });
        return outcome ? [{ outcome, file }] : [];
      });
  }

  /** The line keys of finished tasks, by the number of their batch. */
  #keptLines(): Map<number, Set<string>> {
    const kept = new Map<number, Set<string>>();
    for (const { saved, batch, line_key } of this.results()) {
      if (!saved) continue;
      const keys = kept.get(batch) ?? new Set();
      kept.set(batch, keys.add(line_key));
    }
    return kept;
  }

  /** Keeps the lines of finished tasks and of those being merged, each once, and removes all others. */
  #mend(
    name: string,
    lines: ReadonlyMap<number, ReadonlySet<string>>,
    waiting: readonly { readonly outcome: TaskOutcome }[],
  ): void {
    const file = this.pathOf(name);
    const batch = Number(/\d+/.exec(name)![0]);
    cutTornLine(file);
    const wanted = lines.get(batch) ?? new Set<string>();
    const underway = new Set(
      waiting.filter(({ outcome: { result } }) => result.batch === batch).map(({ outcome }) => outcome.result.line_key),
    );
    const found = new Set<string>();
    /** Offsets of the lines to keep. */
    const staying = new Set<number>();
    let lineCount = 0;
    for (const { text, start } of wholeLines(file)) {
      lineCount += 1;
      const line = readLine(text);
      const key = line && keyOfLine(line, textHash);
      if (key === undefined || found.has(key) || !(wanted.has(key) || underway.has(key))) continue;
      found.add(key);
      staying.add(start);
    }
    for (const key of underway) if (found.has(key)) this.#linesOfTheKilled.add(`${batch} ${key}`);
    if (staying.size === lineCount) return;
    writeDurably(
      file,
      mapEach(wholeLines(file), ({ text, start }) => (staying.has(start) ? `${text}\n` : '')),
    );
  }

  /**
   * A folder written by Hermes Agent has no results file: they are read from its batch files and matched by the text of
   * the tasks.
   */
  #adopt(tasks: readonly BatchTask[]): void {
    const byPrompt = new Map(tasks.map((task) => [task.prompt.trim(), task]));
    for (const name of this.#batchFiles())
      for (const { text } of wholeLines(this.pathOf(name))) {
        const line = readLine(text);
        const task = line && !line.failed ? byPrompt.get(promptOf(line)) : undefined;
        if (!line || !task) continue;
        byPrompt.delete(promptOf(line));
        const batch = Number(/\d+/.exec(name)![0]);
        const result: TaskResult = {
          ...emptyResult(task, batch),
          status: line.completed === false ? 'failed' : 'done',
          completed: line.completed ?? true,
          partial: line.partial ?? false,
          steps: line.api_calls ?? 0,
          toolsets: line.toolsets_used ?? [],
          model: line.metadata?.model ?? '',
          saved: true,
          line_key: keyOfLine(line, textHash),
        };
        appendDurably(this.pathOf('results.jsonl'), `${JSON.stringify(result)}\n`);
      }
  }

  /** The lines of all batch files, in the order of their names, except lines that name nonexistent tools. */
  *#usableLines(): Generator<string> {
    for (const name of this.#batchFiles())
      for (const { text } of wholeLines(this.pathOf(name)))
        if (unknownToolsIn(readLine(text)?.tool_stats ?? {}).length === 0) yield `${text}\n`;
  }
}

/** Minimum interval between rewrites of large files while a batch runs, in ms. */
const minRewriteIntervalMs = 5000;
/** Minimum interval between rewrites, as a multiple of the time that the last one took. */
const workPerWriting = 20;

/** Marks a folder as created by a batch. Written before anything else. */
const markerName = 'batch.json';

const ownName = exactlyOneOf([
  /batch_\d+\.jsonl/,
  /(trajectories|results)\.jsonl/,
  /(checkpoint|statistics|preds|eval|batch|progress)\.json/,
  'eval.html exit_statuses.yaml logs incoming trajectories',
]);

/** Only entries created by a batch are removed from folders; users may have added other files. */
const ownEntries: Readonly<Record<string, RegExp>> = {
  logs: /\.waymark\.jsonl(\.|$)/,
  incoming: /\.json(\.|$)/,
  trajectories: /\.html$/,
};

function removeOutput(root: string, name: string): void {
  const place = path.join(root, name);
  const own = ownEntries[name];
  if (!own) return fs.rmSync(place, { force: true });
  if (!fs.lstatSync(place).isDirectory()) return;
  for (const entry of fs.readdirSync(place).filter((each) => own.test(each)))
    fs.rmSync(path.join(place, entry), { recursive: true, force: true });
  if (fs.readdirSync(place).length === 0) fs.rmdirSync(place);
}

/** `dataset`: absolute path; absent in folders of earlier versions. */
const Marker = z.object({
  waymark: z.literal('batch'),
  run_name: z.string().optional(),
  dataset: z.string().optional(),
});
type Marker = z.infer<typeof Marker>;
/** The checkpoint format of Hermes Agent. */
const HermesCheckpoint = z.object({ completed_prompts: z.array(z.number()) });

/**
 * Returns whether a batch created the contents of a folder: one of Waymark, including versions that wrote no marker, or
 * one of Hermes Agent.
 */
function isOfBatch(root: string): boolean {
  if (markerIn(root)) return true;
  const [first] = wholeLines(path.join(root, 'results.jsonl'));
  if (fs.existsSync(path.join(root, 'results.jsonl'))) return first !== undefined && isResult(first.text);
  if (HermesCheckpoint.safeParse(jsonIn(path.join(root, 'checkpoint.json'))).success) return true;
  const batches = fs.readdirSync(root).filter((name) => /^batch_\d+\.jsonl$/.test(name));
  return batches.some((name) => {
    const [line] = wholeLines(path.join(root, name));
    return line !== undefined && readLine(line.text) !== undefined;
  });
}

const markerIn = (root: string): Marker | undefined => Marker.safeParse(jsonIn(path.join(root, markerName))).data;

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Returns the dataset whose results a folder contains, if that is not `dataset`; undefined if it does not exist any more,
 * since it may have been moved.
 */
export function otherDatasetIn(root: string, dataset: string): string | undefined {
  const known = markerIn(root)?.dataset;
  if (known === undefined || !fs.existsSync(known)) return undefined;
  return fs.realpathSync(known) === fs.realpathSync(dataset) ? undefined : known;
}

/** Returns `named`, or that name with a number if that folder contains the results of another dataset. */
export function folderForDataset(named: string, dataset: string): string {
  let folder = named;
  for (let number = 2; otherDatasetIn(folder, dataset) !== undefined; number++) folder = `${named}-${number}`;
  return folder;
}

function isResult(text: string): boolean {
  try {
    return TaskResult.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

/** An empty result for a task. */
export const emptyResult = (task: BatchTask, batch: number): TaskResult => ({
  index: task.index,
  id: task.id,
  batch,
  status: 'invalid',
  reason: '',
  exit_status: '',
  completed: false,
  partial: false,
  steps: 0,
  cost: null,
  input_tokens: null,
  output_tokens: null,
  seconds: 0,
  model: '',
  toolsets: [],
  tools: {},
  reasoning: { total: 0, withReasoning: 0 },
  saved: false,
  line_key: lineKey({ id: task.named ? task.id : undefined, index: task.index, prompt: task.prompt }, textHash),
  patch: '',
  log: '',
  finished_at: new Date().toISOString(),
});

/** Turns an id into a file name that is valid on every system and unique per id. */
export function fileName(id: string): string {
  const plain = id.replace(/[^\w.-]/g, '_').slice(0, 100);
  const isPlain = plain === id && !/^\.|\.$/.test(id) && id === id.toLowerCase();
  return isPlain ? id : `${plain.replace(/^\.|\.$/g, '_')}-${textHash(id).slice(0, 8)}`;
}

function outcomeIn(file: string): TaskOutcome | undefined {
  try {
    return TaskOutcome.safeParse(JSON.parse(fs.readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

function* mapEach<From, To>(items: Iterable<From>, change: (item: From) => To): Generator<To> {
  for (const item of items) yield change(item);
}
