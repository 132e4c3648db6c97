import type { SessionEvent } from '../../../api/waymark';
import type { Event } from '../../protocol/events/event';

interface Listener {
  readonly hear: (event: SessionEvent) => unknown;
  readonly session: string | undefined;
}

/**
 * Tells other extensions what happens in sessions: in order, a moment later, as
 * copies. What a listener does reaches no run.
 */
export class SessionEvents {
  private readonly listeners = new Set<Listener>();
  private readonly watches = new Map<string, Set<() => void>>();
  /** Hears what listeners throw. */
  onProblem: (thrown: unknown) => void = () => undefined;

  /** `session`: of that alone, beginning with `before`. */
  listen(hear: Listener['hear'], session?: string, before: readonly Event[] = []): { dispose(): void } {
    const listener = { hear, session };
    this.listeners.add(listener);
    for (const event of before) this.soon(listener, session!, event);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** For Waymark itself: calls `onMoved` whenever a session may have come to rest, or was closed. */
  watch(session: string, onMoved: () => void): { dispose(): void } {
    const all = this.watches.get(session) ?? new Set();
    this.watches.set(session, all.add(onMoved));
    return {
      dispose: () => {
        if (all.delete(onMoved) && all.size === 0) this.watches.delete(session);
      },
    };
  }

  moved(session: string): void {
    for (const look of this.watches.get(session) ?? []) queueMicrotask(look);
  }

  tell(session: string, event: Event): void {
    this.moved(session);
    for (const listener of this.listeners)
      if (listener.session === undefined || listener.session === session) this.soon(listener, session, event);
  }

  private soon(listener: Listener, session: string, event: Event): void {
    queueMicrotask(async () => {
      if (!this.listeners.has(listener)) return;
      try {
        await listener.hear(structuredClone({ ...event, session }) as SessionEvent);
      } catch (thrown) {
        this.onProblem(thrown);
      }
    });
  }
}
