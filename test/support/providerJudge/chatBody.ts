// Queries on request bodies that the rules of several providers share.
import type { ChatBody, ChatMessageBody, KeyPath, ToolCallBody } from './persona';

/** Returns "tools[0].function.effect", the notation of OpenAI. */
export function dotted(path: KeyPath): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text ? `.${step}` : step;
  }
  return text;
}

/** Returns whether a text is the JSON of an object. */
export function isObjectJson(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

interface PlacedCall {
  readonly message: ChatMessageBody;
  /** Index of the message in the chat; for the call, index in the message. */
  readonly index: number;
  readonly place: number;
  readonly call: ToolCallBody;
}

/** Returns every tool call of the chat, with its position. */
export function callsOf({ messages = [] }: ChatBody): PlacedCall[] {
  return messages.flatMap((message, index) =>
    (message.tool_calls ?? []).map((call, place) => ({ message, index, place, call })),
  );
}

/** Returns the content parts of a message; empty if it is text. */
export function partsOf({ content }: ChatMessageBody): readonly Record<string, any>[] {
  return Array.isArray(content) ? content : [];
}

export const holdsImage = (message: ChatMessageBody): boolean =>
  partsOf(message).some(({ type }) => type === 'image_url');

interface PairingFault {
  readonly index: number;
  readonly kind: 'stray' | 'unanswered';
  readonly ids: readonly string[];
}

/** Returns the first result without a call, or the first message whose calls are not all answered directly after it. */
export function pairingFault({ messages = [] }: ChatBody): PairingFault | undefined {
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      let before = index - 1;
      while (messages[before]?.role === 'tool') before--;
      const asked = messages[before]?.tool_calls ?? [];
      if (!asked.some(({ id }) => id === message.tool_call_id)) {
        return { index, kind: 'stray', ids: [String(message.tool_call_id)] };
      }
    }
    const open = new Set((message.tool_calls ?? []).map(({ id }) => id));
    for (let next = index + 1; messages[next]?.role === 'tool'; next++) open.delete(messages[next]!.tool_call_id!);
    if (open.size > 0) return { index, kind: 'unanswered', ids: [...open] };
  }
  return undefined;
}

interface PlacedSchema {
  readonly schema: Record<string, any>;
  readonly place: KeyPath;
  readonly isRoot: boolean;
  /** Index of its tool. */
  readonly tool: number;
  readonly name: string;
}

/** Returns every schema in the tools of a request, including the roots. */
export function schemasOf({ tools = [] }: ChatBody): PlacedSchema[] {
  const found: PlacedSchema[] = [];
  const walk = (schema: any, place: KeyPath, tool: number, name: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    found.push({ schema, place, isRoot: place.length === 0, tool, name });
    for (const [property, one] of Object.entries(schema.properties ?? {}))
      walk(one, [...place, 'properties', property], tool, name);
    for (const key of ['items', 'additionalProperties', 'not']) walk(schema[key], [...place, key], tool, name);
    for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
      const branches = Array.isArray(schema[key]) ? schema[key] : [];
      branches.forEach((branch: unknown, at: number) => walk(branch, [...place, key, at], tool, name));
    }
  };
  tools.forEach((tool, at) =>
    walk(tool.function?.parameters ?? tool.parameters, [], at, tool.function?.name ?? tool.name),
  );
  return found;
}

/** Returns whether an array schema lacks a schema for its elements. */
export const lacksItems = ({ type, items, prefixItems }: Record<string, any>): boolean =>
  type === 'array' && !items && !prefixItems;
