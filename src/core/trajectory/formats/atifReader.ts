import { EndCause, FeedbackCause, Outcome, type EventOf, type Image, type Usage } from '../../../protocol/events/event';
import type { History } from '../../log/projection';
import { resultsIn } from '../exportParts';
import type { ReadOptions, ReadTrajectory, TrajectoryFile } from '../format';
import { originalKey, withForeignRemainder, type Unit } from '../foreignRemainder';
import { firstEvent, pictureAt } from '../reading/chat';
import { documentIn } from '../reading/fileValues';
import { contentText } from '../reading/contentParts';
import { listIn, numberIn, objectIn, textIn, type JsonObject } from '../reading/json';
import { LogBuilder, type StoredCall } from '../reading/logBuilder';
import { parseTime } from '../times';
import { atifProblems } from './atifProblems';
import { isRecord } from '../../text/parseJson';
import type { InPieces } from '../../text/slices';

type UnitsOf = (history: History, context: { session: string; version: string }) => InPieces<Unit[]>;

/**
 * Reads one trajectory of a file. Sub-agents are runs that follow their parent. `unitsOf` renders events in the
 * format: what the file contains beyond that is attached to the events.
 */
export function readAtif(file: TrajectoryFile | undefined, options: ReadOptions, unitsOf: UnitsOf): ReadTrajectory {
  const builder = new LogBuilder(options);
  const { run = 0 } = options;
  const { value, problems } = documentIn(file);
  const runs = trajectoriesIn(value);
  const trajectory = runs[run];
  builder.problems.push(...problems);
  if (!trajectory) {
    builder.problem(
      file?.path ?? '',
      runs.length > 0
        ? `It contains ${runs.length} trajectories, so there is no trajectory ${run + 1}.`
        : 'It contains no trajectory.',
    );
    return { events: [], problems: builder.problems, runs: runs.length };
  }
  builder.problems.push(...atifProblems(trajectory));
  new AtifReader(builder, trajectory).read();
  const { steps: _, ...rest } = trajectory;
  builder.originals.set(originalKey(0, 'document'), rest);
  return {
    events: withForeignRemainder(builder, (history) => unitsOf(history, { session: '', version: '' })),
    problems: builder.problems,
    runs: runs.length,
  };
}

/** Returns a trajectory, followed by those of its sub-agents. */
function trajectoriesIn(value: unknown, depth = 0): JsonObject[] {
  if (!isRecord(value) || depth > 20) return [];
  return [
    value,
    ...(listIn(value, 'subagent_trajectories') ?? []).flatMap((child) => trajectoriesIn(child, depth + 1)),
  ];
}

class AtifReader {
  /** Events created from each step, by the step's index. */
  readonly #seqs = new Map<number, number[]>();
  /** Set if the previous reply is hidden from the model. */
  #isReplyHidden = false;

  constructor(
    private readonly builder: LogBuilder,
    private readonly trajectory: JsonObject,
  ) {}

  read(): void {
    const { builder, trajectory } = this;
    const steps = listIn(trajectory, 'steps') ?? [];
    const system =
      textIn(steps[0], 'source') === 'system' && !managementOf(steps[0]) ? (steps[0] as JsonObject) : undefined;
    const first = system ? 1 : 0;
    const task = textIn(steps[first], 'source') === 'user' ? (steps[first] as JsonObject) : undefined;
    const agent = objectIn(trajectory, 'agent');
    const tools = (listIn(agent, 'tool_definitions') ?? []).flatMap(
      (tool) => textIn(objectIn(tool, 'function'), 'name') ?? [],
    );
    const at = parseTime(textIn(system ?? task ?? steps.find((step) => textIn(step, 'timestamp')), 'timestamp'));
    const profile = textIn(objectIn(agent, 'extra'), 'profile');
    builder.append(
      firstEvent({
        origin: 'atif',
        systemPrompt: stepText(system),
        task: stepText(task),
        model: textIn(agent, 'model_name'),
        provider: textIn(agent, 'name'),
        tools,
        profile,
        images: imagesOf(task),
      }),
      at ?? 0,
    );
    for (const [step, part] of [
      [system, 'system'],
      [task, 'task'],
    ] as const)
      if (step) builder.originals.set(originalKey(0, part), step);
    this.#seqs.set(0, [0]).set(first, [0]);
    for (let index = first + (task ? 1 : 0); index < steps.length; index++) this.#step(steps[index], index);
    this.#ending();
  }

  #step(step: unknown, index: number): void {
    const { builder } = this;
    if (!isRecord(step)) return void builder.others.set(index, step); // reported by atifProblems
    const before = builder.events.length;
    const at = parseTime(textIn(step, 'timestamp'));
    const seq = this.#mainEvent(step, at);
    builder.originals.set(originalKey(seq), step);
    if (textIn(step, 'source') === 'agent') this.#results(step, at);
    this.#seqs.set(
      index,
      Array.from({ length: builder.events.length - before }, (_, more) => before + more),
    );
  }

  /** Appends the event that a step describes, without the results of its calls. Returns its number. */
  #mainEvent(step: JsonObject, at: number | undefined): number {
    const source = textIn(step, 'source');
    if (source === 'agent') return this.#reply(step, at);
    const isCondensation = source === 'system' && managementOf(step) !== undefined;
    return isCondensation ? this.#condensation(step, at) : this.#message(step, at);
  }

  #message(step: JsonObject, at: number | undefined): number {
    const cause = textIn(objectIn(step, 'extra'), 'cause');
    const hides = this.#isReplyHidden;
    this.#isReplyHidden = false;
    if (cause === 'resumed') return this.builder.append({ type: 'resumed' }, at);
    if (cause !== undefined && causes.has(cause))
      return this.builder.append(
        {
          type: 'feedback',
          cause: cause as EventOf<'feedback'>['cause'],
          text: stepText(step),
          ...(hides && { hidesReply: true }),
        },
        at,
      );
    const images = imagesOf(step);
    return this.builder.append(
      { type: 'user_message', text: stepText(step), ...(images.length > 0 && { images }) },
      at,
    );
  }

  #reply(step: JsonObject, at: number | undefined): number {
    const extra = objectIn(step, 'extra');
    const calls = (listIn(step, 'tool_calls') ?? []).filter(isRecord).map((call): StoredCall => ({
      id: textIn(call, 'tool_call_id'),
      tool: textIn(call, 'function_name') ?? '',
      arguments: textIn(objectIn(call, 'extra'), 'raw_arguments') ?? call['arguments'] ?? {},
      summary: textIn(objectIn(call, 'extra'), 'summary'),
      risk: riskOf(objectIn(call, 'extra')),
    }));
    const message = stepText(step);
    const words = textIn(extra, 'words');
    const reasoning = textIn(step, 'reasoning_content');
    const finishReason = textIn(extra, 'finish_reason');
    this.#isReplyHidden = extra?.['left_out'] === true;
    return this.builder.reply(
      {
        text: words ?? message,
        calls,
        usage: usageOf(objectIn(step, 'metrics')),
        model: textIn(step, 'model_name') ?? textIn(objectIn(this.trajectory, 'agent'), 'model_name') ?? '',
        durationMs: numberIn(extra, 'duration_ms') ?? 0,
        ...(words !== undefined && { written: message }),
        ...(reasoning && { reasoning: { text: reasoning, field: 'reasoning_content' } }),
        ...(finishReason !== undefined && { finishReason }),
        ...(extra?.['by'] === 'person' && { by: 'person' }),
      },
      at,
    );
  }

  /** Results without a call become feedback messages to the model. */
  #results(step: JsonObject, at: number | undefined): void {
    for (const result of (listIn(objectIn(step, 'observation'), 'results') ?? []).filter(isRecord)) {
      const content = contentText(result['content']) ?? '';
      const extra = objectIn(result, 'extra');
      const outcome = Outcome.safeParse(extra?.['outcome']).data ?? 'ok';
      const exitCode = numberIn(extra, 'exit_code');
      const durationMs = numberIn(extra, 'duration_ms');
      const references = (listIn(result, 'subagent_trajectory_ref') ?? [])
        .map(
          (reference) =>
            textIn(reference, 'trajectory_id') ??
            textIn(reference, 'trajectory_path') ??
            textIn(reference, 'session_id'),
        )
        .filter(Boolean);
      const text = content || (references.length > 0 ? `See ${references.join(', ')}.` : '');
      const details =
        exitCode === undefined
          ? undefined
          : ({
              kind: 'command',
              end: 'exited',
              exitCode,
              durationMs: durationMs ?? 0,
              cwd: '',
              tty: false,
              outputBytes: text.length,
            } as const);
      const seq = this.builder.observe(
        textIn(result, 'source_call_id'),
        { outcome, content: text, ...(durationMs !== undefined && { durationMs }), ...(details && { details }) },
        at,
      );
      if (seq === undefined && text !== '') this.builder.append({ type: 'user_message', text }, at);
    }
  }

  #condensation(step: JsonObject, at: number | undefined): number {
    const extra = objectIn(step, 'extra');
    const summary = (listIn(objectIn(step, 'observation'), 'results') ?? [])
      .map((result) => contentText(isRecord(result) ? result['content'] : undefined) ?? '')
      .filter(Boolean)
      .join('\n\n');
    const left = listIn(extra, 'forgotten_steps')
      ?.filter((id) => typeof id === 'number')
      .flatMap((id) => this.#seqs.get(id - 1) ?? []);
    // The first event is kept: a chat needs its task.
    const forgotten =
      left ?? (managementOf(step)?.['boundary'] === 'replace' ? this.builder.events.map(({ seq }) => seq) : []);
    const reasons = listIn(extra, 'reasons')?.filter(
      (reason) => reason === 'request' || reason === 'tokens' || reason === 'events',
    );
    return this.builder.append(
      {
        type: 'condensation',
        forgotten: forgotten.filter((seq) => seq > 0),
        summary,
        ...(reasons?.length && { reasons }),
      },
      at,
    );
  }

  #ending(): void {
    const extra = objectIn(this.trajectory, 'extra');
    const status = textIn(extra, 'status');
    if (status !== 'submitted' && status !== 'limit_exceeded' && status !== 'failed' && status !== 'stopped') return;
    const cause = textIn(extra, 'cause') as EventOf<'finished'>['cause'];
    this.builder.append({
      type: 'finished',
      status,
      summary: textIn(extra, 'summary') ?? '',
      ...(cause && endCauses.has(cause) && { cause }),
      ...resultsIn(extra),
    });
  }
}

const causes: ReadonlySet<string> = new Set(FeedbackCause.options);
/** Causes that end a run without an answer. */
const endCauses: ReadonlySet<string> = new Set(EndCause.options.filter((cause) => cause !== 'answer'));

function riskOf(extra: JsonObject | undefined): StoredCall['risk'] {
  const level = textIn(extra, 'risk');
  return level === 'low' || level === 'medium' || level === 'high' ? { level, reasons: [] } : undefined;
}

const stepText = (step: JsonObject | undefined): string => contentText(step?.['message']) ?? '';
/** Returns the images embedded in the file. Other images are referred to by path. */
const imagesOf = (step: JsonObject | undefined): Image[] =>
  (listIn(step, 'message') ?? []).flatMap((part) => pictureAt(textIn(objectIn(part, 'source'), 'path')));
const managementOf = (step: unknown): JsonObject | undefined => objectIn(objectIn(step, 'extra'), 'context_management');

const usageOf = (metrics: JsonObject | undefined): Usage => ({
  inputTokens: numberIn(metrics, 'prompt_tokens') ?? null,
  outputTokens: numberIn(metrics, 'completion_tokens') ?? null,
  cachedTokens: numberIn(metrics, 'cached_tokens') ?? null,
  cost: numberIn(metrics, 'cost_usd') ?? null,
});
