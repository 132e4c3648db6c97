import type { Limits } from '../../protocol/events/event';
import { Interrupt } from './interrupt';
import { secondsReached } from './limits';
import type { Spending } from '../log/spending';

const longestTimer = 2 ** 31 - 1;

/**
 * Does the work with a signal that also aborts when the task has worked as long as it may, so that neither a command nor a slow model
 * outlives the limit in seconds.
 */
export async function withinSeconds<T>(
  { seconds }: Limits,
  spent: Spending,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (seconds <= 0) return work(signal);
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal.reason);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  const left = Math.max(0, seconds - spent.seconds) * 1000;
  const timer = setTimeout(() => controller.abort(secondsReached(seconds)), Math.min(left, longestTimer));
  try {
    return await work(controller.signal);
  } catch (thrown) {
    if (!(thrown instanceof Interrupt)) controller.signal.throwIfAborted();
    throw thrown;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
