import type { Model } from '../../ports/model';

/**
 * Waits until a request may be sent; called before each one, also before one that is sent
 * again. Rejects where nobody wants it any more.
 */
export type Pace = (signal: AbortSignal) => Promise<void>;

/** The same model, which is asked only as fast as its endpoint allows. */
export const paced = (model: Model, pace: Pace): Model => ({
  ...model,
  complete: async (request, signal) => {
    await pace(signal);
    signal.throwIfAborted();
    return model.complete(request, signal);
  },
});
