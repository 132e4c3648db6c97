import { type Action, type Event, type EventOf, type Reasoning, AgentResult } from '../../protocol/events/event';
import { personCommandText } from '../model/messages';
import type { History } from '../log/projection';
import type { InPieces } from '../text/slices';
import { restoreForeign, type Unit } from './foreignRemainder';
import { maskedHistoryInPieces } from './maskedHistory';
import type { JsonObject } from './reading/json';
import type { ReplyTurn, Result, Turn } from './turns';
import type { TrajectoryFormat } from './format';

/** Formats a call for OpenAI's chat format, with the arguments as the model wrote them if they are valid JSON. */
export function asToolCall({ action }: Result): JsonObject {
  const { id, tool, signature } = action;
  const name = tool.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
  return {
    id,
    type: 'function',
    function: { name, arguments: argumentsOf(action) },
    ...(signature !== undefined && { extra_content: { google: { thought_signature: signature } } }),
  };
}

/**
 * Returns the arguments as JSON text of an object. A call in another dialect is written in Waymark's form, to match its
 * tool.
 */
export function argumentsOf({
  input,
  rawInput,
  called,
  problem,
}: Partial<Pick<Action, 'input' | 'rawInput' | 'called' | 'problem'>>): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return '{}';
  const isWritten = problem === undefined && called === undefined;
  return (isWritten && rawInput?.trim()) || JSON.stringify(input);
}

/** Returns the fields in which a reply's reasoning is sent back to its provider. */
export function reasoningFields(reasoning: Reasoning | undefined): JsonObject {
  if (!reasoning) return {};
  const { text, field = 'reasoning_content', details, detailsField = 'reasoning_details' } = reasoning;
  return {
    ...(text !== '' && { [field]: text }),
    ...(details &&
      (detailsField === 'reasoning_details' || detailsField === 'thinking_blocks') && { [detailsField]: details }),
  };
}

/** Returns the reply as the model wrote it. A command typed by a person is returned as the model reads it. */
export function replyText({ event }: ReplyTurn): string {
  return event.by === 'person' ? personCommandText(event) : (event.written ?? event.text);
}

/** Returns the images of a message as data URLs. */
export const picturesOf = ({
  event,
}: {
  readonly event: Event;
}): { readonly mediaType: string; readonly url: string }[] =>
  ('images' in event ? (event.images ?? []) : []).map(({ mediaType, data }) => ({
    mediaType,
    url: `data:${mediaType};base64,${data}`,
  }));

/** Formats user content for OpenAI's chat format: a string or, with images, a list of parts. */
export function userContent(words: { readonly event: Event; readonly text: string }): string | JsonObject[] {
  const pictures = picturesOf(words);
  return pictures.length === 0
    ? words.text
    : [{ type: 'text', text: words.text }, ...pictures.map(({ url }) => ({ type: 'image_url', image_url: { url } }))];
}

/** True if the model has read this reply, or will. */
export const isRead = (turn: Turn): boolean => turn.kind !== 'reply' || turn.hiddenBy === undefined;

/** Returns the event that began the run; undefined for a log without a task. */
export function taskStartedIn(history: History): EventOf<'task_started'> | undefined {
  return history.find((event) => event.type === 'task_started');
}

/** Returns how a run ended, if nothing happened afterwards. */
export function finishedEvent(history: History): EventOf<'finished'> | undefined {
  const last = history.findLast(({ type }) => endings.has(type));
  return last?.type === 'finished' ? last : undefined;
}

const endings: ReadonlySet<Event['type']> = new Set<Event['type']>([
  'finished',
  'agent_response',
  'user_message',
  'resumed',
  'task_started',
]);

/**
 * Returns the parts of a file in this format: without secrets, and with the original contents of the file that the run
 * was read from.
 */
export function* foreignParts(
  history: History,
  format: string,
  unitsOf: (history: History) => InPieces<readonly Unit[]>,
): InPieces<Unit[]> {
  const safe = yield* maskedHistoryInPieces(history);
  return restoreForeign(safe, format, yield* unitsOf(safe));
}

/** Name of the field with the list of results in files of other programs; the same as in AgentFoundation. */
const resultsField = 'agent_results';

/**
 * Returns the list of results for people with which a run ended, as a field of a foreign file. Returns an empty object
 * if the run ended without one.
 */
export function resultsToWrite(history: History): { [resultsField]?: readonly AgentResult[] } {
  const results = finishedEvent(history)?.results;
  return results === undefined ? {} : { [resultsField]: results };
}

/** Reads the same field; returns an empty object if it is absent or has another type. */
export function resultsIn(holder: unknown): { results?: AgentResult[] } {
  const value = typeof holder === 'object' && holder !== null ? Reflect.get(holder, resultsField) : undefined;
  const results = AgentResult.array().safeParse(value).data;
  return results === undefined ? {} : { results };
}

/** Lists what a run contains and a format cannot store, worded for the person who exports it. */
export function notStoredIn(format: TrajectoryFormat, history: History): readonly string[] {
  const results = finishedEvent(history)?.results ?? [];
  if (results.length === 0 || format.keepsResults === true) return [];
  return [`${format.label} cannot store the list of results (${resultsField}), so it is omitted.`];
}
