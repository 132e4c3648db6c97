import type { NewEvent } from '../../protocol/events/event';
import type { EventStore } from '../ports/eventStore';
import { Failed, Interrupt } from '../agent/interrupt';

/** Why a log cannot be written. */
export class UnkeptLog extends Error {
  /**
   * `lasting`: it stays so until somebody changes something (no permission, a file in place of the folder), other than
   * a full disk, which other programs fill and free.
   */
  constructor(
    message: string,
    readonly lasting: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** How a run waits for its log, in milliseconds. */
export interface Patience {
  /** Between two tries. */
  readonly pause: number;
  /** In all, where the log could be written again at any time. */
  readonly passing: number;
  /** In all, where somebody has to change something first. */
  readonly lasting: number;
}

export const usualPatience: Patience = { pause: 1000, passing: 10 * 60_000, lasting: 15_000 };

/**
 * Resolves when the log is on disk. Where it cannot be written (the disk is full, the folder cannot be written), this
 * waits until it can, and says so: a run whose log is not kept has no effects. Rejects when the run is aborted, when
 * the log can never be written, and when it could not be written for as long as `patience` says.
 */
export async function durableRetry(
  store: EventStore,
  signal: AbortSignal,
  append: (event: NewEvent) => void,
  patience = usualPatience,
): Promise<void> {
  let failure = await failureOf(store);
  if (failure === undefined) return;
  append({ type: 'notice', level: 'warning', text: `${failure.message} The run waits and goes on by itself.` });
  for (let waited = 0; failure !== undefined; waited += patience.pause) {
    const isLasting = failure instanceof UnkeptLog && failure.lasting;
    if (waited >= (isLasting ? patience.lasting : patience.passing)) throw unkept(failure);
    await passed(patience.pause, signal);
    failure = await failureOf(store);
  }
  // What was to be kept is. Should the disk fail again, this event waits like any other, and so does the next effect.
  append({ type: 'notice', level: 'info', text: 'The log can be written again; the run goes on.' });
}

/** Why what was appended is not on disk; undefined where it is. Rejects where it never can be. */
async function failureOf(store: EventStore): Promise<Error | undefined> {
  try {
    await store.durable();
    return undefined;
  } catch (failure) {
    if (failure instanceof Interrupt) throw failure;
    return failure as Error;
  }
}

function unkept({ message }: Error): Failed {
  return new Failed({
    what: 'The run stopped: its log cannot be written.',
    why: message,
    next: 'Resume the run when the log can be written again.',
  });
}

function passed(milliseconds: number, signal: AbortSignal): Promise<void> {
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
