import type { EventOf } from '../../../protocol/events/event';
import { systemPromptOf } from '../../../protocol/plain/systemPrompt';
import type { History } from '../../log/projection';
import { unit, type Unit } from '../foreignRemainder';
import { fnv1a } from '../../text/fnv1a';
import type { InPieces } from '../../text/slices';
import type { JsonObject } from '../reading/json';
import { localTime } from '../times';
import { turnsInPieces, type ReplyTurn, type Result, type Turn } from '../turns';
import { argumentsOf, finishedEvent, isRead, picturesOf } from '../exportParts';
import { withoutUndefined } from '../../text/withoutUndefined';
import { commandOfInput } from '../../../protocol/plain/commandOfInput';

/** Returns the id of an event: stable for the same part of the same session. */
export function idFor(session: string, seq: number, part = ''): string {
  const hex = [0, 1, 2, 3]
    .map((round) => mixedHash(`${round}/${session}/${seq}/${part}`).toString(16).padStart(8, '0'))
    .join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Applies a final mix, so that similar inputs get very different hashes. */
function mixedHash(text: string): number {
  const hash = fnv1a(text);
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

export const responseId = (seq: number): string => `resp_${seq}`;

const textPart = (text: string): JsonObject => ({ cache_prompt: false, type: 'text', text });
const textParts = (text: string): JsonObject[] => (text === '' ? [] : [textPart(text)]);

/** Adds an event. `part`: tells the events of one `seq` apart. */
type Put = (
  place: { seq: number; at: number; part?: string },
  kind: string,
  source: string,
  fields: JsonObject,
) => Unit;

/**
 * Returns every event that OpenHands would have stored. Null fields are omitted, and only fields that it knows are
 * written.
 */
export function* eventsOf(history: History, session: string): InPieces<Unit[]> {
  const end = finishedEvent(history);
  const turns = yield* turnsInPieces(history);
  const places = turns.flatMap(({ kind, event }) => (kind === 'end' ? [] : [event.seq]));
  const units: Unit[] = [];
  const condensations: { unit: Unit; forgotten: readonly number[] }[] = [];
  const addUnit: Put = ({ seq, at, part = '' }, kind, source, fields) => {
    const made = unit(
      seq,
      withoutUndefined({ id: idFor(session, seq, part), timestamp: localTime(at), source, ...fields, kind }),
      part,
    );
    units.push(made);
    return made;
  };
  for (const turn of turns.filter(isRead)) {
    yield;
    switch (turn.kind) {
      case 'system':
        ofSystem(turn.event, addUnit);
        break;
      case 'words':
        ofWords(turn, addUnit);
        break;
      case 'reply':
        ofReply(turn, addUnit);
        break;
      case 'condensation':
        condensations.push({ forgotten: turn.event.forgotten, unit: ofCondensation(turn.event, places, addUnit) });
        break;
      case 'end':
        if (turn.event === end) ofEnd(end, addUnit);
        break;
    }
  }
  // What was forgotten may have been written after the condensation.
  const idsOf = idsBySeq(units);
  for (const { unit: made, forgotten } of condensations)
    made.value['forgotten_event_ids'] = forgotten.flatMap((seq) => idsOf.get(seq) ?? []);
  return units;
}

function ofSystem(event: EventOf<'task_started'>, addUnit: Put): void {
  const prompt = systemPromptOf(event);
  if (prompt !== '')
    addUnit({ seq: event.seq, at: event.at, part: 'system' }, 'SystemPromptEvent', 'agent', {
      system_prompt: textPart(prompt),
      tools: [],
    });
}

function ofWords(turn: Extract<Turn, { kind: 'words' }>, addUnit: Put): void {
  const { seq, at, type } = turn.event;
  const isTask = type === 'task_started';
  if (isTask && turn.text === '') return;
  const urls = picturesOf(turn).map(({ url }) => url);
  const pictures = urls.length > 0 ? [{ cache_prompt: false, type: 'image', image_urls: urls }] : [];
  addUnit(
    { seq, at, part: isTask ? 'task' : '' },
    'MessageEvent',
    turn.by === 'person' ? 'user' : 'environment',
    messageFields('user', [...textParts(turn.text), ...pictures]),
  );
}

/** The ids of what was forgotten are added later. */
const ofCondensation = (event: EventOf<'condensation'>, places: readonly number[], addUnit: Put): Unit =>
  addUnit({ seq: event.seq, at: event.at }, 'Condensation', 'environment', {
    forgotten_event_ids: [],
    summary: event.summary || undefined,
    summary_offset: event.summary === '' ? undefined : summaryOffset(places, event),
    llm_response_id: responseId(event.seq),
  });

function ofEnd(end: EventOf<'finished'>, addUnit: Put): void {
  if (end.status !== 'failed' && end.status !== 'limit_exceeded') return;
  addUnit({ seq: end.seq, at: end.at }, 'ConversationErrorEvent', 'environment', {
    code: errorCode(end),
    detail: end.problem ? `${end.problem.what} ${end.problem.why}` : end.summary,
  });
}

function idsBySeq(units: readonly Unit[]): ReadonlyMap<number, unknown[]> {
  const ids = new Map<number, unknown[]>();
  for (const { seq, part, value } of units) if (part !== 'system') ids.set(seq, [...(ids.get(seq) ?? []), value['id']]);
  return ids;
}

const messageFields = (
  role: string,
  content: readonly JsonObject[],
  more: JsonObject = {},
  responded?: string,
): JsonObject => ({
  llm_message: { role, content, ...more, thinking_blocks: more['thinking_blocks'] ?? [] },
  llm_response_id: responded,
  activated_skills: [],
  extended_content: [],
});

/** Returns the number of remaining messages before the summary. */
const summaryOffset = (places: readonly number[], { seq, forgotten }: EventOf<'condensation'>): number => {
  const first = forgotten.reduce((least, each) => Math.min(least, each), seq);
  return places.filter((place) => place < first).length;
};

function errorCode({ status, cause }: EventOf<'finished'>): string {
  if (status === 'limit_exceeded') return cause === 'cost' ? 'MaxBudgetReached' : 'MaxIterationsReached';
  if (cause === 'context_overflow') return 'LLMContextWindowExceedError';
  return cause === 'model' ? 'LLMError' : 'AgentError';
}

function ofReply({ event, results, answers }: ReplyTurn, put: Put): void {
  const { seq, at, reasoning } = event;
  const source = event.by === 'person' ? 'user' : 'agent';
  const thoughts = withoutUndefined({
    reasoning_content: reasoning?.text || undefined,
    thinking_blocks: reasoning?.detailsField === 'thinking_blocks' ? reasoning.details : [],
  });
  if (results.length === 0)
    return void put(
      { seq, at },
      'MessageEvent',
      source,
      messageFields('assistant', textParts(event.text), thoughts, responseId(seq)),
    );
  const actions = results.map(({ action }, index) =>
    put({ seq, at, part: `action-${index}` }, 'ActionEvent', source, {
      thought: index === 0 ? textParts(event.text) : [],
      ...(index === 0 ? thoughts : { thinking_blocks: [] }),
      action: action.problem === undefined ? actionFor(action) : undefined,
      tool_name: action.tool,
      tool_call_id: action.id,
      tool_call: { id: action.id, name: action.tool, arguments: argumentsOf(action), origin: 'completion' },
      llm_response_id: responseId(seq),
      security_risk: action.risk.level.toUpperCase(),
      summary: action.summary,
    }),
  );
  for (const answer of answers)
    if (answer.observation) ofResult(answer, answer.observation, actions[results.indexOf(answer)]!.value['id'], put);
}

function ofResult(
  { action, text }: Result,
  { seq, at, outcome, details }: EventOf<'observation'>,
  actionId: unknown,
  put: Put,
): void {
  const callFields = { tool_name: action.tool, tool_call_id: action.id };
  switch (outcome) {
    case 'rejected':
      return void put({ seq, at }, 'UserRejectObservation', 'environment', {
        ...callFields,
        rejection_reason: text,
        rejection_source: 'user',
        action_id: actionId,
      });
    case 'skipped':
    case 'interrupted':
    case 'unknown':
      return void put({ seq, at }, 'AgentErrorEvent', 'agent', { ...callFields, error: text });
    default:
      break;
  }
  if (action.problem !== undefined)
    return void put({ seq, at }, 'AgentErrorEvent', 'agent', { ...callFields, error: text });
  put({ seq, at }, 'ObservationEvent', 'environment', {
    ...callFields,
    observation: {
      content: textParts(text),
      is_error: outcome !== 'ok',
      ...observationFor(action, outcome === 'timeout', details),
    },
    action_id: actionId,
  });
}

interface KnownEvent {
  readonly kind: string;
  readonly fields: readonly string[];
  readonly required: readonly string[];
}

/** Tools of OpenHands with the arguments of their actions. */
const tools: Readonly<Record<string, KnownEvent>> = {
  terminal: { kind: 'Terminal', fields: ['command', 'is_input', 'timeout', 'reset'], required: ['command'] },
  file_editor: {
    kind: 'FileEditor',
    fields: ['command', 'path', 'file_text', 'old_str', 'new_str', 'insert_line', 'view_range'],
    required: ['command', 'path'],
  },
  task_tracker: { kind: 'TaskTracker', fields: ['command', 'task_list'], required: ['command'] },
  finish: { kind: 'Finish', fields: ['message'], required: ['message'] },
  think: { kind: 'Think', fields: ['thought'], required: ['thought'] },
};

/** Returns the OpenHands tool for a call. Other calls are stored as MCP tool calls, which accept any arguments. */
function toolFor({ tool, input }: Result['action']): KnownEvent | undefined {
  const fields = typeof input === 'object' && input !== null ? Object.keys(input) : [];
  const same = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
  if (
    same &&
    fields.every((field) => same.fields.includes(field)) &&
    same.required.every((field) => fields.includes(field))
  )
    return same;
  return undefined;
}

function actionFor(action: Result['action']): JsonObject {
  const tool = toolFor(action);
  const input = action.input as JsonObject;
  if (tool) return { ...input, kind: `${tool.kind}Action` };
  if (action.tool === 'finish' && typeof (input as JsonObject | null)?.['summary'] === 'string')
    return { message: input['summary'], kind: 'FinishAction' };
  const command = commandOfInput(action.input);
  if (command !== undefined && action.effect === 'executes')
    return { command, is_input: false, reset: false, kind: 'TerminalAction' };
  return {
    data: typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {},
    kind: 'MCPToolAction',
  };
}

function observationFor(
  action: Result['action'],
  timeout: boolean,
  details: EventOf<'observation'>['details'],
): JsonObject {
  const isCommand = commandOfInput(action.input) !== undefined && action.effect === 'executes';
  const ownKind = isCommand ? 'Terminal' : undefined;
  const kind = toolFor(action)?.kind ?? (action.tool === 'finish' ? 'Finish' : ownKind);
  const { command, path } = (action.input ?? {}) as { command?: unknown; path?: unknown };
  switch (kind) {
    case 'Terminal': {
      const exitCode = !timeout && details?.kind === 'command' ? (details.exitCode ?? -1) : -1;
      return {
        command,
        exit_code: exitCode,
        timeout,
        metadata: {
          exit_code: exitCode,
          pid: -1,
          ...(details?.kind === 'command' && { working_dir: details.cwd }),
          prefix: '',
          suffix: '',
        },
        kind: 'TerminalObservation',
      };
    }
    case 'FileEditor':
      return { command, path, prev_exist: true, kind: 'FileEditorObservation' };
    case 'TaskTracker':
      return { command, task_list: [], kind: 'TaskTrackerObservation' };
    case 'Finish':
    case 'Think':
      return { kind: `${kind}Observation` };
    default:
      return { tool_name: action.tool, kind: 'MCPToolObservation' };
  }
}
