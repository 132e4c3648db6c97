import { contextWindowOf } from '../core/model/contextWindows';
import type { Model } from '../core/model/model';
import { openEndpoint, type EndpointOptions } from './openai/endpoint';
import { readReply } from './openai/readReply';
import { responsesAccumulator } from './openai/responsesAccumulator';
import { responsesWriter } from './openai/responsesWire';
import { takenIds, toReply } from './openai/toReply';

/** A model behind a server that speaks OpenAI's Responses API. One request per call, no retries: those are `retry`'s. */
export function responsesModel(options: EndpointOptions): Model {
  const { name, contextWindow, prices = {} } = options;
  const { place, origin, serverName, exchange } = openEndpoint('responses', options, responsesWriter);
  return {
    info: { name, provider: serverName, contextWindow: contextWindow ?? contextWindowOf(name) },
    complete(request, signal) {
      const started = performance.now();
      return exchange(request, signal, async (incoming, watched) => {
        const reply = responsesAccumulator(request.onDelta?.bind(request), () => performance.now());
        await readReply(incoming, reply, place, watched);
        const taken = takenIds(request);
        // Only the last event says that a response is whole, whatever else the server said.
        return toReply(reply.finish(id => taken.has(id)), { place, origin, prices, started, done: false });
      });
    },
  };
}
