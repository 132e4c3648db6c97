import type { Event } from '../../protocol/events/event';
import type { Delta } from '../../protocol/panel/panel';

/**
 * Tells a listener what happens, in order: an event once it is on disk, so that nothing that was shown as done can be
 * lost, and what streams once all events before it were told. While the log cannot be written, what streams is not
 * held back: it is provisional in any case.
 */
export class Publication {
  /** The events that are on disk, which are those that were told. */
  readonly saved: Event[];
  private readonly streamed: { readonly after: number; readonly delta: Delta }[] = [];
  private problem: string | undefined;

  constructor(
    saved: readonly Event[],
    private readonly listener: ConversationListener,
  ) {
    this.saved = [...saved];
  }

  /** The event is on disk; it is the next one of the log. */
  event(event: Event): void {
    if (this.problem !== undefined) this.say(undefined);
    this.saved.push(event);
    this.guarded(() => this.listener.onEvent?.(event));
    this.tellWaiting();
  }

  /** Something streams; `after` is the length of the log at this moment. */
  delta(delta: Delta, after: number): void {
    if (after <= this.saved.length || this.problem !== undefined) this.listener.onDelta?.(delta);
    else this.streamed.push({ after, delta });
  }

  /** The log cannot be written now. Said at once, and once for the same words. */
  failed({ message }: Error): void {
    if (message === this.problem) return;
    this.say(message);
    this.tellWaiting();
  }

  private say(problem: string | undefined): void {
    this.problem = problem;
    this.guarded(() => this.listener.onUnkept?.(problem));
  }

  private tellWaiting(): void {
    const isTellable = ({ after }: { readonly after: number }): boolean =>
      after <= this.saved.length || this.problem !== undefined;
    while (this.streamed.length > 0 && isTellable(this.streamed[0]!)) {
      const { delta } = this.streamed.shift()!;
      this.guarded(() => this.listener.onDelta?.(delta));
    }
  }

  /** A listener that throws does not keep the log from going on. */
  private guarded(tell: () => void): void {
    try {
      tell();
    } catch (thrown) {
      this.listener.onFailure?.(thrown);
    }
  }
}

export interface ConversationListener {
  /** The event is on disk. */
  onEvent?(event: Event): void;
  /** What streams is provisional: it may be lost, or taken back. */
  onDelta?(delta: Delta): void;
  /** Why events wait to be shown, in words for a person, as soon as it is known; undefined when they are on disk. */
  onUnkept?(problem: string | undefined): void;
  /** The loop began or came to rest. */
  onRunning?(running: boolean): void;
  /** What broke, in full, for the output channel; the log holds the words for people. */
  onFailure?(thrown: unknown): void;
}
