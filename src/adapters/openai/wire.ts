import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { ChatMessage, ModelRequest } from '../../core/model/model';

/** Parts of a request that some servers refuse. */
export type Optional = 'stream_options' | 'reasoning';

export interface WireOptions {
  readonly model: string;
  readonly extraBody: Record<string, unknown>;
  readonly without: ReadonlySet<Optional>;
}

/** The JSON text of a chat completion request. */
export function requestBody({ messages, tools }: ModelRequest, { model, extraBody, without }: WireOptions): string {
  const body = {
    model,
    messages: messages.map(message => wireMessage(message, !without.has('reasoning'))),
    ...(tools.length > 0 && { tools: tools.map(tool => ({ type: 'function' as const, function: tool })) }),
    stream: true,
    ...(!without.has('stream_options') && { stream_options: { include_usage: true } }),
  } satisfies Omit<ChatCompletionCreateParamsStreaming, 'messages' | 'tools'> & Record<string, unknown>;
  return JSON.stringify({ ...body, ...extraBody });
}

function wireMessage(message: ChatMessage, withReasoning: boolean): object {
  if (message.role !== 'assistant') return message;
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
