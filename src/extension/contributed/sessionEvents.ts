import type { SessionEvent } from '../../../api/waymark';
import type { Event } from '../../protocol/events/event';

interface Listener {
  readonly onEvent: (event: SessionEvent) => unknown;
  readonly session: string | undefined;
}

/**
 * Sends session events to other extensions: in order, asynchronously and as copies. An error in a listener does not
 * affect the run.
 */
export class SessionEvents {
  private readonly listeners = new Set<Listener>();
  private readonly watches = new Map<string, Set<() => void>>();
  /** Called with the errors that listeners throw. */
  onProblem: (thrown: unknown) => void = () => undefined;

  /** Adds a listener. `session`: only events of that session, starting with `before`. */
  listen(onEvent: Listener['onEvent'], session?: string, before: readonly Event[] = []): { dispose(): void } {
    const listener = { onEvent, session };
    this.listeners.add(listener);
    for (const event of before) this.deliverSoon(listener, session!, event);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** For internal use: calls `onMoved` whenever a session may have ended its run or was closed. */
  watch(session: string, onMoved: () => void): { dispose(): void } {
    const all = this.watches.get(session) ?? new Set();
    this.watches.set(session, all.add(onMoved));
    return {
      dispose: () => {
        if (all.delete(onMoved) && all.size === 0) this.watches.delete(session);
      },
    };
  }

  isWatched(session: string): boolean {
    return this.watches.has(session);
  }

  notifyWatchers(session: string): void {
    for (const look of this.watches.get(session) ?? []) queueMicrotask(look);
  }

  emit(session: string, event: Event): void {
    this.notifyWatchers(session);
    for (const listener of this.listeners)
      if (listener.session === undefined || listener.session === session) this.deliverSoon(listener, session, event);
  }

  private deliverSoon(listener: Listener, session: string, event: Event): void {
    queueMicrotask(async () => {
      if (!this.listeners.has(listener)) return;
      try {
        await listener.onEvent(structuredClone({ ...event, session }) as SessionEvent);
      } catch (thrown) {
        this.onProblem(thrown);
      }
    });
  }
}
