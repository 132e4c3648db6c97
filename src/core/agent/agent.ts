import type { StepContext, AgentParts } from './agentParts';
import type { ModelReply } from '../ports/model';
import { act } from './act';
import { withHooks } from './hooks';
import { condensationIsRequested } from '../log/status';
import { pendingActions } from '../log/openActions';
import { settingsOf } from '../log/runSettings';
import type { History } from '../log/projection';
import { readReply } from './thinking/readReply';
import { taskSpending, type Spending } from '../log/spending';
import { think } from './think';
import type { Limits } from '../../protocol/events/event';
import { Interrupt, secondsReached } from './interrupt';
import { maxTimerMs } from '../ports/maxTimerMs';
import { observationEvent } from './wording';

/** Stateless: reads the history and emits events. */
export class Agent {
  constructor(private readonly parts: AgentParts) {}

  /**
   * Runs half a step: asks the model, or runs one group of actions. The run may be paused between two calls (see
   * log/runControl.ts). However it ends, each action has one observation or can still be run.
   */
  async step(context: StepContext): Promise<void> {
    const { history, signal, emit } = context;
    try {
      await withinSeconds(settingsOf(history)!.limits, taskSpending(history), signal, (limited) =>
        this.stepWithHooks({ ...context, signal: limited }),
      );
    } catch (thrown) {
      for (const action of pendingActions(history)) {
        const content = 'This action was not run.';
        const worded = await this.parts.wording
          .observation(action, 'skipped', { content }, history)
          .catch(() => content);
        emit(observationEvent(action, 'skipped', { content }, { worded }));
      }
      throw thrown;
    }
  }

  /** Parses a reply that was recorded but not acted on. */
  readAgain(reply: ModelReply, before: History): ReturnType<typeof readReply> {
    return readReply(this.parts, reply, before);
  }

  private stepWithHooks(context: StepContext): Promise<void> {
    const { hooks, wording } = this.parts;
    return hooks ? withHooks({ hooks, wording }, context, () => this.thinkOrAct(context)) : this.thinkOrAct(context);
  }

  private async thinkOrAct(context: StepContext): Promise<void> {
    if (pendingActions(context.history).length > 0) return act(this.parts, context);
    const { history, signal, emit } = context;
    const shortening = await this.parts.condenser?.condense(history, signal);
    if (shortening) emit(shortening);
    // A condensation request is always answered, so that an idle run becomes idle again.
    if (condensationIsRequested(history))
      emit({ type: 'condensation', forgotten: [], summary: '', reasons: ['request'] });
    else if (!shortening) await think(this.parts, context);
  }
}

/**
 * Does the work with a signal that also aborts when the task reaches its time limit, so neither a command nor a slow
 * model exceeds it.
 */
async function withinSeconds<T>(
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
  const timer = setTimeout(() => controller.abort(secondsReached(seconds)), Math.min(left, maxTimerMs));
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
