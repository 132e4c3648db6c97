import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { ChatMessage, ModelRequest } from '../../core/model/model';
import type { Image, Reasoning } from '../../protocol/event';
import { dataUrl, unseen } from '../../core/model/images';
import { growingBody } from './growingBody';
import type { Lessons } from './lessons';

export interface ChatWireOptions {
  readonly model: string;
  /** Marks what the provider should keep in its prompt cache: the system prompt and the last three messages. */
  readonly cacheMarks: boolean;
  readonly maxOutputTokens?: number | undefined;
  /** The name of the limit that newer models of OpenAI want. */
  readonly limitName: 'max_tokens' | 'max_completion_tokens';
  readonly extraBody: Record<string, unknown>;
}

/** Hands `work` the bytes of a request; they are good until it settles. */
export type RequestWriter = <Answer>(request: ModelRequest, lessons: Lessons, work: (body: Buffer) => Promise<Answer>) => Promise<Answer>;

const lastMarked = 3;

/** Writes chat completion requests. */
export function chatWriter({ model, cacheMarks, maxOutputTokens, limitName, extraBody }: ChatWireOptions): RequestWriter {
  const write = growingBody('messages');
  const otherName = limitName === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  return ({ messages, tools, n = 1, parameters }, lessons, work) => {
    const rest = {
      model,
      ...(tools.length > 0 && { tools: tools.map(tool => ({ type: 'function' as const, function: tool })) }),
      stream: true,
      ...(!lessons.has('no_stream_options') && { stream_options: { include_usage: true } }),
      ...(n > 1 && !lessons.has('one_reply') && { n }),
      ...(maxOutputTokens && !lessons.has('no_limit') && { [lessons.has('other_limit_name') ? otherName : limitName]: maxOutputTokens }),
    } satisfies Partial<Record<keyof ChatCompletionCreateParamsStreaming, unknown>>;
    return write({
      messages,
      render: (message, marked) => JSON.stringify(wireMessage(message, lessons, marked)),
      markedFrom: cacheMarks && !lessons.has('no_cache_marks') ? Math.max(0, messages.length - lastMarked) : undefined,
      variant: [...lessons].join(),
      rest: { ...rest, ...extraBody, ...parameters },
    }, work);
  };
}

const mark = { cache_control: { type: 'ephemeral' } } as const;

/** A message as it is sent. Marks stand on the text part; where there is none, or a tool speaks, on the message, where proxies look for them. */
function wireMessage(message: ChatMessage, lessons: Lessons, marked: boolean): object {
  const textPart = (text: string): object => ({ type: 'text', text, ...(marked && mark) });
  switch (message.role) {
    case 'system': return marked ? { role: message.role, content: [textPart(message.content)] } : message;
    case 'tool': return marked ? { ...message, ...mark } : message;
    case 'user': {
      const { role, content, images = [] } = message;
      if (images.length === 0) return marked ? { role, content: [textPart(content)] } : message;
      if (lessons.has('no_images')) return { role, content: marked ? [textPart(unseen(content, images))] : unseen(content, images) };
      return { role, content: [...images.map(imagePart), ...(content ? [textPart(content)] : [])] };
    }
    case 'assistant': {
      const { role, content, reasoning, tool_calls } = message;
      const { first = {}, parts = [], last = {} } = lessons.has('no_reasoning') ? {} : reasoningParts(reasoning, lessons.has('blank_reasoning'));
      const inParts = parts.length > 0 || (marked && content !== '');
      return {
        role,
        ...first,
        // Empty content beside calls is refused by some providers, `null` by none.
        content: inParts ? [...parts, ...(content ? [textPart(content)] : [])] : content === '' && tool_calls ? null : content,
        ...(tool_calls && { tool_calls }),
        ...last,
        ...(marked && content === '' && mark),
      };
    }
  }
}

const imagePart = (image: Image): object => ({ type: 'image_url', image_url: { url: dataUrl(image) } });

interface ReasoningParts { first?: object; parts?: readonly object[]; last?: object }

/** Where reasoning stands in a message that is given back: blocks of thinking come first, as Anthropic demands. */
function reasoningParts(reasoning: Reasoning | undefined, blank: boolean): ReasoningParts {
  const { text = '', field, details, detailsField = 'reasoning_details' } = reasoning ?? {};
  const words = blank ? { reasoning_content: (field && text) || ' ' } : field ? { [field]: text } : {};
  if (!details) return { last: words };
  switch (detailsField) {
    case 'thinking_blocks': return { first: { thinking_blocks: details }, last: words };
    case 'content': return { parts: details as object[], last: words };
    case 'reasoning_details': return { last: { ...words, reasoning_details: details } };
    case 'items': return { last: words }; // another protocol's
  }
}
