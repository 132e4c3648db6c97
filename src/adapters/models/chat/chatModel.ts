import type { Model } from '../../../core/ports/model';
import { chatAccumulator } from './chatAccumulator';
import { chatWriter } from './chatWire';
import { openEndpoint, type EndpointOptions } from '../endpoint/endpoint';
import { readReplyBody } from '../endpoint/readReplyBody';
import { isBroken, takenIds, toReply } from '../replies/toReply';
import { unknownUsage } from '../../../core/log/spending';

/**
 * Model behind any server that speaks OpenAI's chat completions. Sends one request per call; `withRetries` repeats it.
 */
export function chatModel(options: EndpointOptions): Model {
  const { prices = {} } = options;
  const { info, server, origin, connect, exchange } = openEndpoint('chat', options, chatWriter);

  return {
    info,
    connect,
    complete(request, signal) {
      const started = performance.now();
      return exchange(request, signal, async (incoming, watched) => {
        const parts = Array.from({ length: Math.max(1, request.n ?? 1) }, (_, index) =>
          chatAccumulator(index === 0 ? request.onDelta?.bind(request) : undefined, () => performance.now(), index),
        );
        const { done } = await readReplyBody(
          incoming,
          {
            add: (chunk) => parts.map((part) => part.add(chunk)).every(Boolean),
            size: () => parts.reduce((sum, part) => sum + part.size(), 0),
            isComplete: () => parts.every((part) => part.isComplete()),
          },
          server,
          watched,
        );
        const facts = { server, origin, prices, started, isComplete: done };
        const isTaken = takenIds(request);
        const usedIds = new Set<string>();
        const finished = parts.map((part) => {
          const found = part.finish((id) => usedIds.has(id) || isTaken(id));
          for (const { id } of found.toolCalls) usedIds.add(id);
          return found;
        });
        const reply = toReply(finished[0]!, facts);
        // Further replies count only if they are complete.
        const others = finished
          .slice(1)
          .filter(({ finishReason }) => finishReason !== undefined && !isBroken(finishReason))
          .map((found) => toReply(found, facts));
        return others.length === 0
          ? reply
          : { ...reply, choices: [reply, ...others].map((choice) => ({ ...choice, usage: unknownUsage })) };
      });
    },
  };
}
