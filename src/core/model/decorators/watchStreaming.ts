import type { ModelRequest } from '../../ports/model';

/** A request that a decorator may have to make again. */
export interface WatchedRequest {
  readonly request: ModelRequest;
  /** Takes back what the answer streamed, if it streamed anything. */
  discard(): void;
}

/** The same request, which notices whether its answer began to stream. */
export function watchStreaming(request: ModelRequest): WatchedRequest {
  if (!request.onDelta) return { request, discard: () => undefined };
  let hasStreamed = false;
  return {
    request: {
      ...request,
      onDelta(delta) {
        hasStreamed = true;
        request.onDelta!(delta);
      },
    },
    discard() {
      if (hasStreamed) request.onDelta!({ kind: 'discard' });
    },
  };
}
