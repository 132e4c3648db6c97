import type { History } from '../../log/projection';
import type { ReadOptions, ReadProblem, ReadTrajectory, TrajectoryFile, WrittenFormat } from '../format';
import { originalKey, unit, foreignRemainderInPieces, type Unit } from '../foreignRemainder';
import { documentIn, firstIn, valuesIn } from '../reading/fileValues';
import { listIn, textIn, type JsonObject } from '../reading/json';
import { LogBuilder } from '../reading/logBuilder';
import { taskStartedIn, foreignParts, finishedEvent, resultsToWrite } from '../exportParts';
import { eventsOf, idFor, responseId } from './openhandsEvents';
import { isEvent, OpenHandsReader, type PlacedEvent } from './openhandsReader';
import { isRecord } from '../../text/parseJson';
import { statusOf } from '../../log/status';
import { type InPieces, runToEnd } from '../../text/slices';
import { withoutUndefined } from '../../text/withoutUndefined';

const name = 'openhands';

/**
 * The folder in which the OpenHands SDK stores a conversation: its state, and one file per event. Also reads one event
 * per line (`events.jsonl`), a list of events, and benchmark results, whose lines each contain a `history`.
 */
export const openhands: WrittenFormat = {
  name,
  label: 'OpenHands conversation',
  extension: '',
  keepsResults: true,
  reader: {
    recognises: (file) =>
      /(?:^|\/)(?:events\/event-\d+-[^/]+|base_state)\.json$/.test(file.path) || holdsEvents(firstIn(file)),
    read: (files, options) => runToEnd(readInPieces(files, options)),
    readInPieces,
  },
  *write(history, { session }) {
    const units = yield* foreignParts(history, name, (each) => unitsOf(each, session));
    const state = units.find(({ part }) => part === 'document')?.value ?? {};
    const folder = safe((textIn(state, 'id') ?? idFor(session, 0, 'conversation')).replaceAll('-', ''));
    const files = [{ path: `${folder}/base_state.json`, text: JSON.stringify(state) }];
    for (const [index, { value }] of units.filter(({ part }) => part !== 'document').entries()) {
      const id = safe(textIn(value, 'id') ?? idFor(session, index, 'file'));
      const path = `${folder}/events/event-${String(index).padStart(5, '0')}-${id}.json`;
      files.push({ path, text: JSON.stringify(value) });
      yield;
    }
    return files;
  },
};

/** Makes an id of a foreign file safe for use in a file name. */
const safe = (id: string): string => id.replace(/[^\w-]+/g, '-').slice(0, 80);

function* unitsOf(history: History, session: string): InPieces<Unit[]> {
  if (!taskStartedIn(history)) return [];
  return [unit(0, baseState(history, session), 'document'), ...(yield* eventsOf(history, session))];
}

/** Prefixes the problems of one of several files with its name. */
const withFileName = (file: TrajectoryFile | undefined, problems: readonly ReadProblem[]): ReadProblem[] =>
  problems.map(({ where, words }) => ({
    where: where === file?.path ? where : `${file?.path ?? ''}, ${where}`,
    words,
  }));

function holdsEvents(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isEvent);
  return isEvent(value) || listIn(value, 'history')?.some(isEvent) === true;
}

function* readInPieces(files: readonly TrajectoryFile[], options: ReadOptions = {}): InPieces<ReadTrajectory> {
  const builder = new LogBuilder(options);
  const { run = 0 } = options;
  const state = files.find(({ path }) => baseName(path) === 'base_state.json');
  const document = documentIn(state);
  const base = isRecord(document.value) ? document.value : undefined;
  builder.problems.push(...withFileName(state, document.problems));
  if (state && !base) builder.problem(state.path, 'It is not an object, so model, folder and cost are unknown.');
  const runs = yield* runsIn(files.filter((file) => file !== state).sort(inOrder), builder);
  const events = runs[run] ?? [];
  if (events.length === 0) {
    builder.problem(files[0]?.path ?? '', 'It contains no events.');
    return { events: [], problems: builder.problems, runs: runs.length };
  }
  yield* new OpenHandsReader(builder, base).read(events);
  if (base) builder.originals.set(originalKey(0, 'document'), base);
  return {
    events: yield* foreignRemainderInPieces(builder, (history) => unitsOf(history, '')),
    problems: builder.problems,
    runs: runs.length,
  };
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const eventNumber = (path: string): number => Number(/event-(\d+)-/.exec(baseName(path))?.[1] ?? Infinity);
const inOrder = (a: TrajectoryFile, b: TrajectoryFile): number =>
  eventNumber(a.path) - eventNumber(b.path) || (a.path < b.path ? -1 : 1);

/**
 * Returns the events of each run. All files of a conversation are one run, and so are the lines of a file; each
 * `history` is a separate run.
 */
function* runsIn(files: readonly TrajectoryFile[], builder: LogBuilder): InPieces<PlacedEvent[][]> {
  const events: PlacedEvent[] = [];
  const histories: PlacedEvent[][] = [];
  for (const file of files) {
    for (const { place, value } of recordsIn(file, builder)) {
      const history = isEvent(value) ? undefined : listIn(value, 'history');
      if (history) histories.push(historyIn(history, place, builder));
      else events.push({ place, value });
    }
    yield;
  }
  return events.length > 0 || histories.length === 0 ? [events, ...histories] : histories;
}

/** Returns the objects in a file, not yet known to be events, and reports everything else in it. */
function recordsIn(file: TrajectoryFile, builder: LogBuilder): PlacedEvent[] {
  const { values, problems } = valuesIn(file);
  const isWhole = values.length === 1 && values[0]!.where === '';
  const all = values.flatMap(elementsOf);
  const records = all.flatMap(({ where, value }): PlacedEvent[] =>
    isRecord(value) && Object.keys(value).length > 0
      ? [{ place: isWhole && where === '' ? file.path : where, value }]
      : [],
  );
  if (records.length === 0) {
    builder.problem(file.path, `It is not ${problems.length > 0 ? 'JSON' : 'an object'}, so it is skipped.`);
    return records;
  }
  builder.problems.push(...withFileName(file, problems));
  for (const { where, value } of all)
    if (!isRecord(value)) builder.problem(where, 'It is not an event, so it is skipped.');
  return records;
}

type PlacedValue = ReturnType<typeof valuesIn>['values'][number];

/** Returns the elements of a list, each with its place, or the value itself. */
const elementsOf = ({ where, value }: PlacedValue): PlacedValue[] =>
  Array.isArray(value) ? value.map((one: unknown, index) => ({ where: `[${index}]`, value: one })) : [{ where, value }];

function historyIn(history: readonly unknown[], place: string, builder: LogBuilder): PlacedEvent[] {
  return history.flatMap((value, index): PlacedEvent[] => {
    const where = `${place}, history[${index}]`;
    if (isRecord(value)) return [{ place: where, value }];
    builder.problem(where, 'It is not an event, so it is skipped.');
    return [];
  });
}

/** Contents of `base_state.json`: data about the whole conversation. */
function baseState(history: History, session: string): JsonObject {
  const { model, tools, cwd, limits, confirmation } = taskStartedIn(history)!;
  const policies = {
    always: { kind: 'AlwaysConfirm' },
    risky: { threshold: 'HIGH', confirm_unknown: true, kind: 'ConfirmRisky' },
    never: { kind: 'NeverConfirm' },
  };
  return {
    id: idFor(session, 0, 'conversation'),
    agent: {
      llm: { model: model.name, usage_id: 'agent' },
      tools: tools.map((tool) => ({ name: tool, params: {} })),
      kind: 'Agent',
    },
    workspace: { working_dir: cwd, kind: 'LocalWorkspace' },
    max_iterations: limits.steps || 500,
    stuck_detection: true,
    execution_status: executionStatus(history),
    confirmation_policy: policies[confirmation],
    activated_knowledge_skills: [],
    blocked_actions: {},
    blocked_messages: {},
    stats: { usage_to_metrics: { agent: metricsOf(history) } },
    // The SDK reserves this field for agent-specific data.
    ...(finishedEvent(history)?.results && { agent_state: resultsToWrite(history) }),
  };
}

function executionStatus(history: History): string {
  const end = finishedEvent(history);
  if (end?.status === 'submitted') return 'finished';
  if (end?.status === 'stopped') return 'paused';
  if (end) return end.cause === 'going_in_circles' ? 'stuck' : 'error';
  switch (statusOf(history)) {
    case 'waiting_for_confirmation':
    case 'waiting_for_answer':
      return 'waiting_for_confirmation';
    case 'paused':
      return 'paused';
    default:
      return history.findLast((event) => event.type === 'agent_response' || event.type === 'user_message')?.type ===
        'agent_response' && statusOf(history) === 'idle'
        ? 'finished'
        : 'idle';
  }
}

function metricsOf(history: History): JsonObject {
  const calls = history.filter((event) => event.type === 'agent_response').filter(({ by }) => by !== 'person');
  const window = taskStartedIn(history)!.model.contextWindow ?? 0;
  const counted = calls.filter(({ usage }) => usage.inputTokens !== null || usage.outputTokens !== null);
  const usages = counted.map(({ seq, model, usage }) => ({
    model,
    prompt_tokens: usage.inputTokens ?? 0,
    completion_tokens: usage.outputTokens ?? 0,
    cache_read_tokens: usage.cachedTokens ?? 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    context_window: window,
    per_turn_token: (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0),
    response_id: responseId(seq),
  }));
  const sum = (field: 'prompt_tokens' | 'completion_tokens' | 'cache_read_tokens'): number =>
    usages.reduce((all, usage) => all + usage[field], 0);
  const costs = calls.filter(({ usage }) => usage.cost !== null);
  return withoutUndefined({
    model_name: taskStartedIn(history)!.model.name,
    accumulated_cost: costs.reduce((all, { usage }) => all + usage.cost!, 0),
    accumulated_token_usage: {
      model: taskStartedIn(history)!.model.name,
      prompt_tokens: sum('prompt_tokens'),
      completion_tokens: sum('completion_tokens'),
      cache_read_tokens: sum('cache_read_tokens'),
      cache_write_tokens: 0,
      reasoning_tokens: 0,
      context_window: window,
      per_turn_token: usages.at(-1)?.per_turn_token ?? 0,
      response_id: '',
    },
    costs: costs.map(({ model, usage, at }) => ({ model, cost: usage.cost, timestamp: at / 1000 })),
    response_latencies: calls.map(({ model, durationMs, seq }) => ({
      model,
      latency: durationMs / 1000,
      response_id: responseId(seq),
    })),
    token_usages: usages,
  });
}
