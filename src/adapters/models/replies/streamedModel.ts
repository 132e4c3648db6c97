import type { Model, ModelRequest } from '../../../core/ports/model';
import type { Accumulated } from './accumulated';
import type { Endpoint, EndpointOptions } from '../endpoint/endpoint';
import { readReplyBody, type ReplyCollector } from '../endpoint/readReplyBody';
import { takenIds, toReply } from './toReply';

/** Assembles one reply from the events of a protocol. `taken`: call ids that the conversation already uses. */
interface Accumulator extends ReplyCollector {
  finish(taken: (id: string) => boolean): Accumulated;
}

/** Model behind an endpoint that streams a reply as events, the last of which says that the reply is complete. */
export function streamedModel(
  { info, server, origin, connect, exchange }: Endpoint,
  { prices = {} }: Pick<EndpointOptions, 'prices'>,
  accumulatorFor: (onDelta: ModelRequest['onDelta'], now: () => number) => Accumulator,
): Model {
  return {
    info,
    connect,
    complete(request, signal) {
      const started = performance.now();
      return exchange(request, signal, async (incoming, watched) => {
        const reply = accumulatorFor(request.onDelta?.bind(request), () => performance.now());
        await readReplyBody(incoming, reply, server, watched);
        // `[DONE]` does not count here: only the server's own last event marks the end.
        return toReply(reply.finish(takenIds(request)), { server, origin, prices, started, isComplete: false });
      });
    },
  };
}
