import { ModelProblem } from '../../../core/ports/model';
import type { ServerAndModel } from './problems';

/** Counts of tokens follow a complete reply at once. */
const afterReplyMs = 10_000;

/** A signal that ends a request when the caller aborts or nothing has arrived for a while. */
interface Watchdog {
  /** Its reason is the caller's reason or the problem “stalled”. */
  readonly signal: AbortSignal;
  /** Restarts the timeout: something arrived. */
  touch(): void;
  /** The reply is complete: waits only a little longer, whatever arrives. */
  complete(): void;
  release(): void;
}

/** Creates a watchdog for a request of `caller` to a server. An `idleMs` of 0 waits forever. */
export function watchdog(idleMs: number, caller: AbortSignal, server: ServerAndModel): Watchdog {
  const controller = new AbortController();
  const cancel = (): void => controller.abort(caller.reason);
  if (caller.aborted) cancel();
  else caller.addEventListener('abort', cancel, { once: true });
  const stop = (): void => controller.abort(stalledProblem(server, idleMs));
  let timer = idleMs > 0 ? setTimeout(stop, idleMs) : undefined;
  let isComplete = false;
  return {
    signal: controller.signal,
    touch: () => void (isComplete || timer?.refresh()),
    complete() {
      if (isComplete) return;
      isComplete = true;
      clearTimeout(timer);
      timer = setTimeout(stop, Math.min(idleMs || afterReplyMs, afterReplyMs));
    },
    release() {
      clearTimeout(timer);
      caller.removeEventListener('abort', cancel);
    },
  };
}

function stalledProblem({ host }: ServerAndModel, idleMs: number): ModelProblem {
  return new ModelProblem('stalled', {
    what: 'The model stopped answering.',
    why: `${host} sent nothing for ${Math.round(idleMs / 100) / 10} seconds.`,
    next: 'No action of the reply was run. Continue to ask again. A slow local model may need a longer idle timeout.',
  });
}
