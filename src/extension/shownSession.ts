import type { Event } from '../protocol/event';
import type { LiveSession } from './liveSession';
import type { Glance, OpenSessions } from './openSessions';

/** Which session is looked at. A long one that nothing was done with yet is not open: only pages of it are read. */
export class ShownSession {
  private open: LiveSession | undefined;
  private seen: Glance | undefined;

  /** `opened`: a session that was only looked at is open now. `onProblem`: it cannot be. */
  constructor(private readonly sessions: () => OpenSessions, private readonly opened: () => void, private readonly onProblem: (problem: unknown) => void) {}

  get id(): string | undefined { return this.seen?.id ?? this.open?.id; }

  /** Undefined where it is not open. */
  get live(): LiveSession | undefined { return this.open; }

  get glance(): Glance | undefined { return this.seen; }

  /** Opened now, where it was only looked at. Throws an `Error` in words where it cannot be. */
  get current(): LiveSession | undefined {
    if (this.seen) this.openWholly(this.seen.id);
    return this.open;
  }

  /** Pages of the log. One that cannot be read makes the whole log be read, which says why. */
  get history(): { readonly length: number; slice(from: number, to?: number): Event[] } {
    const pages = this.seen?.history;
    if (!pages) return this.open?.conversation.history ?? [];
    return { length: pages.length, slice: (from, to) => { try { return pages.slice(from, to); } catch { return this.current!.conversation.history.slice(from, to); } } };
  }

  set(session: LiveSession | undefined): void {
    [this.open, this.seen] = [session, undefined];
  }

  /** Throws an `Error` in words where the session cannot be opened. */
  look(id: string): void {
    const glance = this.sessions().glance(id);
    if (!glance) return this.openWholly(id);
    [this.open, this.seen] = [undefined, glance];
    // What waits for an answer is in the list of approvals, too.
    if (glance.facts.status.startsWith('waiting')) setImmediate(() => { try { void this.current; } catch (problem) { this.onProblem(problem); } });
  }

  openWholly(id: string): void {
    const looked = this.seen !== undefined;
    this.set(this.sessions().openSession(id));
    if (looked) this.opened();
  }
}
