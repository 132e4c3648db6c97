import type { WireRules } from '../../../core/model/providers/provider';
import { dataUrl, imagesOmittedText } from '../../../core/model/images';
import type { ChatMessage, ToolCall } from '../../../core/ports/model';
import type { Image, Reasoning } from '../../../protocol/events/event';
import { fitCallId, isFromOrigin } from '../requests/callIds';
import { effortFields } from '../requests/effort';
import {
  cacheMark,
  marksCache,
  requestWriter,
  wireArguments,
  type RequestSettings,
  type RequestWriter,
} from '../requests/requestWriter';

/** Number of messages at the end with a prompt cache mark, in addition to the system prompt. */
const lastMarked = 3;

/** Writes chat completion requests field by field: only fields named here are sent. */
export function chatWriter(settings: RequestSettings): RequestWriter {
  const { model, origin, maxOutputTokens, reasoningEffort } = settings;
  /** Names of called tools, by call id. */
  const names = new Map<string, string>();
  return requestWriter('messages', settings, ({ request, rules, tools, callable, temperature }) => {
    const { n = 1 } = request;
    const apart = rules.severalCalls ? request.messages : withCallsApart(request.messages);
    const messages = rules.neighbours ? apart : joinedNeighbours(apart);
    const rest = {
      model,
      ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
      ...(!callable && tools.length > 0 && { tool_choice: 'none' }),
      ...(tools.length > 0 && rules.withTools),
      stream: true,
      ...(rules.streamUsage && { stream_options: { include_usage: true } }),
      ...(n > 1 && rules.severalReplies && { n }),
      ...(maxOutputTokens && rules.limit && { [rules.limit]: maxOutputTokens }),
      ...(temperature !== undefined && rules.temperature && { temperature }),
      ...effortFields(reasoningEffort, rules, { withTools: tools.length > 0 }),
    };
    const marks = marksCache(rules, model);
    return {
      messages,
      render: (message, marked, before) => renderMessage(message, before, { rules, origin, names, marked }),
      isMarked: ({ role }, index) => marks && (role === 'system' || index >= messages.length - lastMarked),
      rest,
    };
  });
}

/** Merges consecutive user messages, for servers that refuse two in a row. */
function joinedNeighbours(messages: readonly ChatMessage[]): ChatMessage[] {
  const joined: ChatMessage[] = [];
  for (const message of messages) {
    const before = joined.at(-1);
    if (message.role !== 'user' || before?.role !== 'user') {
      joined.push(message);
      continue;
    }
    const images = [...(before.images ?? []), ...(message.images ?? [])];
    const content = `${before.content}\n\n${message.content}`;
    joined[joined.length - 1] = { role: 'user', content, ...(images.length > 0 && { images }) };
  }
  return joined;
}

/** The messages into which a message with several calls was divided. The same objects need not be written again. */
const divided = new WeakMap<AssistantMessage, readonly AssistantMessage[]>();

/** Gives each call a message of its own, directly before its result, for models that make one call at a time. */
function withCallsApart(messages: readonly ChatMessage[]): ChatMessage[] {
  const apart: ChatMessage[] = [];
  /** Messages with further calls, by call id; each is inserted before its result. */
  const waiting = new Map<string, AssistantMessage>();
  for (const message of messages) {
    if (message.role === 'assistant' && message.tool_calls && message.tool_calls.length > 1) {
      const [first, ...further] = divide(message, message.tool_calls);
      apart.push(first!);
      for (const each of further) waiting.set(each.tool_calls![0]!.id, each);
      continue;
    }
    const call = message.role === 'tool' ? waiting.get(message.tool_call_id) : undefined;
    if (call) apart.push(call);
    apart.push(message);
  }
  return apart;
}

function divide(message: AssistantMessage, calls: readonly ToolCall[]): readonly AssistantMessage[] {
  const known = divided.get(message);
  if (known) return known;
  const { origin } = message;
  const parts = calls.map((call, index): AssistantMessage =>
    index === 0
      ? { ...message, tool_calls: [call] }
      : { role: 'assistant', content: '', ...(origin !== undefined && { origin }), tool_calls: [call] },
  );
  divided.set(message, parts);
  return parts;
}

interface Rendering {
  readonly rules: WireRules;
  readonly origin: string;
  readonly names: Map<string, string>;
  readonly marked: boolean;
}

/** Returns the JSON of a message, with what must come between it and the previous one. */
function renderMessage(message: ChatMessage, before: ChatMessage | undefined, rendering: Rendering): string {
  const { rules } = rendering;
  const late = message.role === 'system' && before !== undefined && before.role !== 'system';
  const sent: ChatMessage = late && !rules.lateSystem ? { role: 'user', content: message.content } : message;
  const between = sent.role === 'user' && before?.role === 'tool' && !rules.userAfterTool;
  const json = JSON.stringify(wireMessage(sent, rendering));
  return between ? `${JSON.stringify({ role: 'assistant', content: 'Results received.' })},${json}` : json;
}

/**
 * Returns a message as it is sent. The cache mark goes on the text part. Without a text part, or on a tool result, it
 * goes on the message, where proxies look for it.
 */
function wireMessage(message: ChatMessage, rendering: Rendering): object {
  const { rules, origin, names, marked } = rendering;
  const textPart = (text: string): object => ({ type: 'text', text, ...(marked && cacheMark) });
  const words = (text: string): string | object[] => (marked ? [textPart(text)] : text);
  switch (message.role) {
    case 'system':
      return { role: 'system', content: words(message.content) };
    case 'tool': {
      const own = isFromOrigin(message, origin);
      const id = fitCallId(message.tool_call_id, rules.callIds, { own });
      const name = rules.namedResults ? names.get(message.tool_call_id) : undefined;
      return {
        role: 'tool',
        tool_call_id: id,
        ...(name !== undefined && { name }),
        content: message.content || '(empty)',
        ...(marked && cacheMark),
      };
    }
    case 'user': {
      const { content, images = [] } = message;
      if (images.length === 0) return { role: 'user', content: words(content || '(empty)') };
      if (!rules.images) return { role: 'user', content: words(imagesOmittedText(content, images)) };
      return { role: 'user', content: [...images.map(imagePart), ...(content ? [textPart(content)] : [])] };
    }
    case 'assistant':
      return assistantMessage(message, rendering, textPart);
  }
}

type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;

function assistantMessage(
  message: AssistantMessage,
  { rules, origin, names, marked }: Rendering,
  textPart: (text: string) => object,
): object {
  const { content, reasoning, tool_calls: calls = [] } = message;
  for (const call of calls) names.set(call.id, call.function.name);
  const own = isFromOrigin(message, origin);
  const { first = {}, parts = [], before = '', last = {} } = reasoningBack(own ? reasoning : undefined, rules);
  const text = `${before}${content}`;
  const saysNothing =
    text === '' && calls.length === 0 && Object.keys(first).length + parts.length + Object.keys(last).length === 0;
  const inParts = parts.length > 0 || (marked && text !== '');
  // With calls, some providers refuse empty content but all accept `null`; without calls it is the other way round.
  const plain = text === '' && calls.length > 0 ? null : text;
  const alone = saysNothing ? '(no text)' : plain;
  return {
    role: 'assistant',
    ...first,
    content: inParts ? [...parts, ...(text ? [textPart(text)] : [])] : alone,
    ...(calls.length > 0 && { tool_calls: calls.map((call, index) => wireCall(call, index === 0, own, rules)) }),
    ...last,
    ...(marked && text === '' && cacheMark),
  };
}

const imagePart = (image: Image): object => ({ type: 'image_url', image_url: { url: dataUrl(image) } });

/** Google's placeholder for the signature of a call that another model made. */
const unsigned = 'skip_thought_signature_validator';

function wireCall(
  { id, function: { name, arguments: text }, signature }: ToolCall,
  isFirst: boolean,
  own: boolean,
  rules: WireRules,
): object {
  const known = own ? signature : undefined;
  const thought = rules.thoughtSignatures ? (known ?? (isFirst ? unsigned : undefined)) : undefined;
  return {
    id: fitCallId(id, rules.callIds, { own }),
    type: 'function',
    function: { name, arguments: wireArguments(text, rules) },
    ...(thought !== undefined && { extra_content: { google: { thought_signature: thought } } }),
  };
}

/** Filters the thinking blocks: another protocol also notes between which text and calls they came. */
const thinkingIn = (details: readonly unknown[]): object[] =>
  (details as { type?: unknown }[]).filter(({ type }) => type !== 'place');

interface ReasoningPlaces {
  first?: object;
  parts?: readonly object[];
  before?: string;
  last?: object;
}

/**
 * Returns where the model's own reasoning goes in a message that is sent back: thinking blocks come first, as Anthropic
 * requires.
 */
function reasoningBack(reasoning: Reasoning | undefined, rules: WireRules): ReasoningPlaces {
  const { text = '', field, details, detailsField = 'reasoning_details' } = reasoning ?? {};
  switch (rules.reasoning) {
    case 'never':
      return {};
    case 'parts':
      return detailsField === 'content' && details ? { parts: thinkingIn(details) } : {};
    case 'text':
      return text ? { before: `<think>\n${text}\n</think>\n\n` } : {};
    case 'reasoning':
    case 'reasoning_content': {
      // If reasoning is required, a blank is enough for a model that did not reason.
      const words = text || (rules.reasoningRequired ? ' ' : '');
      return words ? { last: { [rules.reasoning]: words } } : {};
    }
    case 'as_received': {
      const words = field ? { [field]: text } : {};
      if (!details) return { last: words };
      switch (detailsField) {
        case 'thinking_blocks':
          return { first: { thinking_blocks: details }, last: words };
        case 'content':
          return { parts: thinkingIn(details), last: words };
        case 'reasoning_details':
          return { last: { ...words, reasoning_details: details } };
        case 'items':
          return { last: words }; // reasoning of another protocol
      }
    }
  }
}
