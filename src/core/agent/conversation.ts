import type { Event, NewEvent } from '../../protocol/event';
import type { Delta } from '../../protocol/panel';
import type { Agent } from './agent';
import { openQuestions, pendingActions, startedActions, statusOf, undecidedActions, type History } from './history';
import { eventsOf, Interrupt } from './interrupt';

/** Keeps events. One writer; `append` never blocks, `durable` says when what was appended survives a crash. */
export interface EventStore {
  append(event: Event): void;
  /** Resolves when everything appended so far is on disk. Rejects when it cannot be kept. */
  durable(): Promise<void>;
}

export interface ConversationListener {
  onEvent?(event: Event): void;
  onDelta?(delta: Delta): void;
  /** The loop began or came to rest. */
  onRunning?(running: boolean): void;
  /** What broke, in full, for the output channel; the log holds the words for people. */
  onFailure?(thrown: unknown): void;
}

/** Owns the log, the only thing in the core that changes, and the one loop that steps until the log says to rest. */
export class Conversation {
  private readonly log: Event[];
  private current: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;

  constructor(
    private readonly agent: Pick<Agent, 'step'>,
    saved: History,
    private readonly store: EventStore,
    private readonly listener: ConversationListener = {},
  ) {
    this.log = [...saved];
  }

  get history(): History {
    return this.log;
  }

  get running(): boolean {
    return this.current !== undefined;
  }

  readonly append = (event: NewEvent): void => {
    const stamped: Event = { ...event, seq: this.log.length, at: Date.now() };
    this.log.push(stamped);
    this.store.append(stamped);
    this.listener.onEvent?.(stamped);
  };

  /** Words from a person: read by the model before its next reply, whenever they come. */
  say(text: string): void {
    this.append({ type: 'user_message', text });
    this.wake();
  }

  /** Consent to, or refusal of, one action that waits for it. False when nothing waits under that id (it was decided already). */
  decide(actionId: string, approved: boolean, comment?: string): boolean {
    if (!undecidedActions(this.log).some(({ id }) => id === actionId)) return false;
    this.append({ type: 'confirmation_resolved', actionIds: [actionId], approved, by: 'person', ...(comment && { comment }) });
    this.wake();
    return true;
  }

  /** The answer to an open question. False when nothing waits under that id. */
  answer(actionId: string, text: string): boolean {
    const question = openQuestions(this.log).find(open => open.actionId === actionId);
    if (!question) return false;
    this.append({ type: 'observation', actionId, outcome: 'ok', content: text, details: { kind: 'answer', text } });
    this.wake();
    return true;
  }

  /** Stops at once: the model call and running tools are cancelled, waiting actions will not run. Resolves when the loop rests. */
  async stop(reason = 'Stopped by the person.'): Promise<void> {
    if (this.current) {
      this.current.stop.abort(reason);
      await this.current.done;
    } else if (['waiting_for_confirmation', 'waiting_for_answer'].includes(statusOf(this.log))) {
      for (const { id } of pendingActions(this.log)) this.append({ type: 'observation', actionId: id, outcome: 'skipped', content: 'The user stopped before this action ran.' });
      this.append({ type: 'paused', reason });
    }
  }

  /** Goes on after a pause, a failure, a limit or an interruption. Resuming consents to nothing. */
  resume(): void {
    if (this.current) return;
    if (statusOf(this.log) !== 'ready') this.append({ type: 'resumed' });
    this.wake();
  }

  /** Starts the loop where the log is ready for it. */
  wake(): void {
    if (this.current || statusOf(this.log) !== 'ready') return;
    const stop = new AbortController();
    this.current = { stop, done: this.run(stop.signal) };
    this.listener.onRunning?.(true);
  }

  /** Resolves when the loop rests. */
  async rested(): Promise<void> {
    await this.current?.done;
  }

  private async run(signal: AbortSignal): Promise<void> {
    await undefined; // `current` is set before the first step
    this.closeInterrupted();
    while (statusOf(this.log) === 'ready') {
      try {
        await this.agent.step({
          history: this.log, signal, emit: this.append,
          durable: () => this.store.durable(),
          onDelta: delta => this.listener.onDelta?.(delta),
        });
      } catch (thrown) {
        eventsOf(thrown, signal).forEach(this.append);
        if (!(thrown instanceof Interrupt || signal.aborted)) this.listener.onFailure?.(thrown);
      }
    }
    await this.store.durable().catch(failure => this.listener.onFailure?.(failure));
    this.current = undefined;
    this.listener.onRunning?.(false);
    this.wake();
  }

  /** What had begun when the program died is never run again: whether it took effect is unknown. */
  private closeInterrupted(): void {
    for (const { id } of startedActions(this.log)) {
      this.append({ type: 'observation', actionId: id, outcome: 'unknown', content: 'The program ended while this action ran, so its outcome is unknown. Check what it did before going on.' });
    }
  }
}
