import { imagesOmittedText } from '../../../core/model/images';
import type { WireRules } from '../../../core/model/providers/provider';
import type { ChatMessage, ToolCall } from '../../../core/ports/model';
import type { Image } from '../../../protocol/events/event';
import { fitCallId, isFromOrigin } from '../requests/callIds';
import {
  cacheMark,
  marksCache,
  requestWriter,
  wireArguments,
  type RequestSettings,
  type RequestWriter,
} from '../requests/requestWriter';
import type { WireTool } from '../requests/wireTools';
import { orderedBlocks } from './blockOrder';
import { thinkingFields, thoughtsOf } from './thinking';

/** Output token limit for a server that refused a higher one. */
const fallbackTokenLimit = 4_096;

/**
 * Writes requests of Anthropic's Messages API, field by field. Tool results and the user text that follows them form
 * one message, results first. Each message stays open until the next one begins, so that the next request can append to
 * what was sent.
 */
export function messagesWriter(settings: RequestSettings): RequestWriter {
  const { model, origin, maxOutputTokens, reasoningEffort } = settings;
  return requestWriter('messages', settings, ({ request, rules, tools, callable, temperature }) => {
    const { system, messages } = withoutSystem(request.messages);
    const limit = limitOf(maxOutputTokens, rules);
    const thinking = thinkingFields(rules, { wish: reasoningEffort, limit, messages, origin });
    const takesTemperature = rules.temperature && (thinking.thinking ?? { type: 'disabled' }).type === 'disabled';
    const marks = marksCache(rules, model);
    const marked = marks ? markedIn(messages) : new Set<number>();
    const givesThoughts = rules.reasoning !== 'never' && thinking.thinking?.type !== 'disabled';
    const rest = {
      model,
      max_tokens: limit,
      ...(system.length > 0 && { system: lastMarked(system, marks) }),
      ...(tools.length > 0 && { tools: lastMarked(tools.map(asSent), marks && system.length === 0) }),
      ...(!callable && tools.length > 0 && { tool_choice: { type: 'none' } }),
      stream: true,
      ...(temperature !== undefined && takesTemperature && { temperature: Math.min(1, Number(temperature)) }),
      ...thinking,
    };
    return {
      messages,
      render: (message, isMarked, before) =>
        renderMessage(message, before, { rules, origin, givesThoughts, marked: isMarked }),
      separator: (message, before) => (joins(message, before) ? ',' : `${close},`),
      ending:
        messages.at(-1)?.role === 'assistant'
          ? `${close},${open('user')}${JSON.stringify(textBlock('Go on.'))}${close}`
          : close,
      isMarked: (_message, index) => marked.has(index),
      variant: `${givesThoughts}`,
      rest,
    };
  });
}

/** Returns the output limit, which the protocol requires: the user's, or else one that suits the model. */
function limitOf(wished: number | undefined, { limit, usualLimit }: WireRules): number {
  if (limit !== null) return wished || usualLimit;
  return wished ? usualLimit : fallbackTokenLimit;
}

interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

const textBlock = (text: string): TextBlock => ({ type: 'text', text: text.trim() === '' ? '(empty)' : text });

/** System messages before the first chat message go into a field of their own. */
function withoutSystem(all: readonly ChatMessage[]): {
  readonly system: readonly TextBlock[];
  readonly messages: readonly ChatMessage[];
} {
  const first = all.findIndex(({ role }) => role !== 'system');
  const end = first < 0 ? all.length : first;
  const system = all
    .slice(0, end)
    .filter(({ content }) => content.trim() !== '')
    .map(({ content }) => textBlock(content));
  return { system, messages: all.slice(end) };
}

function lastMarked<Part extends object>(parts: readonly Part[], marks: boolean): readonly Part[] {
  return parts.map((part, index) => (marks && index === parts.length - 1 ? { ...part, ...cacheMark } : part));
}

const asSent = ({ name, description, parameters }: WireTool): object => ({
  name,
  ...(description && { description }),
  input_schema: parameters,
});

/**
 * Returns the indexes of messages to mark for the prompt cache: the last one, which caches this request, and the last
 * one of the previous request, so that its cache is read no matter how much was added since. With the mark on the
 * system prompt that is three marks; the API accepts four.
 */
function markedIn(messages: readonly ChatMessage[]): ReadonlySet<number> {
  const last = messages.length - 1;
  const before = messages.findLastIndex(
    (message, index) => index < last && messages[index + 1]!.role === 'assistant' && message.role !== 'assistant',
  );
  return new Set([last, before].filter((index) => index >= 0));
}

const sideOf = ({ role }: ChatMessage): 'user' | 'assistant' => (role === 'assistant' ? 'assistant' : 'user');

/** Returns whether a message continues the preceding message of the user role. */
const joins = (message: ChatMessage, before: ChatMessage): boolean =>
  sideOf(message) === 'user' && sideOf(before) === 'user';

const open = (side: 'user' | 'assistant'): string => `{"role":"${side}","content":[`;
const close = ']}';

interface Rendering {
  readonly rules: WireRules;
  readonly origin: string;
  readonly givesThoughts: boolean;
  readonly marked: boolean;
}

/** Renders a message up to its last block, or only its blocks if it continues the previous message. */
function renderMessage(message: ChatMessage, before: ChatMessage | undefined, rendering: Rendering): string {
  const blocks = blocksOf(message, rendering).join();
  if (before && joins(message, before)) return blocks;
  const begun = `${open(sideOf(message))}${blocks}`;
  const isUnasked = before === undefined && message.role === 'assistant';
  return isUnasked
    ? `${open('user')}${JSON.stringify(textBlock('(The beginning is not shown.)'))}${close},${begun}`
    : begun;
}

function blocksOf(message: ChatMessage, rendering: Rendering): string[] {
  if (message.role === 'assistant') return replyBlocks(message, rendering);
  const parts = userBlocks(message, rendering);
  return lastMarked(parts, rendering.marked).map((part) => JSON.stringify(part));
}

function userBlocks(message: Exclude<ChatMessage, { role: 'assistant' }>, { rules, origin }: Rendering): object[] {
  if (message.role === 'tool') {
    const id = fitCallId(message.tool_call_id, rules.callIds, { own: isFromOrigin(message, origin) });
    return [
      { type: 'tool_result', tool_use_id: id, content: message.content.trim() === '' ? '(empty)' : message.content },
    ];
  }
  const { content } = message;
  const images = message.role === 'user' ? (message.images ?? []) : [];
  const shown = rules.images ? images.filter(isTaken) : [];
  const hidden = images.filter((image) => !shown.includes(image));
  const words = hidden.length > 0 ? imagesOmittedText(content, hidden) : content;
  const isSilent = words.trim() === '' && shown.length > 0;
  return [...shown.map(imageBlock), ...(isSilent ? [] : [textBlock(words)])];
}

/** Returns whether the protocol supports the type of an image. */
const isTaken = ({ mediaType }: Image): boolean => /^image\/(jpeg|png|gif|webp)$/.test(mediaType);

const imageBlock = ({ mediaType, data }: Image): object => ({
  type: 'image',
  source: { type: 'base64', media_type: mediaType, data },
});

function replyBlocks(
  message: Extract<ChatMessage, { role: 'assistant' }>,
  { rules, origin, givesThoughts }: Rendering,
): string[] {
  const { content, tool_calls: calls = [] } = message;
  const own = isFromOrigin(message, origin);
  const thoughts = givesThoughts ? thoughtsOf(message, origin) : [];
  const blocks = orderedBlocks(
    thoughts,
    content,
    calls.map((call) => callBlock(call, own, rules)),
  );
  return blocks.length > 0 ? blocks : [JSON.stringify(textBlock('(no text)'))];
}

/**
 * A call whose arguments stay byte for byte as the model wrote them: the cache and the signatures of its thinking cover
 * them.
 */
function callBlock({ id, function: { name, arguments: text } }: ToolCall, own: boolean, rules: WireRules): string {
  const head = JSON.stringify({ type: 'tool_use', id: fitCallId(id, rules.callIds, { own }), name });
  return `${head.slice(0, -1)},"input":${wireArguments(text, { ...rules, brokenArguments: false })}}`;
}
