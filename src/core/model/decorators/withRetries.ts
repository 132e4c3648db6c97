import { counted } from '../../text/amounts';
import { ModelProblem, RequestOutdated, type Model, type ModelProblemKind } from '../../ports/model';
import { abortableDelay } from '../abortableDelay';
import { discardableRequest } from './discardableRequest';

/** How often a failed request is repeated, and how long to wait between. */
export interface RetryOptions {
  /** Maximum number of requests, including the first. */
  readonly maxAttempts?: number;
  /** First delay in ms. It doubles with each retry. */
  readonly baseMs?: number;
  /** Maximum delay chosen here, in ms. A server may request a longer one. */
  readonly capMs?: number;
  /** If a server requests a longer delay than this, in ms, the problem is reported instead. */
  readonly maxWaitMs?: number;
  /** Random number 0 ≤ x < 1, for jitter. */
  readonly random?: () => number;
  /** Rejects with the signal's reason if aborted. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const retriedKinds: ReadonlySet<ModelProblemKind> = new Set<ModelProblemKind>([
  'rate_limit',
  'server',
  'network',
  'stalled',
  'cut',
  'bad_stream',
]);
/** Minimum delay, even if a server requests none or names a time in the past. */
const minWaitMs = 100;

/** Retries failed requests if waiting may help. Announces each wait and discards what the failed attempt streamed. */
export function withRetries(
  model: Model,
  {
    maxAttempts = 6,
    baseMs = 1_000,
    capMs = 60_000,
    maxWaitMs = 900_000,
    random = Math.random,
    sleep = abortableDelay,
  }: RetryOptions = {},
): Model {
  /** Waits until the time is over or a person asks for the next attempt. Rejects if the run is aborted. */
  const waitFor = async (ms: number, signal: AbortSignal, hurry: AbortSignal | undefined): Promise<void> => {
    try {
      await sleep(ms, hurry ? AbortSignal.any([signal, hurry]) : signal);
    } catch (thrown) {
      if (signal.aborted || !hurry?.aborted) throw thrown;
    }
  };
  return {
    ...model,
    async complete(request, signal) {
      for (let attempt = 1; ; attempt++) {
        const streaming = discardableRequest(request);
        try {
          return await model.complete(streaming.request, signal);
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof ModelProblem) || !retriedKinds.has(error.kind)) throw error;
          const asked = error.retryAfterMs;
          if (attempt >= maxAttempts) throw withExplanation(error, `Tried ${attempt} times.`);
          if (asked !== undefined && asked > maxWaitMs)
            throw withExplanation(
              error,
              `It asks to wait ${formatDuration(asked)}.`,
              'Try again after that time, or choose another model.',
            );
          const delayMs =
            asked === undefined
              ? Math.min(capMs, baseMs * 2 ** (attempt - 1)) * (0.5 + random() / 2)
              : Math.max(minWaitMs, asked);
          const isLong = asked !== undefined && asked > capMs;
          const wait = isLong ? ` It asks to wait ${formatDuration(asked)}.` : '';
          request.onRetry?.({ attempt, delayMs, why: `${error.what} ${error.why}${wait}` });
          streaming.discard();
          await waitFor(delayMs, signal, request.hurry?.());
          if (request.isOutdated?.())
            throw new RequestOutdated('The conversation went on during the wait.', { cause: error });
        }
      }
    },
  };
}

const withExplanation = (problem: ModelProblem, more: string, next = problem.next): ModelProblem =>
  new ModelProblem(problem.kind, {
    what: problem.what,
    why: `${problem.why} ${more}`,
    next,
    retryAfterMs: problem.retryAfterMs,
    contextWindow: problem.contextWindow,
    cause: problem.cause,
  });

function formatDuration(ms: number): string {
  if (ms < 120_000) return counted(Math.ceil(ms / 1_000), 'second');
  if (ms < 7_200_000) return counted(Math.ceil(ms / 60_000), 'minute');
  return counted(Math.ceil(ms / 3_600_000), 'hour');
}
