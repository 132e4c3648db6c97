import type { NewEvent } from '../../protocol/event';
import type { EventStore } from './conversation';
import { Interrupt } from './interrupt';

/** Milliseconds between two tries. */
const pause = 1000;

/**
 * Resolves when the log is on disk. Where it cannot be written (the disk is full, the folder cannot be written), this waits until it can,
 * and says so: a run whose log is not kept has no effects. Rejects when the run is aborted, or when the log can never be written.
 */
export async function kept(store: EventStore, signal: AbortSignal, append: (event: NewEvent) => void, onFailure: (thrown: unknown) => void): Promise<void> {
  try {
    return await store.durable();
  } catch (failure) {
    if (failure instanceof Interrupt) throw failure;
    append({ type: 'notice', level: 'warning', text: `${(failure as Error).message} The run waits and goes on by itself.` });
    onFailure(failure);
  }
  for (;;) {
    await passed(pause, signal);
    if (await store.durable().then(() => true, () => false)) break;
  }
  append({ type: 'notice', level: 'info', text: 'The log can be written again; the run goes on.' });
  await store.durable();
}

function passed(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const aborted = (): void => { clearTimeout(timer); reject(signal.reason as Error); };
    const timer = setTimeout(() => { signal.removeEventListener('abort', aborted); resolve(); }, milliseconds);
    signal.addEventListener('abort', aborted, { once: true });
  });
}
