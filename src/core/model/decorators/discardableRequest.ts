import type { ModelRequest } from '../../ports/model';

/** A request that a decorator may have to repeat. */
interface DiscardableRequest {
  readonly request: ModelRequest;
  /** Discards what has streamed, if anything. */
  discard(): void;
}

/** Wraps a request to record whether its reply has started to stream. */
export function discardableRequest(request: ModelRequest): DiscardableRequest {
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
