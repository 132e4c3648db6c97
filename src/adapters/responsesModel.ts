import { contextWindowOf } from '../core/model/contextWindows';
import type { Model } from '../core/model/model';
import { openEndpoint, type EndpointOptions } from './openai/endpoint';
import { readReply } from './openai/readReply';
import { responsesAccumulator } from './openai/responsesAccumulator';
import { responsesWriter } from './openai/responsesWire';
import { takenIds, toReply } from './openai/toReply';

/** A model behind a server that speaks OpenAI's Responses API. One request per call, no retries: those are `retry`'s. */
export function responsesModel(options: EndpointOptions): Model {
  const { name, contextWindow, prices = {}, maxOutputTokens, extraBody = {} } = options;
  const { url, place, exchange } = openEndpoint('responses', options, () => ({
    marked: false,
    limited: Boolean(maxOutputTokens),
    sealed: true,
    write: responsesWriter({ model: name, maxOutputTokens, extraBody }),
  }));
  return {
    info: { name, provider: `Responses API at ${url.host}`, contextWindow: contextWindow ?? contextWindowOf(name) },
    complete(request, signal) {
      const started = performance.now();
      return exchange(request, signal, async (incoming, moved) => {
        const reply = responsesAccumulator(request.onDelta?.bind(request), () => performance.now());
        await readReply(incoming, reply, place, moved);
        const taken = takenIds(request);
        // Only the last event says that a response is whole, whatever else the server said.
        return toReply(reply.finish(id => taken.has(id)), { place, prices, started, done: false });
      });
    },
  };
}
