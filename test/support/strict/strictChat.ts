import { dotted } from '../providerJudge/chatBody';
import { unknownKeys } from '../providerJudge/knownKeys';
import type { ChatBody } from '../providerJudge/persona';
import { openAiKeys } from '../providerJudge/personas/openai';

interface Message {
  role?: unknown;
  content?: unknown;
  tool_call_id?: unknown;
  tool_calls?: { id?: unknown; function?: { name?: unknown; arguments?: unknown } }[];
}

const none: ReadonlySet<string> = new Set();

/** Returns a key of a request that is not in OpenAI's protocol. `takes`: additional keys that are accepted anywhere. */
function strangerIn(body: ChatBody, takes: ReadonlySet<string>): string | undefined {
  const strange = unknownKeys(openAiKeys, body, { unsure: true }).find((path) => !takes.has(String(path.at(-1))));
  return strange && `Unknown parameter: '${dotted(strange)}'.`;
}

/**
 * Returns why a real provider would refuse the request, or undefined. `takes`: additional keys that it knows.
 * `takesNeighbours`: whether consecutive user messages are allowed, as with OpenAI but not with many templates of local
 * models.
 */
export function refusal(body: unknown, takes: ReadonlySet<string> = none, takesNeighbours = false): string | undefined {
  const { messages, model, tools } = (body ?? {}) as {
    messages?: Message[];
    model?: unknown;
    tools?: { function?: { name?: unknown; parameters?: { type?: unknown } } }[];
  };
  if (typeof model !== 'string' || !model) return 'you must provide a model parameter';
  if (!Array.isArray(messages) || messages.length === 0) return "[] is too short - 'messages'";
  for (const { function: { name, parameters } = {} } of tools ?? []) {
    if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return `Invalid tool name '${String(name)}'`;
    if (parameters?.type !== 'object')
      return `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"'`;
  }
  if (messages.find(({ role }) => role !== 'system')?.role !== 'user')
    return "messages: the first message must use the 'user' role";
  if (messages.some((message) => !isWellFormed(message)))
    return 'The request body is not valid JSON: no low surrogate in string';
  const stranger = strangerIn(body as ChatBody, takes);
  if (stranger) return stranger;
  let open = new Set<string>();
  const known = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    if (!['system', 'user', 'assistant', 'tool'].includes(String(message.role)))
      return `${at}: invalid role '${String(message.role)}'`;
    const isNeighbour = message.role === messages[index - 1]?.role;
    if (isNeighbour && message.role !== 'tool' && !(takesNeighbours && message.role === 'user'))
      return `${at}: roles must alternate, but two messages in a row are of '${message.role}'`;
    if (message.role === 'system' && index > 0) return `${at}: a system message must be the first and only one`;
    if (message.role === 'tool') {
      if (!open.delete(String(message.tool_call_id)))
        return `${at}: messages with role 'tool' must be a response to a preceding message with 'tool_calls'`;
      if (typeof message.content !== 'string') return `${at}: content of a tool message must be a string`;
      continue;
    }
    if (open.size > 0)
      return `${at}: an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${[...open].join(', ')}`;
    if (message.role !== 'assistant') {
      if (
        !isText(message.content) &&
        !isParts(message.content, message.role === 'user' ? ['text', 'image_url'] : ['text'])
      )
        return `${at}: content must not be empty`;
      continue;
    }
    const calls = message.tool_calls ?? [];
    if (
      calls.length === 0 &&
      !message.content &&
      !['reasoning_content', 'reasoning', 'reasoning_details', 'thinking_blocks'].some((field) => field in message)
    )
      return `${at}: all messages must have non-empty content`;
    if (message.tool_calls?.length === 0) return `${at}: tool_calls must not be empty`;
    if (
      typeof message.content !== 'string' &&
      !(message.content === null && calls.length > 0) &&
      !isParts(message.content, ['thinking', 'redacted_thinking', 'text'])
    )
      return `${at}: content must be a string`;
    for (const { id, function: call } of calls) {
      if (typeof id !== 'string' || !id || id.length > 64) return `${at}: invalid tool call id`;
      if (known.has(id)) return `${at}: duplicate tool call id '${id}'`;
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(call?.name))) return `${at}: Invalid tool name '${String(call?.name)}'`;
      if (!isJsonObject(call?.arguments))
        return `${at}: arguments of '${String(call?.name)}' must be the JSON of an object`;
      known.add(id);
    }
    open = new Set(calls.map(({ id }) => String(id)));
  }
  if (open.size > 0) return `the last tool calls have no response: ${[...open].join(', ')}`;
  if (messages.at(-1)?.role === 'assistant') return 'the last message must not be from the assistant';
  return undefined;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Returns whether content consists of parts of these types, with thinking first. */
function isParts(content: unknown, kinds: readonly string[]): boolean {
  if (!Array.isArray(content) || content.length === 0) return false;
  const parts = content as { type?: string; text?: unknown; image_url?: { url?: unknown } }[];
  const firstOther = parts.findIndex(({ type = '' }) => !type.includes('thinking'));
  return parts.every(
    ({ type = '', text, image_url: image }, index) =>
      kinds.includes(type) &&
      (type !== 'text' || isText(text)) &&
      (type !== 'image_url' || /^(data:image\/[\w+.-]+;base64,[A-Za-z0-9+/]+=*|https:.+)$/.test(String(image?.url))) &&
      (!type.includes('thinking') || firstOther < 0 || index < firstOther),
  );
}

/** Returns whether there are no lone surrogates. They can be written as JSON, but strict parsers refuse them. */
const isWellFormed = (value: unknown): boolean =>
  typeof value === 'string'
    ? !/\p{Surrogate}/u.test(value)
    : typeof value !== 'object' || value === null || Object.values(value).every(isWellFormed);

function isJsonObject(text: unknown): boolean {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof text === 'string' && typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
