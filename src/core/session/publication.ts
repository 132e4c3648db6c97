import type { Event } from '../../protocol/events/event';
import type { Delta } from '../../protocol/panel/panel';

/**
 * Informs a listener in order: of an event once it is on disk, so that nothing shown as done can be lost; of a delta
 * once all earlier events were reported. While the log cannot be written, deltas are not held back, because they are
 * provisional anyway.
 */
export class Publication {
  /** Events that are on disk and were reported. */
  readonly saved: Event[];
  private readonly streamed: { readonly after: number; readonly delta: Delta }[] = [];
  private problem: string | undefined;

  constructor(
    saved: readonly Event[],
    private readonly listener: ConversationListener,
  ) {
    this.saved = [...saved];
  }

  /** Reports the next event of the log, which is on disk. */
  event(event: Event): void {
    if (this.problem !== undefined) this.say(undefined);
    this.saved.push(event);
    this.tellSafely(() => this.listener.onEvent?.(event));
    this.tellWaiting();
  }

  /** Reports a delta. `after` is the current length of the log. */
  delta(delta: Delta, after: number): void {
    if (after <= this.saved.length || this.problem !== undefined) this.listener.onDelta?.(delta);
    else this.streamed.push({ after, delta });
  }

  /** Reports that the log cannot be written. Called immediately; repeated messages are dropped. */
  failed({ message }: Error): void {
    if (message === this.problem) return;
    this.say(message);
    this.tellWaiting();
  }

  private say(problem: string | undefined): void {
    this.problem = problem;
    this.tellSafely(() => this.listener.onUnkept?.(problem));
  }

  private tellWaiting(): void {
    const isTellable = ({ after }: { readonly after: number }): boolean =>
      after <= this.saved.length || this.problem !== undefined;
    while (this.streamed.length > 0 && isTellable(this.streamed[0]!)) {
      const { delta } = this.streamed.shift()!;
      this.tellSafely(() => this.listener.onDelta?.(delta));
    }
  }

  /** An error in a listener must not stop the log. */
  private tellSafely(tell: () => void): void {
    try {
      tell();
    } catch (thrown) {
      this.listener.onFailure?.(thrown);
    }
  }
}

/** Hears what happens in a conversation. */
export interface ConversationListener {
  /** Called when an event is on disk. */
  onEvent?(event: Event): void;
  /** Called for streamed data, which is provisional: it may be lost or taken back. */
  onDelta?(delta: Delta): void;
  /**
   * Called with the reason, in words for people, as soon as events cannot be saved; with undefined when they are on
   * disk.
   */
  onUnkept?(problem: string | undefined): void;
  /** Called when the loop starts or stops. */
  onRunning?(running: boolean): void;
  /** Called with the full error, for the output channel. The log contains the message for people. */
  onFailure?(thrown: unknown): void;
}
