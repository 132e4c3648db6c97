// Keys known to providers, and unknown keys in requests.
import { dotted } from './chatBody';
import type { ChatBody, KeyPath, KnownKeys, Persona, Refusal } from './persona';

/** Returns the set of words in a text. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Top-level keys that nearly every provider accepts. */
export const commonTop = [
  'model messages stream temperature top_p max_tokens max_completion_tokens stop n seed tools tool_choice parallel_tool_calls',
  'response_format reasoning_effort user stream_options presence_penalty frequency_penalty logit_bias logprobs top_logprobs',
].join(' ');

/** Keys of tools and calls in OpenAI's schema. */
export const plainTool = { tool: words('type function'), function: words('name description parameters strict') };
export const plainCall = { call: words('id type function'), callFunction: words('name arguments') };

/** Returns the paths of all unknown keys. */
export function unknownKeys(
  allowed: KnownKeys,
  { messages = [], tools = [], ...rest }: ChatBody,
  { unsure }: { readonly unsure: boolean },
): KeyPath[] {
  const found: KeyPath[] = [];
  const look = (value: unknown, known: ReadonlySet<string> | undefined, place: KeyPath): void => {
    if (!known || typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) if (!known.has(key)) found.push([...place, key]);
  };
  look(rest, allowed.top, []);
  if (unsure || !allowed.toolsUnsure) {
    tools.forEach((tool, at) => {
      look(tool, allowed.tool, ['tools', at]);
      look(tool.function, allowed.function, ['tools', at, 'function']);
    });
  }
  if (!allowed.message) return found;
  messages.forEach((message, at) => {
    look(message, allowed.message![message.role], ['messages', at]);
    (message.tool_calls ?? []).forEach((call, place) => {
      look(call, allowed.call, ['messages', at, 'tool_calls', place]);
      look(call.function, allowed.callFunction, ['messages', at, 'tool_calls', place, 'function']);
    });
    if (!Array.isArray(message.content)) return;
    message.content.forEach((part: unknown, place: number) =>
      look(part, allowed.part, ['messages', at, 'content', place]),
    );
  });
  return found;
}

/** Returns an error in OpenAI's format, which most others copy. */
export function openAiError(
  message: string,
  {
    type = 'invalid_request_error',
    param = null,
    code = null,
  }: { type?: string; param?: string | null; code?: string | number | null } = {},
): object {
  return { error: { message, type, param, code } };
}

/** Returns OpenAI's refusal of unknown keys, which names the first one. */
export function refuseUnknownAsOpenAi([path]: readonly KeyPath[]): Refusal {
  const param = dotted(path ?? []);
  return { status: 400, body: openAiError(`Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' }) };
}

/** Returns a key path in the notation of Python validators, which includes the role of messages. */
export const withRole = (path: KeyPath, { messages = [] }: ChatBody): KeyPath =>
  path.flatMap((step, at) => (path[0] === 'messages' && at === 1 ? [step, messages[step as number]!.role] : [step]));

export const refuseUnknownOf = (persona: Persona, paths: readonly KeyPath[], body: ChatBody): Refusal =>
  persona.refuseUnknown?.(paths, body) ?? refuseUnknownAsOpenAi(paths);
