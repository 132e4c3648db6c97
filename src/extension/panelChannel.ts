import type { Event } from '../protocol/event';
import { FromPanel, type Delta, type FromPanelHandlers, type PanelFacts, type ToPanel } from '../protocol/panel';

/** Events of one page; a longer log is loaded on scrolling up. */
const PAGE = 300;
/** Deltas wait this long for company, about two frames. */
const FLUSH_MS = 30;

/** What the channel shows: a log that grows, and what is true beside it. */
export interface Shown {
  readonly id: string;
  readonly history: readonly Event[];
  /** What the person had typed and not sent. */
  readonly draft: string;
  facts(): PanelFacts;
}

/**
 * The host's end of the wire to one view. A view that is hidden or reloaded says how far it has read when it is back; nothing is sent
 * to a view that has not said it is there. Messages carry new events and deltas, never state, so their size does not grow with the run.
 */
export class PanelChannel {
  private attached = false;
  private sent = 0;
  private deltas: Delta[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly post: (message: ToPanel) => void,
    private readonly shown: () => Shown,
    private readonly handlers: Omit<FromPanelHandlers, 'ready' | 'earlier'> & { ready(): void | Promise<void> },
    private readonly onProblem: (problem: unknown) => void,
  ) {}

  /** A message from the view: checked, then handed to its one handler. Anything else is reported and dropped. */
  async receive(raw: unknown): Promise<void> {
    const message = FromPanel.safeParse(raw);
    if (!message.success) return this.onProblem(new Error(`The panel sent something else than a message: ${message.error.message}`));
    try {
      await this.handle(message.data);
    } catch (error) {
      this.onProblem(error);
    }
  }

  /** The view shows another session, or the same anew. */
  reset(): void {
    if (!this.attached) return;
    const { history, facts } = this.shownNow();
    this.sent = Math.max(0, history.length - PAGE);
    this.page(this.sent, history.length, true, facts);
  }

  /** Something happened in the log or beside it. Sent at once: a person waits for it. */
  changed(): void {
    if (!this.attached) return;
    this.flush();
    const { history, facts } = this.shownNow();
    if (this.sent === history.length) return this.post({ type: 'facts', facts });
    const from = this.sent;
    this.sent = history.length;
    this.post({ type: 'events', from, events: history.slice(from), facts });
  }

  delta(delta: Delta): void {
    if (!this.attached) return;
    const last = this.deltas.at(-1);
    if (last && 'text' in last && 'text' in delta && last.kind === delta.kind && (last.kind !== 'output' || last.actionId === (delta as typeof last).actionId)) last.text += delta.text;
    else this.deltas.push({ ...delta });
    this.timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  detach(): void {
    this.attached = false;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.deltas = [];
  }

  private handle(message: FromPanel): void | Promise<void> {
    switch (message.type) {
      case 'ready': return this.attach(message.sessionId, message.cursor);
      case 'earlier': {
        const { history, facts } = this.shownNow();
        const to = Math.min(message.before, history.length);
        return this.page(Math.max(0, to - PAGE), to, false, facts);
      }
      default: return (this.handlers[message.type] as (message: FromPanel) => void | Promise<void>)(message);
    }
  }

  private attach(sessionId: string | undefined, cursor: number): void | Promise<void> {
    this.attached = true;
    const { id, history, facts } = this.shownNow();
    const known = sessionId === id && cursor <= history.length;
    const from = known && history.length - cursor <= PAGE ? cursor : Math.max(0, history.length - PAGE);
    this.sent = history.length;
    this.page(from, history.length, !(known && from === cursor), facts);
    return this.handlers.ready();
  }

  private page(from: number, to: number, fresh: boolean, facts: PanelFacts): void {
    const { history, draft } = this.shown();
    if (to === history.length) this.sent = to;
    this.post({ type: 'page', from, total: history.length, fresh, events: history.slice(from, to), facts, ...(fresh && draft && { draft }) });
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.deltas.length === 0) return;
    const { deltas } = this;
    this.deltas = [];
    this.post({ type: 'deltas', deltas });
  }

  private shownNow(): { id: string; history: readonly Event[]; facts: PanelFacts } {
    const shown = this.shown();
    return { id: shown.id, history: shown.history, facts: shown.facts() };
  }
}
