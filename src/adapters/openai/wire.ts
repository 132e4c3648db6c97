import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { ChatMessage, ModelRequest } from '../../core/model/model';

/** Parts of a request that some servers refuse. */
export type Optional = 'stream_options' | 'reasoning';

/**
 * Writes the JSON of chat completion requests. The text of a message is kept for the next request, which begins with the same ones:
 * measured with 2,000 messages, that is a third of the time of a request.
 */
export function requestWriter(model: string, extraBody: Record<string, unknown>) {
  let written = new WeakMap<ChatMessage, { content: string; text: string }>();
  let withReasoning = true;

  const textOf = (message: ChatMessage): string => {
    const known = written.get(message);
    // The answer of a call is put into its message when it comes, so an equal object may hold other words.
    if (known?.content === message.content) return known.text;
    const text = JSON.stringify(wireMessage(message, withReasoning));
    written.set(message, { content: message.content, text });
    return text;
  };

  return ({ messages, tools }: ModelRequest, without: ReadonlySet<Optional>): string => {
    if (withReasoning !== !without.has('reasoning')) written = new WeakMap();
    withReasoning = !without.has('reasoning');
    const rest = {
      model,
      ...(tools.length > 0 && { tools: tools.map(tool => ({ type: 'function' as const, function: tool })) }),
      stream: true,
      ...(!without.has('stream_options') && { stream_options: { include_usage: true } }),
    } satisfies Partial<Record<keyof ChatCompletionCreateParamsStreaming, unknown>>;
    return `{"messages":[${messages.map(textOf).join(',')}],${JSON.stringify({ ...rest, ...extraBody }).slice(1)}`;
  };
}

function wireMessage(message: ChatMessage, withReasoning: boolean): object {
  if (message.role !== 'assistant' || (message.content !== '' && !message.reasoning)) return message;
  const { reasoning, content, ...rest } = message;
  return {
    ...rest,
    // Empty content beside calls is refused by some providers, `null` by none.
    content: content === '' && rest.tool_calls ? null : content,
    ...(withReasoning && reasoning?.field && { [reasoning.field]: reasoning.text }),
    ...(withReasoning && reasoning?.details && { reasoning_details: reasoning.details }),
  };
}

/** Which part of the request a refusal is about, when the request can be sent again without it. */
export function refusedPart(status: number, text: string, messages: readonly ChatMessage[], without: ReadonlySet<Optional>): Optional | undefined {
  if (status !== 400 && status !== 422) return undefined;
  if (!without.has('stream_options') && /stream_options|include_usage/i.test(text)) return 'stream_options';
  const sent = !without.has('reasoning') && messages.some(message => message.role === 'assistant' && message.reasoning);
  // A provider that misses its reasoning must not be sent less of it.
  return sent && /reasoning/i.test(text) && !/pass(ed)? back|missing|required/i.test(text) ? 'reasoning' : undefined;
}

/** Where chat completions are served under a base URL; a pasted full address works too. Throws a `TypeError` for what is no URL. */
export function completionsUrl(baseUrl: string): URL {
  const url = new URL(baseUrl.trim());
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')}/chat/completions`;
  return url;
}
