import type { Model } from '../../ports/model';

/** Waits until a request may be sent. Called before each request, including retries. Rejects if aborted. */
type Pace = (signal: AbortSignal) => Promise<void>;

/** Limits the request rate of a model to what its endpoint allows. */
export const withPace = (model: Model, pace: Pace): Model => ({
  ...model,
  complete: async (request, signal) => {
    await pace(signal);
    signal.throwIfAborted();
    return model.complete(request, signal);
  },
});
