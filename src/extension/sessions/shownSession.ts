import type { PanelFacts } from '../../protocol/panel/panel';
import type { Event } from '../../protocol/events/event';
import type { LiveSession } from './liveSession';
import type { Glance } from './glance';
import type { OpenSessions } from './openSessions';
import type { SessionEnvironment } from './sessionEnvironment';

/** How a place of the window reacts to changes of its session. */
interface ShownListener {
  /** Another session is on display, or none. */
  switched(): Promise<void>;
  /** A session that was only viewed has been opened. `anew`: more of it is known than was shown. */
  opened(options: { readonly anew: boolean }): void;
  /** A session that was only viewed cannot be opened. */
  onProblem(problem: unknown): void;
}

/**
 * The session shown in a place. A long session is not opened until something is done with it: only pages of it are
 * read.
 */
export class ShownSession {
  private open: LiveSession | undefined;
  private lastGlance: Glance | undefined;

  constructor(
    private readonly sessions: OpenSessions,
    private readonly listener: ShownListener,
  ) {}

  get id(): string | undefined {
    return this.lastGlance?.id ?? this.open?.id;
  }

  /** Undefined if the session is not open. */
  get live(): LiveSession | undefined {
    return this.open;
  }

  get glance(): Glance | undefined {
    return this.lastGlance;
  }

  /**
   * Returns the session on display, after opening it if necessary, even if another one is on display by then. Rejects
   * with an `Error` with a message for people if it cannot be opened.
   */
  async openedSession(): Promise<LiveSession | undefined> {
    const { lastGlance } = this;
    if (!lastGlance) return this.open;
    const session = await this.sessions.openStored(lastGlance.id);
    if (this.lastGlance === lastGlance) {
      this.setLive(session);
      this.listener.opened({ anew: lastGlance.isLoading === true });
    }
    return session;
  }

  /** Returns the environment of the session's tools. */
  async environment(): Promise<SessionEnvironment | undefined> {
    const session = await this.openedSession();
    return session && this.sessions.environmentOf(session.id);
  }

  /** Pages of the log. If a page cannot be read, the whole log is read, which reports the reason. */
  get history(): { readonly length: number; slice(from: number, to?: number): Event[] } {
    const { lastGlance } = this;
    if (!lastGlance) return this.open?.conversation.savedHistory ?? [];
    return {
      length: lastGlance.history.length,
      slice: (from, to) => {
        try {
          return lastGlance.history.slice(from, to);
        } catch {
          this.lastGlance = { ...lastGlance, isLoading: true, history: { length: 0, slice: () => [] } };
          this.openSoon();
          return [];
        }
      },
    };
  }

  /** Shows an open session, or none. */
  async show(session: LiveSession | undefined): Promise<void> {
    this.setLive(session);
    await this.listener.switched();
  }

  /**
   * Shows a session by ID. Only the end of a long log is read until the user acts on the session. Rejects with a message
   * for people if it cannot be opened.
   */
  async showStored(id: string): Promise<void> {
    this.switchTo(id);
    await this.listener.switched();
  }

  setLive(session: LiveSession | undefined): void {
    [this.open, this.lastGlance] = [session, undefined];
  }

  /**
   * Switches to a session by ID without notifying the listener. Throws an `Error` with a message for people if the
   * session cannot be opened.
   */
  switchTo(id: string): void {
    const glance = this.sessions.glance(id);
    if (!glance) return this.openFully(id);
    [this.open, this.lastGlance] = [undefined, glance];
    // A waiting question must also appear in the list of approvals, which needs an open session.
    // One that another process writes can only be followed in an open session.
    if (glance.isLoading || !glance.facts.writable || glance.facts.status.startsWith('waiting')) this.openSoon();
  }

  /** Opens a session completely. */
  openFully(id: string): void {
    this.setLive(this.sessions.openSession(id));
  }

  /** Shows a session that another process has released, without opening it. */
  showReleased(session: LiveSession, { elsewhere: _none, problem: _gone, ...facts }: PanelFacts): void {
    if (this.open !== session) return;
    const { savedHistory: history } = session.conversation;
    [this.open, this.lastGlance] = [undefined, { id: session.id, history, facts: { ...facts, writable: true } }];
    this.listener.opened({ anew: false });
    if (facts.status.startsWith('waiting')) this.openSoon();
  }

  private openSoon(): void {
    setImmediate(() => void this.openedSession().catch((problem: unknown) => this.listener.onProblem(problem)));
  }
}
