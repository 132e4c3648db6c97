import type { StepContext, AgentParts } from './agentParts';
import type { ModelReply } from '../ports/model';
import { act } from './act';
import { withHooks } from './hooks';
import { withinSeconds } from './deadline';
import { condensationIsRequested, pendingActions, settingsOf, type History } from '../log/history';
import { readAgain } from './thinking/readAgain';
import { spentOnTask } from '../log/spending';
import { think } from './think';

/** Reads history, emits events, remembers nothing. */
export class Agent {
  constructor(private readonly parts: AgentParts) {}

  /** Half a step: asks what to do, or does one group of what was asked. Between two calls the run may be held (see checkpoints.ts). However it ends, each action has one observation or can still be run. */
  async step(context: StepContext): Promise<void> {
    const { history, signal, emit } = context;
    try {
      await withinSeconds(settingsOf(history)!.limits, spentOnTask(history), signal, (limited) =>
        this.hooked({ ...context, signal: limited }),
      );
    } catch (thrown) {
      for (const action of pendingActions(history)) {
        const content = 'This action was not run.';
        const worded = await this.parts.wording
          .observation(action, 'skipped', { content }, history)
          .catch(() => content);
        emit({
          type: 'observation',
          actionId: action.id,
          outcome: 'skipped',
          content,
          ...(worded !== content && { worded }),
        });
      }
      throw thrown;
    }
  }

  /** What a reply means that was not acted on when it came. */
  readAgain(reply: ModelReply, before: History): ReturnType<typeof readAgain> {
    return readAgain(this.parts, reply, before);
  }

  private hooked(context: StepContext): Promise<void> {
    const { hooks, wording } = this.parts;
    return hooks ? withHooks({ hooks, wording }, context, () => this.half(context)) : this.half(context);
  }

  private async half(context: StepContext): Promise<void> {
    if (pendingActions(context.history).length > 0) return act(this.parts, context);
    const { history, signal, emit } = context;
    const shortening = await this.parts.condenser?.condense(history, signal);
    if (shortening) emit(shortening);
    // A request is answered in any case, so that a run which was at rest rests again.
    if (condensationIsRequested(history))
      emit({ type: 'condensation', forgotten: [], summary: '', reasons: ['request'] });
    else if (!shortening) await think(this.parts, context);
  }
}
