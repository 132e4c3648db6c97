import type { Event } from '../../protocol/events/event';
import type { LiveSession } from './liveSession';
import type { Glance } from './glance';
import type { OpenSessions } from './openSessions';
import type { SessionEnvironment } from './sessionEnvironment';

/** What a place of the window does about the session that it shows. */
export interface ShownListener {
  /** Another session is shown, or none. */
  switched(): Promise<void>;
  /** One that was only looked at is open now. `anew`: more of it is known than was shown. */
  opened(anew: boolean): void;
  /** One that was only looked at cannot be opened. */
  onProblem(problem: unknown): void;
}

/** Which session is looked at in a place. A long one that nothing was done with yet is not open: only pages of it are read. */
export class ShownSession {
  private open: LiveSession | undefined;
  private seen: Glance | undefined;

  constructor(
    private readonly sessions: () => OpenSessions,
    private readonly listener: ShownListener,
  ) {}

  get id(): string | undefined {
    return this.seen?.id ?? this.open?.id;
  }

  /** Undefined where it is not open. */
  get live(): LiveSession | undefined {
    return this.open;
  }

  get glance(): Glance | undefined {
    return this.seen;
  }

  /**
   * The session that is shown now, opened where it was only looked at, whatever is shown when it is. Rejects
   * with an `Error` in words where it cannot be.
   */
  async whole(): Promise<LiveSession | undefined> {
    const { seen } = this;
    if (!seen) return this.open;
    const session = await this.sessions().openStored(seen.id);
    if (this.seen === seen) {
      this.set(session);
      this.listener.opened(seen.coming === true);
    }
    return session;
  }

  /** What the tools of that session act on. */
  async environment(): Promise<SessionEnvironment | undefined> {
    const session = await this.whole();
    return session && this.sessions().environmentOf(session.id);
  }

  /** Pages of the log. One that cannot be read makes the whole log be read, which says why. */
  get history(): { readonly length: number; slice(from: number, to?: number): Event[] } {
    const { seen } = this;
    if (!seen) return this.open?.conversation.savedHistory ?? [];
    return {
      length: seen.history.length,
      slice: (from, to) => {
        try {
          return seen.history.slice(from, to);
        } catch {
          this.seen = { ...seen, coming: true, history: { length: 0, slice: () => [] } };
          this.openSoon();
          return [];
        }
      },
    };
  }

  /** Shows an open session, or none. */
  async show(session: LiveSession | undefined): Promise<void> {
    this.set(session);
    await this.listener.switched();
  }

  /**
   * Shows a session by its id. Of a long one only the end is read until something is done with it.
   * Rejects in words where it cannot be opened.
   */
  async showStored(id: string): Promise<void> {
    this.refresh(id);
    await this.listener.switched();
  }

  set(session: LiveSession | undefined): void {
    [this.open, this.seen] = [session, undefined];
  }

  /** Throws an `Error` in words where the session cannot be opened. */
  refresh(id: string): void {
    const glance = this.sessions().glance(id);
    if (!glance) return this.openWholly(id);
    [this.open, this.seen] = [undefined, glance];
    // What waits for an answer is in the list of approvals, too.
    if (glance.coming || glance.facts.status.startsWith('waiting')) this.openSoon();
  }

  /** One that is short or new. */
  openWholly(id: string): void {
    this.set(this.sessions().openSession(id));
  }

  private openSoon(): void {
    setImmediate(() => void this.whole().catch((problem: unknown) => this.listener.onProblem(problem)));
  }
}
