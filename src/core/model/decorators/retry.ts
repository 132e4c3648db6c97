import { ModelProblem, type Model, type ModelProblemKind } from '../../ports/model';
import { wait } from './wait';
import { watchStreaming } from './watchStreaming';

export interface RetryOptions {
  /** Requests in all, the first included. */
  readonly maxAttempts?: number;
  /** The first wait; each next one is twice as long. */
  readonly baseMs?: number;
  /** The longest wait that is chosen here; a server may ask for more. */
  readonly capMs?: number;
  /** When a server asks for more than this, the problem is shown instead of waiting. */
  readonly patienceMs?: number;
  /** 0 ≤ x < 1, for the jitter. */
  readonly random?: () => number;
  /** Rejects with the signal's reason when it aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const passing: ReadonlySet<ModelProblemKind> = new Set<ModelProblemKind>([
  'rate_limit',
  'server',
  'network',
  'stalled',
  'cut',
  'bad_stream',
]);
/** A server that says "at once" or names a moment that has passed still gets a breath. */
const leastWaitMs = 100;

/**
 * The same model, asked again where waiting can help. Each wait is announced; what an
 * attempt streamed before it failed is discarded.
 */
export function retry(
  model: Model,
  {
    maxAttempts = 6,
    baseMs = 1_000,
    capMs = 60_000,
    patienceMs = 900_000,
    random = Math.random,
    sleep = wait,
  }: RetryOptions = {},
): Model {
  /** Until the time is over, or a person wants the next try now. Rejects when the run is aborted. */
  const waitFor = async (ms: number, signal: AbortSignal, hurry: AbortSignal | undefined): Promise<void> => {
    try {
      await sleep(ms, hurry ? AbortSignal.any([signal, hurry]) : signal);
    } catch (thrown) {
      if (signal.aborted || !hurry?.aborted) throw thrown;
    }
  };
  return {
    info: model.info,
    async complete(request, signal) {
      for (let attempt = 1; ; attempt++) {
        const streaming = watchStreaming(request);
        try {
          return await model.complete(streaming.request, signal);
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof ModelProblem) || !passing.has(error.kind)) throw error;
          const asked = error.retryAfterMs;
          if (attempt >= maxAttempts) throw told(error, `Tried ${attempt} times.`);
          if (asked !== undefined && asked > patienceMs) throw told(error, `It asks to wait ${spoken(asked)}.`);
          const delayMs =
            asked === undefined
              ? Math.min(capMs, baseMs * 2 ** (attempt - 1)) * (0.5 + random() / 2)
              : Math.max(leastWaitMs, asked);
          const isLong = asked !== undefined && asked > capMs;
          const wait = isLong ? ` It asks to wait ${spoken(asked)}.` : '';
          request.onRetry?.({ attempt, delayMs, why: `${error.what} ${error.why}${wait}` });
          streaming.discard();
          await waitFor(delayMs, signal, request.hurry?.());
        }
      }
    },
  };
}

const told = ({ kind, what, why, next, retryAfterMs, cause }: ModelProblem, more: string): ModelProblem =>
  new ModelProblem(kind, what, `${why} ${more}`, next, retryAfterMs, { cause });

function spoken(ms: number): string {
  const [amount, unit] =
    ms < 120_000 ? [ms / 1_000, 'second'] : ms < 7_200_000 ? [ms / 60_000, 'minute'] : [ms / 3_600_000, 'hour'];
  const whole = Math.ceil(amount);
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
}
