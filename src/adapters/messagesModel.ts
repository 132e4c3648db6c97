import { contextWindowOf } from '../core/model/contextWindows';
import type { Model } from '../core/model/model';
import { messagesAccumulator } from './anthropic/messagesAccumulator';
import { messagesWriter } from './anthropic/messagesWire';
import type { OpenAiModelOptions } from './openAiModel';
import { openEndpoint } from './openai/endpoint';
import { readReply } from './openai/readReply';
import { takenIds, toReply } from './openai/toReply';

/** A model behind a server that speaks Anthropic's Messages API. One request per call, no retries: those are `retry`'s. */
export function messagesModel(options: OpenAiModelOptions): Model {
  const { name, contextWindow, prices = {}, promptCaching = 'auto' } = options;
  const changed = promptCaching === 'auto' ? {} : { cacheMarks: promptCaching === 'on' };
  const { place, origin, serverName, exchange } = openEndpoint('messages', options, messagesWriter, changed);
  return {
    info: { name, provider: serverName, contextWindow: contextWindow ?? contextWindowOf(name) },
    complete(request, signal) {
      const started = performance.now();
      return exchange(request, signal, async (incoming, watched) => {
        const reply = messagesAccumulator(request.onDelta?.bind(request), () => performance.now());
        await readReply(incoming, reply, place, watched);
        const taken = takenIds(request);
        // Only the server's own word for why it stopped says that a message is whole.
        return toReply(reply.finish(id => taken.has(id)), { place, origin, prices, started, done: false });
      });
    },
  };
}
