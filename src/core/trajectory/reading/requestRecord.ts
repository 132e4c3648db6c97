import type { Usage } from '../../../protocol/events/event';
import { parseTime } from '../times';
import { contentText } from './contentParts';
import { listIn, numberIn, objectIn, parseBoundedJson, textIn, type JsonObject } from './json';
import { unknownUsage } from '../../log/spending';
import { isOutput, responseOutput, type ReadOutput } from './responseItems';
import { isRecord } from '../../text/parseJson';

/** A request to a model and its answer, as logged by a proxy or a batch. */
interface RequestRecord {
  readonly messages: readonly unknown[];
  /** Path of the messages in the record: "messages", "body.messages". */
  readonly where: string;
  readonly system: string | undefined;
  readonly tools: readonly string[];
  readonly answer: RecordedAnswer | undefined;
  readonly model: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number | undefined;
  readonly durationMs: number | undefined;
  readonly usage: Usage;
  /** Reason for the missing answer, in the words of the log. */
  readonly failure: string | undefined;
}

/** Answer of the model: a chat message, or the items of a response. */
export interface RecordedAnswer {
  readonly where: string;
  readonly message: JsonObject | undefined;
  readonly output: ReadOutput | undefined;
  readonly model: string | undefined;
  readonly finishReason: string | undefined;
  readonly usage: Usage | undefined;
  /** Number of choices; only the first is read. */
  readonly choices: number;
}

/** Paths at which a record may contain the request. */
const requestPaths: readonly (readonly string[])[] = [
  [],
  ['body'],
  ['request'],
  ['request', 'body'],
  ['kwargs'],
  ['request_body'],
  ['requestBody'],
  ['proxy_server_request'],
  ['proxy_server_request', 'body'],
];
/** Paths at which a record may contain the answer. */
const answerPaths: readonly (readonly string[])[] = [
  ['response', 'body'],
  ['response'],
  ['response_body'],
  ['responseBody'],
  ['completion'],
  ['output'],
  [],
];

/** True if a value is such a record, not a chat without a request. */
export function isRequestRecord(value: unknown): boolean {
  if (!isRecord(value) || Array.isArray(value['conversations'])) return false;
  if (answerAt(value, [])) return true;
  const asked = requestPaths.find((path) => asksIn(valueAt(value, path)) !== undefined);
  if (asked === undefined)
    return isEmptyLog(value) || (textIn(value, 'custom_id') !== undefined && 'response' in value);
  return (
    asked.length > 0 ||
    'response' in value ||
    'error_str' in value ||
    answerPaths.some((path) => answerAt(value, path) !== undefined)
  );
}

/** LiteLLM writes such lines if it is configured not to store messages. */
const isEmptyLog = (value: JsonObject): boolean => 'call_type' in value && 'messages' in value && 'response' in value;

/** Reads the record of a request from the log of a gateway or tracing program, which store it under different paths. */
export function requestRecord(value: JsonObject): RequestRecord {
  const path = requestPaths.find((each) => asksIn(valueAt(value, each)) !== undefined) ?? [];
  const request = valueAt(value, path) as JsonObject;
  const asked = asksIn(request);
  const answer = answerPaths.map((each) => answerAt(value, each)).find((each) => each !== undefined);
  const started = parseTime(textIn(value, 'startTime') ?? textIn(value, 'timestamp') ?? textIn(value, 'created_at'));
  const ended = parseTime(textIn(value, 'endTime'));
  const usage = answer?.usage ?? usageOf(value);
  return {
    messages: asked?.messages ?? [],
    where: [...path, asked?.field ?? 'messages'].join('.'),
    system: contentText(request['system'] ?? request['instructions'] ?? request['systemInstruction']) || undefined,
    tools: toolNames(request),
    answer,
    model: answer?.model ?? textIn(value, 'model') ?? textIn(request, 'model'),
    at: started ?? secondsAt(numberIn(value, 'startTime') ?? numberIn(value, 'created')),
    durationMs: started !== undefined && ended !== undefined ? Math.max(0, ended - started) : undefined,
    usage: { ...usage, cost: numberIn(value, 'response_cost') ?? numberIn(value, 'spend') ?? usage.cost },
    failure: failureOf(value),
  };
}

function secondsAt(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

/** Returns the value at a path. JSON stored as text by a database is parsed. */
function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? fromText(inner[key]) : undefined),
    value,
  );
}

function fromText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const read = parseBoundedJson(value);
  return 'value' in read ? read.value : value;
}

/** Returns the content of a request: messages, the input of the Responses API, or Gemini's contents. */
function asksIn(request: unknown): { readonly field: string; readonly messages: readonly unknown[] } | undefined {
  for (const field of ['messages', 'input', 'contents']) {
    const asked = valueAt(request, [field]);
    if (Array.isArray(asked) && asked.length > 0 && asked.every(isRecord)) return { field, messages: asked };
    const isPrompt =
      typeof asked === 'string' && asked !== '' && (field !== 'input' || textIn(request, 'model') !== undefined);
    if (isPrompt) return { field, messages: [{ role: 'user', content: asked }] };
  }
  return undefined;
}

function toolNames(request: JsonObject): string[] {
  return (listIn(request, 'tools') ?? []).flatMap(
    (tool) => textIn(tool, 'name') ?? textIn(objectIn(tool, 'function'), 'name') ?? [],
  );
}

function answerAt(value: JsonObject, path: readonly string[]): RecordedAnswer | undefined {
  const found = valueAt(value, path);
  const where = path.join('.');
  if (typeof found === 'string' && found !== '')
    return { ...answerWithUsage({}, where), message: { role: 'assistant', content: found } };
  if (!isRecord(found)) return undefined;
  const choices = (listIn(found, 'choices') ?? []).filter(isRecord);
  const [choice] = choices;
  if (choice) {
    const message = objectIn(choice, 'message') ??
      objectIn(choice, 'delta') ?? { content: textIn(choice, 'text') ?? '' };
    return {
      ...answerWithUsage(found, where),
      message: { ...message, role: 'assistant' },
      finishReason: textIn(choice, 'finish_reason'),
      choices: choices.length,
    };
  }
  const [candidate] = (listIn(found, 'candidates') ?? []).filter(isRecord);
  if (candidate)
    return {
      ...answerWithUsage(found, where),
      message: { ...objectIn(candidate, 'content'), role: 'assistant' },
      finishReason: textIn(candidate, 'finishReason'),
    };
  if (isOutput(found))
    return {
      ...answerWithUsage(found, where),
      output: responseOutput(listIn(found, 'output')!),
      finishReason: textIn(found, 'status'),
    };
  // A bare message, as Anthropic answers. At the top level of a record, it would be a chat message.
  const isMessage = path.length > 0 && textIn(found, 'role') === 'assistant' && 'content' in found;
  return isMessage
    ? { ...answerWithUsage(found, where), message: found, finishReason: textIn(found, 'stop_reason') }
    : undefined;
}

function answerWithUsage(response: JsonObject, where: string): RecordedAnswer {
  const counted = objectIn(response, 'usage') ?? objectIn(response, 'usageMetadata');
  return {
    where,
    message: undefined,
    output: undefined,
    model: textIn(response, 'model'),
    finishReason: undefined,
    usage: counted && usageOf(counted),
    choices: 1,
  };
}

function usageOf(counted: JsonObject): Usage {
  const cached =
    numberIn(
      objectIn(counted, 'prompt_tokens_details') ?? objectIn(counted, 'input_tokens_details'),
      'cached_tokens',
    ) ?? numberIn(counted, 'cache_read_input_tokens');
  return {
    ...unknownUsage,
    inputTokens:
      numberIn(counted, 'prompt_tokens') ??
      numberIn(counted, 'input_tokens') ??
      numberIn(counted, 'promptTokenCount') ??
      null,
    outputTokens:
      numberIn(counted, 'completion_tokens') ??
      numberIn(counted, 'output_tokens') ??
      numberIn(counted, 'candidatesTokenCount') ??
      null,
    cachedTokens: cached ?? null,
  };
}

/** Returns the error message of the record or of the response body. */
function failureOf(value: JsonObject): string | undefined {
  const places = [
    valueAt(value, ['error_str']),
    valueAt(value, ['error']),
    valueAt(value, ['response', 'body', 'error']),
    valueAt(value, ['response', 'error']),
    valueAt(value, ['exception']),
  ];
  for (const error of places) {
    const words = typeof error === 'string' ? error : (textIn(error, 'message') ?? textIn(error, 'code'));
    if (words) return words;
  }
  return textIn(value, 'status') === 'failure'
    ? textIn(objectIn(value, 'error_information'), 'error_message') || 'The request failed.'
    : undefined;
}
