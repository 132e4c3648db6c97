import { contextWindowOf } from '../core/model/contextWindows';
import type { Model, ModelReply, ModelRequest } from '../core/model/model';
import { costOf } from '../core/model/prices';
import { accumulator, type Accumulated } from './openai/accumulator';
import { chatWriter } from './openai/chatWire';
import { openEndpoint, type EndpointOptions } from './openai/endpoint';
import { isOpenAi } from './openai/lessons';
import { problemOf, type Place } from './openai/problems';
import { cut, readReply } from './openai/readReply';
import { noUsage } from './openai/usage';

export interface OpenAiModelOptions extends EndpointOptions {
  /** Whether requests mark what the provider should keep in its prompt cache; `auto`, the default: for Anthropic's models, which need it. */
  readonly promptCaching?: 'auto' | 'on' | 'off' | undefined;
}

/** A model behind any server that speaks OpenAI's chat completions. One request per call, no retries: those are `retry`'s. */
export function openAiModel(options: OpenAiModelOptions): Model {
  const { name, contextWindow, prices = {}, promptCaching = 'auto', maxOutputTokens, extraBody = {} } = options;
  const cacheMarks = promptCaching === 'on' || (promptCaching === 'auto' && /claude|sonnet|opus|haiku|anthropic/i.test(name));
  const { url, place, exchange } = openEndpoint('chat/completions', options, at => ({
    marked: cacheMarks,
    limited: Boolean(maxOutputTokens),
    write: chatWriter({ model: name, cacheMarks, maxOutputTokens, limitName: isOpenAi(at) ? 'max_completion_tokens' : 'max_tokens', extraBody }),
  }));

  return {
    info: { name, provider: `openai-compatible at ${url.host}`, contextWindow: contextWindow ?? contextWindowOf(name) },
    complete(request, signal) {
      const started = performance.now();
      return exchange(request, signal, async (incoming, moved) => {
        const parts = Array.from({ length: Math.max(1, request.n ?? 1) }, (_, index) => accumulator(index === 0 ? request.onDelta?.bind(request) : undefined, () => performance.now(), index));
        const { done } = await readReply(incoming, { add: chunk => parts.map(part => part.add(chunk)).every(Boolean) }, place, moved);
        const taken = takenIds(request);
        const toReply = (found: Accumulated): ModelReply => {
          const { firstTokenAt, usage: { cost, ...tokens }, model = name, reasoning, finishReason, ...rest } = found;
          for (const { id } of rest.toolCalls) taken.add(id);
          return {
            ...rest,
            ...(reasoning && { reasoning }),
            // The name that was asked for may be an alias, the name that answered may be dated; OpenRouter says what it charged.
            usage: { ...tokens, cost: costOf(name, tokens, prices) ?? costOf(model, tokens, prices) ?? (url.hostname === 'openrouter.ai' ? cost : null) },
            finishReason: ending(finishReason, done, rest.toolCalls.length > 0, place),
            model,
            firstTokenMs: firstTokenAt === undefined ? null : firstTokenAt - started,
          };
        };
        const reply = toReply(parts[0]!.finish(id => taken.has(id)));
        // Further replies count only where they are whole.
        const others = parts.slice(1).map(part => part.finish(id => taken.has(id))).filter(({ finishReason }) => finishReason !== undefined && !broken.test(finishReason));
        if (others.length === 0) return reply;
        const choices = [reply, ...others.map(toReply)].map(choice => ({ ...choice, usage: unknownUsage }));
        return { ...reply, choices };
      });
    },
  };
}

const unknownUsage = noUsage;
const broken = /^(error|network_error|abort|cancelled)$/;

/** Why the reply ended. Without a word from the server it was cut; with `[DONE]` alone at least its calls cannot be trusted. */
function ending(reason: string | undefined, done: boolean, hasCalls: boolean, place: Place): string {
  if (reason === undefined && (!done || hasCalls)) throw cut(place);
  if (reason && broken.test(reason)) throw cut(place);
  if (reason === 'model_context_window_exceeded') throw problemOf({ status: 400, headers: {}, text: reason }, place);
  return reason ?? 'stop';
}

/** Ids that the conversation already uses, as some servers count from zero in every reply. */
const takenIds = ({ messages }: ModelRequest): Set<string> =>
  new Set(messages.flatMap(message => (message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [])));
