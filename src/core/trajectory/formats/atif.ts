import type { EventOf } from '../../../protocol/events/event';
import { systemPromptOf } from '../../../protocol/plain/systemPrompt';
import type { History } from '../../log/projection';
import { sessionSpending } from '../../log/spending';
import type { WrittenFormat } from '../format';
import { jsonInPieces } from '../jsonInPieces';
import { unit, type Unit } from '../foreignRemainder';
import { firstIn } from '../reading/fileValues';
import { listIn, textIn, type JsonObject } from '../reading/json';
import { utcTime } from '../times';
import { toolDefinitions } from '../toolDefinitions';
import { turnsInPieces, type ReplyTurn, type Result, type Turn } from '../turns';
import { finishedEvent, picturesOf, taskStartedIn, foreignParts, resultsToWrite } from '../exportParts';
import { readAtif } from './atifReader';
import { isRecord } from '../../text/parseJson';
import type { InPieces } from '../../text/slices';
import { withoutUndefined } from '../../text/withoutUndefined';

const name = 'atif';
const atifVersion = 'ATIF-v1.7';

/**
 * Harbor's Agent Trajectory Interchange Format. Writes 1.7; reads and validates 1.0 to 1.7. Trajectories of sub-agents
 * in a file count as separate runs.
 */
export const atif: WrittenFormat = {
  name,
  label: 'ATIF',
  extension: '.atif.json',
  keepsResults: true,
  reader: {
    recognises: (file) => isAtif(firstIn(file)),
    read: (files, options = {}) => readAtif(files[0], options, atifUnits),
  },
  *write(history, { session, version, children = new Map<string, History>() }) {
    const document = yield* trajectory(history, { session, version, children });
    return [{ path: `${session}.atif.json`, text: `${yield* jsonInPieces(document, { indent: 2 })}\n` }];
  },
};

interface Context {
  readonly session: string;
  readonly version: string;
  readonly children?: ReadonlyMap<string, History>;
}

/** Returns the document. Child sessions are nested in it, each below the one that started it. */
function* trajectory(history: History, context: Context): InPieces<JsonObject> {
  const units = yield* foreignParts(history, name, (each) => atifUnits(each, context));
  const {
    schema_version = atifVersion,
    subagent_trajectories,
    final_metrics,
    extra,
    ...rest
  } = units.find(({ part }) => part === 'document')?.value ?? {};
  const steps = units.filter(({ part }) => part !== 'document').map(({ value }) => value);
  const here = [...embeddedChildren(history, context)];
  const left = new Map(
    [...(context.children ?? [])].filter(([id]) => id !== context.session && !here.some(([other]) => other === id)),
  );
  const begun: JsonObject[] = [];
  for (const [id, child] of here)
    begun.push(yield* trajectory(child, { session: id, version: context.version, children: left }));
  return withoutUndefined({
    schema_version,
    ...rest,
    steps,
    final_metrics,
    extra,
    subagent_trajectories: begun.length > 0 ? begun : subagent_trajectories,
  });
}

/** Returns the logs of this session's children that are available, by id. */
const embeddedChildren = (history: History, { children, session }: Context): Map<string, History> =>
  new Map(
    history
      .flatMap((event) =>
        event.type === 'observation' && event.details?.kind === 'delegate' ? event.details.children : [],
      )
      .flatMap(({ session: id }) => {
        const child = id === session ? undefined : children?.get(id);
        return child && taskStartedIn(child) ? [[id, child] as const] : [];
      }),
  );

/** A file without a version is recognized by its numbered steps. */
function isAtif(value: unknown): boolean {
  const version = textIn(value, 'schema_version');
  return version === undefined
    ? listIn(value, 'steps')?.some((step) => isRecord(step) && 'step_id' in step) === true
    : version.startsWith('ATIF');
}

/** Returns the document without its steps, then each step. */
function* atifUnits(history: History, context: Context): InPieces<Unit[]> {
  if (!taskStartedIn(history)) return [];
  const { session, version } = context;
  const refers = new Set(embeddedChildren(history, context).keys());
  const steps: Step[] = [];
  /** Number of the step that represents an event, by `seq`. */
  const ids = new Map<number, number>();
  for (const turn of yield* turnsInPieces(history)) {
    for (const step of stepOf(turn, refers)) {
      steps.push(step);
      for (const seq of step.seqs) ids.set(seq, steps.length);
    }
    yield;
  }
  const units = [unit(0, documentOf(history, session, version, steps.length), 'document')];
  for (const [index, { seqs, part, value, forgotten }] of steps.entries()) {
    const { extra, ...rest } = value;
    const left = forgotten && [...new Set(forgotten.flatMap((each) => ids.get(each) ?? []))];
    const fields = {
      step_id: index + 1,
      ...rest,
      extra: left ? { ...(extra as JsonObject), forgotten_steps: left } : extra,
    };
    units.push(unit(seqs[0] ?? 0, withoutUndefined(fields), part));
    yield;
  }
  return units;
}

/**
 * `seqs`: the events that the step represents, its own first. `forgotten`: the events that the model does not read from
 * this step on.
 */
interface Step {
  readonly seqs: readonly number[];
  readonly part: string;
  readonly value: JsonObject;
  readonly forgotten?: readonly number[];
}

function stepOf(turn: Turn, refers: ReadonlySet<string>): Step[] {
  const { event } = turn;
  const stamp = event.at > 0 ? { timestamp: utcTime(event.at) } : {};
  switch (turn.kind) {
    case 'system':
      return systemPromptOf(turn.event) === ''
        ? []
        : [
            {
              seqs: [event.seq],
              part: 'system',
              value: { ...stamp, source: 'system', message: systemPromptOf(turn.event) },
            },
          ];
    case 'words': {
      if (turn.event.type === 'task_started')
        return turn.text === ''
          ? []
          : [{ seqs: [event.seq], part: 'task', value: { ...stamp, source: 'user', message: messageOf(turn) } }];
      const cause = causeOf(turn.event);
      return [
        {
          seqs: [event.seq],
          part: '',
          value: withoutUndefined({ ...stamp, source: 'user', message: messageOf(turn), extra: cause && { cause } }),
        },
      ];
    }
    case 'reply':
      return [
        {
          seqs: [event.seq, ...turn.results.flatMap(({ observation }) => observation?.seq ?? [])],
          part: '',
          value: { ...stamp, ...agentStep(turn, refers) },
        },
      ];
    case 'condensation':
      return [
        { seqs: [event.seq], part: '', forgotten: turn.event.forgotten, value: condensationStep(turn.event, stamp) },
      ];
    case 'end':
      return [];
  }
}

function causeOf(event: Extract<Turn, { kind: 'words' }>['event']): string | undefined {
  if (event.type === 'feedback') return event.cause;
  return event.type === 'resumed' ? 'resumed' : undefined;
}

/** Image types that the format allows. */
const mediaTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** Returns a string or, if there are images, a list of parts. */
function messageOf(words: Extract<Turn, { kind: 'words' }>): string | JsonObject[] {
  const pictures = picturesOf(words).filter(({ mediaType }) => mediaTypes.includes(mediaType));
  return pictures.length === 0
    ? words.text
    : [
        { type: 'text', text: words.text },
        ...pictures.map(({ mediaType, url }) => ({ type: 'image', source: { media_type: mediaType, path: url } })),
      ];
}

function agentStep(turn: ReplyTurn, refers: ReadonlySet<string>): JsonObject {
  const { event, results, hiddenBy } = turn;
  const typed = event.by === 'person';
  const calls = results.map(({ action }) => {
    const object = typeof action.input === 'object' && action.input !== null && !Array.isArray(action.input);
    return withoutUndefined({
      tool_call_id: action.id,
      function_name: action.tool,
      arguments: object ? action.input : {},
      extra: withoutUndefined({
        summary: action.summary,
        risk: action.risk.level === 'unknown' ? undefined : action.risk.level,
        raw_arguments: action.problem === undefined && object ? undefined : action.rawInput,
      }),
    });
  });
  const answers = results.filter(({ observation }) => observation).map((result) => atifResult(result, refers));
  return withoutUndefined({
    source: 'agent',
    model_name: typed ? undefined : event.model || undefined,
    message: event.written ?? event.text,
    reasoning_content: typed ? undefined : event.reasoning?.text || undefined,
    tool_calls: calls.length > 0 ? calls : undefined,
    observation: answers.length > 0 ? { results: answers } : undefined,
    metrics: typed ? undefined : metricsOf(event),
    llm_call_count: typed ? 0 : (event.sampling?.candidates.length ?? 1),
    extra: withoutUndefined({
      finish_reason: event.finishReason || undefined,
      duration_ms: event.durationMs || undefined,
      by: event.by,
      words: event.written === undefined ? undefined : event.text,
      left_out: hiddenBy && true,
    }),
  });
}

function atifResult({ action, observation, text }: Result, refers: ReadonlySet<string>): JsonObject {
  const { details, outcome, durationMs } = observation!;
  const sessions = details?.kind === 'delegate' ? details.children.map(({ session }) => session) : [];
  const there = sessions.filter((session) => refers.has(session));
  const elsewhere = sessions.filter((session) => !refers.has(session));
  return withoutUndefined({
    source_call_id: action.id,
    content: text,
    subagent_trajectory_ref:
      there.length > 0 ? there.map((session) => ({ trajectory_id: session, session_id: session })) : undefined,
    extra: withoutUndefined({
      outcome,
      duration_ms: durationMs,
      exit_code: details?.kind === 'command' ? details.exitCode : undefined,
      sessions: elsewhere.length > 0 ? elsewhere : undefined,
    }),
  });
}

/**
 * Cached tokens are a part of the input tokens. If the provider reports fewer input tokens than cached ones, the number
 * is omitted.
 */
const cachedWithin = ({
  inputTokens,
  cachedTokens,
}: {
  inputTokens: number | null;
  cachedTokens: number | null;
}): number | undefined =>
  inputTokens !== null && cachedTokens !== null && cachedTokens > inputTokens ? undefined : (cachedTokens ?? undefined);

function metricsOf({
  usage: { inputTokens, outputTokens, cachedTokens, cost },
}: EventOf<'agent_response'>): JsonObject | undefined {
  const metrics = withoutUndefined({
    prompt_tokens: inputTokens ?? undefined,
    completion_tokens: outputTokens ?? undefined,
    cached_tokens: cachedWithin({ inputTokens, cachedTokens }),
    cost_usd: cost ?? undefined,
  });
  return Object.keys(metrics).length > 0 ? metrics : undefined;
}

const condensationStep = ({ summary, reasons }: EventOf<'condensation'>, stamp: JsonObject): JsonObject =>
  withoutUndefined({
    ...stamp,
    source: 'system',
    message: 'Earlier messages are no longer sent to the model.',
    observation: summary === '' ? undefined : { results: [{ content: summary }] },
    extra: withoutUndefined({ context_management: { type: 'compaction', boundary: 'truncate' }, reasons }),
  });

/** Programs that write each format. */
const programs: Readonly<Record<string, string>> = {
  mini: 'mini-swe-agent',
  sharegpt: 'hermes-agent',
  openhands: 'openhands',
};

function documentOf(history: History, session: string, version: string, steps: number): JsonObject {
  const { model, profile, origin } = taskStartedIn(history)!;
  const { usage } = sessionSpending(history);
  const end = finishedEvent(history);
  const tools = toolDefinitions(history).map(({ name: tool, description, parameters }) => ({
    type: 'function',
    function: { name: tool, description, parameters },
  }));
  return withoutUndefined({
    schema_version: atifVersion,
    session_id: session,
    trajectory_id: session,
    agent: withoutUndefined({
      ...(origin === undefined
        ? { name: 'waymark', version }
        : { name: model.provider || programs[origin] || 'unknown', version: 'unknown' }),
      model_name: model.name || undefined,
      tool_definitions: tools.length > 0 ? tools : undefined,
      extra: profile === undefined ? undefined : { profile },
    }),
    final_metrics: withoutUndefined({
      total_prompt_tokens: usage.inputTokens ?? undefined,
      total_completion_tokens: usage.outputTokens ?? undefined,
      total_cached_tokens: cachedWithin(usage),
      total_cost_usd: usage.cost ?? undefined,
      total_steps: steps,
    }),
    extra:
      end &&
      withoutUndefined({ status: end.status, cause: end.cause, summary: end.summary, ...resultsToWrite(history) }),
  });
}
