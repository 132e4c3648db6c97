import type { EventOf } from '../../../protocol/events/event';
import { originalKey } from '../foreignRemainder';
import { firstEvent, callsIn, reasoningIn, type RunBeginning } from './chat';
import { shortJson, readContent, type ReadParts } from './contentParts';
import { textIn, type JsonObject } from './json';
import type { LogBuilder, StoredCall } from './logBuilder';
import { itemOf } from './responseItems';
import { isRecord } from '../../text/parseJson';

/** Data about a reply from outside its message. */
export type ReplyFacts = Partial<Pick<EventOf<'agent_response'>, 'usage' | 'model' | 'finishReason' | 'durationMs'>>;

/** Location of a chat, and data about it from outside its messages. */
interface ChatBeginning extends Omit<RunBeginning, 'task' | 'images'> {
  readonly where: string;
  /** Milliseconds since 1970. */
  readonly at?: number | undefined;
}

/** Reads a chat from its beginning. Its system prompt and task become the start of the run. */
export function readChat(
  messages: readonly unknown[],
  { where, at = 0, ...told }: ChatBeginning,
  builder: LogBuilder,
): void {
  const [first, second] = messages;
  const system = ['system', 'developer'].includes(roleOf(first) ?? '') ? (first as JsonObject) : undefined;
  const opening = system ? second : first;
  const begun =
    roleOf(opening) === 'user' && readParts(opening).results.length === 0 ? (opening as JsonObject) : undefined;
  const task = begun && readParts(begun);
  builder.append(
    firstEvent({
      ...told,
      systemPrompt: system ? readParts(system).text : told.systemPrompt,
      task: task && plainTextOf(task),
      images: task?.images ?? [],
    }),
    at,
  );
  const place = (index: number): string => `${where}[${index}]`;
  if (system) {
    builder.originals.set(originalKey(0, 'system'), system);
    reportUnknown(readParts(system), place(0), builder);
  }
  if (begun && task) {
    builder.originals.set(originalKey(0, 'task'), begun);
    reportUnknown(task, place(system ? 1 : 0), builder);
  }
  const next = (system ? 1 : 0) + (begun ? 1 : 0);
  for (let index = next; index < messages.length; index++) {
    const seq = readMessage(messages[index], place(index), builder);
    if (seq === undefined) builder.others.set(index, messages[index]);
    else builder.originals.set(originalKey(seq), messages[index]);
  }
}

/**
 * Reads one message, or one item of the Responses API. Returns the first event that represents it, or undefined if
 * there is none.
 */
export function readMessage(
  message: unknown,
  where: string,
  builder: LogBuilder,
  facts: ReplyFacts = {},
): number | undefined {
  if (!isRecord(message)) return void builder.problem(where, 'It is not a message, so it is skipped.');
  const item = itemOf(message);
  if (item?.kind === 'thought') return builder.reply({ ...facts, reasoning: { text: item.text } });
  if (item?.kind === 'call') return builder.reply({ ...facts, calls: [item.call] });
  if (item?.kind === 'result') return addResult(item, where, builder);
  const role = roleOf(message);
  const parts = readParts(message);
  if (parts.strange) builder.problem(where, 'Its content is neither text nor a list of parts, so it is shown as JSON.');
  reportUnknown(parts, where, builder);
  switch (role) {
    case 'user':
    case 'system':
    case 'developer':
      return readWords(parts, where, builder);
    case 'assistant':
      return readReply(message, builder, { parts, where, facts });
    case 'tool':
    case 'function':
      return readResults(message, parts, where, builder);
    default:
      return void builder.problem(
        where,
        `Its role ${JSON.stringify(message['role'] ?? null)} is unknown, so it is skipped.`,
      );
  }
}

/** Gemini calls the assistant "model". */
function roleOf(message: unknown): string | undefined {
  const role = textIn(message, 'role');
  return role === 'model' ? 'assistant' : role;
}

interface MessageParts extends ReadParts {
  /** True if the content is not a valid message content. */
  readonly strange: boolean;
}

function readParts(message: unknown): MessageParts {
  const content = isRecord(message) ? (message['content'] ?? message['parts']) : undefined;
  const parts = readContent(content);
  if (parts) return { ...parts, strange: false };
  return { text: shortJson(content), images: [], thoughts: '', calls: [], results: [], unknown: [], strange: true };
}

/** In messages of others than the model, thoughts and calls are plain text. */
function plainTextOf({ text, thoughts, calls }: ReadParts): string {
  return [text, thoughts, ...calls.map((call) => shortJson({ tool: call.tool, arguments: call.arguments }))]
    .filter(Boolean)
    .join('\n');
}

function reportUnknown({ unknown }: ReadParts, where: string, builder: LogBuilder): void {
  if (unknown.length === 0) return;
  const kinds = unknown.map((kind) => `"${kind}"`).join(', ');
  builder.problem(where, `It contains parts of an unknown kind (${kinds}). They are shown as JSON.`);
}

/** Reads a person's message, with the results of calls among them if the protocol assigns those to the user. */
function readWords(parts: ReadParts, where: string, builder: LogBuilder): number | undefined {
  const seqs = parts.results.map((result) => addResult(result, where, builder));
  const text = plainTextOf(parts);
  if (text !== '' || parts.images.length > 0 || parts.results.length === 0) {
    seqs.push(
      builder.append({ type: 'user_message', text, ...(parts.images.length > 0 && { images: [...parts.images] }) }),
    );
  }
  return seqs.find((seq) => seq !== undefined);
}

function readReply(
  message: JsonObject,
  builder: LogBuilder,
  { parts, where, facts }: { readonly parts: ReadParts; readonly where: string; readonly facts: ReplyFacts },
): number {
  const calls: readonly StoredCall[] = [...callsIn(message, where, builder), ...parts.calls];
  const reasoning = reasoningIn(message) ?? (parts.thoughts === '' ? undefined : { text: parts.thoughts });
  const pictures = parts.images.map(({ mediaType }) => `[image: ${mediaType}]`).join('\n');
  const content = [parts.text, pictures].filter(Boolean).join('\n');
  const reply = builder.reply({
    ...facts,
    text: content || textIn(message, 'refusal') || '',
    calls,
    ...(reasoning && { reasoning }),
  });
  // Results of tools that the provider runs itself are part of the reply.
  for (const result of parts.results) addResult(result, where, builder);
  return reply;
}

function readResults(message: JsonObject, parts: ReadParts, where: string, builder: LogBuilder): number | undefined {
  const answered =
    textIn(message, 'role') === 'tool' ? (textIn(message, 'tool_call_id') ?? textIn(message, 'toolCallId')) : undefined;
  const results =
    parts.results.length > 0 ? parts.results : [{ id: answered, content: plainTextOf(parts), failed: false }];
  const seqs = results.map((result) => addResult(result, where, builder));
  return seqs.find((seq) => seq !== undefined);
}

function addResult(
  {
    id,
    content,
    failed = false,
  }: { readonly id: string | undefined; readonly content: string; readonly failed?: boolean },
  where: string,
  builder: LogBuilder,
): number | undefined {
  const seq = builder.observe(id, { outcome: failed ? 'error' : 'ok', content });
  if (seq === undefined) builder.problem(where, 'It answers a call that does not exist, so it is skipped.');
  return seq;
}
