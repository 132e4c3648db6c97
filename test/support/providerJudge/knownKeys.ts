// The keys that providers know, and what a request holds beside them.
import { dotted } from './chatBody';
import type { ChatBody, KeyPath, KnownKeys, Persona, Refusal } from './persona';

/** A set of the words of a text. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** What nearly every provider takes at the top of a request. */
export const commonTop = [
  'model messages stream temperature top_p max_tokens max_completion_tokens stop n seed tools tool_choice parallel_tool_calls',
  'response_format reasoning_effort user stream_options presence_penalty frequency_penalty logit_bias logprobs top_logprobs',
].join(' ');

/** Tools and calls as OpenAI's schema has them. */
export const plainTool = { tool: words('type function'), function: words('name description parameters strict') };
export const plainCall = { call: words('id type function'), callFunction: words('name arguments') };

/** Every key that the provider does not know. */
export function unknownKeys(
  allowed: KnownKeys,
  { messages = [], tools = [], ...rest }: ChatBody,
  unsure: boolean,
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

/** An error as OpenAI shapes it, which most others copy. */
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

/** The refusal of unknown keys in OpenAI's words, which name the first one. */
export function refuseUnknownAsOpenAi([path]: readonly KeyPath[]): Refusal {
  const param = dotted(path ?? []);
  return { status: 400, body: openAiError(`Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' }) };
}

/** The place of a key as validators of Python write it, where messages also tell their role. */
export const withRole = (path: KeyPath, { messages = [] }: ChatBody): KeyPath =>
  path.flatMap((step, at) => (path[0] === 'messages' && at === 1 ? [step, messages[step as number]!.role] : [step]));

export const refuseUnknownOf = (persona: Persona, paths: readonly KeyPath[], body: ChatBody): Refusal =>
  persona.refuseUnknown?.(paths, body) ?? refuseUnknownAsOpenAi(paths);
