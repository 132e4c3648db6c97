import type { NewEvent } from '../../protocol/events/event';
import type { EventStore } from '../ports/eventStore';
import { Failed, Interrupt } from '../agent/interrupt';

/** Thrown if the log cannot be written. */
export class LogWriteFailed extends Error {
  /**
   * `lasting`: the problem persists until somebody fixes it (missing permission, a file in place of the folder). A full
   * disk is not lasting, because other programs free space.
   */
  constructor(
    message: string,
    readonly lasting: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** How long a run waits for its log, in milliseconds. */
export interface RetryTimes {
  /** Delay between two attempts. */
  readonly pause: number;
  /** Maximum wait if the problem may go away by itself. */
  readonly passing: number;
  /** Maximum wait if somebody has to fix the problem. */
  readonly lasting: number;
}

export const defaultRetryTimes: RetryTimes = { pause: 1000, passing: 10 * 60_000, lasting: 15_000 };

/**
 * Resolves when the log is on disk. If it cannot be written (disk full, folder not writable), waits and adds a notice:
 * a run without a durable log must not have effects. Rejects if the run is aborted, if the log can never be written, or
 * after the time in `times`.
 */
export async function durableRetry(
  store: EventStore,
  signal: AbortSignal,
  append: (event: NewEvent) => void,
  times = defaultRetryTimes,
): Promise<void> {
  let failure = await writeFailureOf(store);
  if (failure === undefined) return;
  append({ type: 'notice', level: 'warning', text: `${failure.message} ${waitWords(failure, times)}` });
  for (let waited = 0; failure !== undefined; waited += times.pause) {
    if (waited >= (isLasting(failure) ? times.lasting : times.passing)) throw runFailure(failure);
    await waitFor(times.pause, signal);
    failure = await writeFailureOf(store);
  }
  // All earlier events are on disk. If the disk fails again, this event waits like any other, and so does the next
  // effect.
  append({ type: 'notice', level: 'info', text: 'The log can be written again; the run continues.' });
}

const isLasting = (failure: Error): boolean => failure instanceof LogWriteFailed && failure.lasting;

function waitWords(failure: Error, { lasting }: RetryTimes): string {
  if (!isLasting(failure)) return 'The run tries again every second and continues automatically.';
  return `The run waits ${Math.round(lasting / 1000)} seconds and then stops. If the log can be written before that, it continues automatically.`;
}

/** Returns why the appended events are not on disk, or undefined if they are. Rejects if they can never be. */
async function writeFailureOf(store: EventStore): Promise<Error | undefined> {
  try {
    await store.durable();
    return undefined;
  } catch (failure) {
    if (failure instanceof Interrupt) throw failure;
    return failure as Error;
  }
}

function runFailure({ message }: Error): Failed {
  return new Failed({
    what: 'The run stopped: its log cannot be written.',
    why: message,
    next: 'Resume the run when the log can be written again.',
  });
}

/** Rejects if the signal is aborted meanwhile. */
function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const aborted = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', aborted);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', aborted, { once: true });
  });
}
