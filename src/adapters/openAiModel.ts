import { contextWindowOf } from '../core/model/contextWindows';
import type { Model } from '../core/model/model';
import { accumulator } from './openai/accumulator';
import { chatWriter } from './openai/chatWire';
import { openEndpoint, type EndpointOptions } from './openai/endpoint';
import { isOpenAi } from './openai/lessons';
import { readReply } from './openai/readReply';
import { isBroken, takenIds, toReply } from './openai/toReply';

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
    sealed: false,
    write: chatWriter({ model: name, cacheMarks, maxOutputTokens, limitName: isOpenAi(at) ? 'max_completion_tokens' : 'max_tokens', extraBody }),
  }));

  return {
    info: { name, provider: `openai-compatible at ${url.host}`, contextWindow: contextWindow ?? contextWindowOf(name) },
    complete(request, signal) {
      const started = performance.now();
      return exchange(request, signal, async (incoming, moved) => {
        const parts = Array.from({ length: Math.max(1, request.n ?? 1) }, (_, index) => accumulator(index === 0 ? request.onDelta?.bind(request) : undefined, () => performance.now(), index));
        const { done } = await readReply(incoming, { add: chunk => parts.map(part => part.add(chunk)).every(Boolean) }, place, moved);
        const facts = { place, prices, started, done };
        const taken = takenIds(request);
        const finished = parts.map(part => {
          const found = part.finish(id => taken.has(id));
          for (const { id } of found.toolCalls) taken.add(id);
          return found;
        });
        const reply = toReply(finished[0]!, facts);
        // Further replies count only where they are whole.
        const others = finished.slice(1).filter(({ finishReason }) => finishReason !== undefined && !isBroken(finishReason)).map(found => toReply(found, facts));
        return others.length === 0 ? reply : { ...reply, choices: [reply, ...others].map(choice => ({ ...choice, usage: unknownUsage })) };
      });
    },
  };
}

const unknownUsage = { inputTokens: null, outputTokens: null, cachedTokens: null, cost: null };
