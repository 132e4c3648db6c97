import type { Event, Image } from '../../protocol/events/event';
import { belongTogether, merge } from '../sessions/inFlight';
import type { StepAnswers, StepQuestion } from '../inspector/stepAnswers';
import { MessageRate } from '../common/messageRate';
import {
  FromPanel,
  type Delta,
  type FromPanelHandlers,
  type PanelFacts,
  type ToPanel,
} from '../../protocol/panel/panel';

/** Events per page. Earlier pages of a longer log are loaded on scrolling up. */
const PAGE = 300;
/** Batching interval for deltas, and for events that follow others immediately, in ms: about two frames. */
const FLUSH_MS = 30;

const isStop = (raw: unknown): boolean =>
  typeof raw === 'object' && raw !== null && 'type' in raw && raw.type === 'stop';

/** One handler per message. The channel itself answers requests for pages and steps. */
export type PanelHandlers = Omit<FromPanelHandlers, 'ready' | 'earlier' | StepQuestion['type']> & {
  ready(): void | Promise<void>;
};

/** What the channel shows: a growing log, and the state outside the log. */
export interface ShownContent {
  readonly id: string;
  /** The log, or pages of it. */
  readonly history: { readonly length: number; slice(from: number, to?: number): Event[] };
  /** Deltas streamed since the last event of the log. */
  readonly inFlight: readonly Delta[];
  /** Unsent text of the user. */
  readonly draft: string;
  /** Long pasted texts of the draft. */
  readonly pastes?: readonly string[];
  /** Pasted images of the draft. */
  readonly pictures?: readonly Image[];
  facts(): PanelFacts;
}

interface PanelChannelParts {
  /** Sends a message to the view. */
  post(message: ToPanel): void;
  /** Returns the session that the view shows. */
  shownSession(): ShownContent;
  readonly handlers: PanelHandlers;
  onProblem(problem: unknown): void;
  readonly rate?: MessageRate;
}

/**
 * Host side of the connection to one view. After being hidden or reloaded, a view reports how far it has read; nothing
 * is sent before that. Messages contain new events and deltas, never state, so their size does not grow with the run.
 */
export class PanelChannel {
  private readonly post: PanelChannelParts['post'];
  private readonly shownSession: PanelChannelParts['shownSession'];
  private readonly handlers: PanelHandlers;
  private readonly onProblem: PanelChannelParts['onProblem'];
  private readonly rate: MessageRate;
  private attached = false;
  private sent = 0;
  private deltas: Delta[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** Set while a change waits to be sent. */
  private changing: NodeJS.Timeout | undefined;
  private changeSentAt = -Infinity;
  private answers: StepAnswers | undefined;
  private fullLog: { readonly id: string; readonly events: readonly Event[] } | undefined;

  constructor({ post, shownSession, handlers, onProblem, rate = new MessageRate() }: PanelChannelParts) {
    this.post = post;
    this.shownSession = shownSession;
    this.handlers = handlers;
    this.onProblem = onProblem;
    this.rate = rate;
  }

  /**
   * Validates a message from the view and calls its handler. Invalid messages are reported and dropped. Never rejects.
   */
  async receive(raw: unknown): Promise<void> {
    try {
      // Stopping a run is exempt from the rate limit.
      const allowed = isStop(raw) ? 'handle' : this.rate.next();
      if (allowed === 'drop') return;
      if (allowed === 'refuse')
        throw new Error(
          'The panel sends more messages than a person can cause, so Waymark ignores further ones for a moment. Reload the window if this continues.',
        );
      const message = FromPanel.safeParse(raw);
      if (!message.success)
        throw new Error(
          'The panel sent an unknown message, so Waymark ignored it. Reload the window if the panel does not react.',
          { cause: message.error },
        );
      await this.handle(message.data);
    } catch (error) {
      this.onProblem(error);
    }
  }

  /** Sends the log of a new session, or of the same one again. */
  reset(): void {
    if (!this.attached) return;
    this.changeIsSent();
    const shown = this.shownSession();
    this.page(shown, Math.max(0, shown.history.length - PAGE), shown.history.length, { fresh: true });
    this.replay(shown);
  }

  /**
   * Called when the log or the state outside of it changed. The first change is sent immediately, because the user
   * waits for it. Changes within the next two frames are sent together.
   */
  changed(): void {
    if (!this.attached || this.changing) return;
    const wait = this.changeSentAt + FLUSH_MS - performance.now();
    if (wait <= 0) this.sendChange();
    else this.changing = setTimeout(() => this.sendChange(), wait);
  }

  private sendChange(): void {
    this.changeIsSent();
    this.flush();
    const shown = this.shownSession();
    const { history } = shown;
    const from = this.sent;
    this.sent = history.length;
    if (from === history.length) this.post({ type: 'facts', facts: shown.facts() });
    else this.post({ type: 'events', from, events: history.slice(from), facts: shown.facts() });
  }

  delta(delta: Delta): void {
    if (!this.attached) return;
    // Send earlier changes first, to keep the order.
    if (this.changing) this.sendChange();
    // A call streams its text and its length in turns. The message contains one merged delta for each of the two.
    const last = this.deltas.findLast((each) => each.kind === 'discard' || belongTogether(each, delta));
    if (last && last.kind !== 'discard') merge(last, delta);
    else this.deltas.push({ ...delta });
    this.timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  detach(): void {
    this.attached = false;
    this.changeIsSent();
    this.forgetDeltas();
  }

  dispose(): void {
    this.detach();
  }

  private handle(message: FromPanel): void | Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.attach(message.sessionId, message.cursor);
      case 'earlier': {
        if (!this.attached) return undefined;
        const shown = this.shownSession();
        const to = Math.min(message.before, shown.history.length);
        return this.page(shown, Math.max(0, to - PAGE), to, { fresh: false });
      }
      case 'details':
      case 'request':
      case 'message':
        return this.ask(message);
      default:
        return (this.handlers[message.type] as (message: FromPanel) => void | Promise<void>)(message);
    }
  }

  private async ask(question: StepQuestion): Promise<void> {
    this.answers ??= new (await import('../inspector/stepAnswers')).StepAnswers();
    const answer = await this.answers.answer(this.wholeLog(), question);
    if (answer && this.attached) this.post(answer);
  }

  /**
   * Returns the whole log, from which the request of a step is computed. If the session is not open, its pages are
   * joined once and cached.
   */
  private wholeLog(): readonly Event[] {
    const { id, history } = this.shownSession();
    if (Array.isArray(history)) return history as readonly Event[];
    if (this.fullLog?.id !== id || this.fullLog.events.length !== history.length)
      this.fullLog = { id, events: history.slice(0) };
    return this.fullLog.events;
  }

  /** Clears the pending change. */
  private changeIsSent(): void {
    clearTimeout(this.changing);
    this.changing = undefined;
    this.changeSentAt = performance.now();
  }

  private attach(sessionId: string | undefined, cursor: number): void | Promise<void> {
    this.attached = true;
    this.changeIsSent();
    const shown = this.shownSession();
    const { id, history } = shown;
    const isSameLog = sessionId === id && cursor <= history.length;
    const from = isSameLog && history.length - cursor <= PAGE ? cursor : Math.max(0, history.length - PAGE);
    this.page(shown, from, history.length, { fresh: !(isSameLog && from === cursor) });
    this.replay(shown);
    return this.handlers.ready();
  }

  private page(shown: ShownContent, from: number, to: number, { fresh }: { readonly fresh: boolean }): void {
    const { history, draft, pastes = [], pictures = [] } = shown;
    if (to === history.length) this.sent = to;
    this.post({
      type: 'page',
      from,
      total: history.length,
      fresh,
      events: history.slice(from, to),
      facts: shown.facts(),
      ...(fresh && { draft }),
      ...(fresh && pastes.length > 0 && { pastes }),
      ...(fresh && pictures.length > 0 && { pictures }),
    });
  }

  /** Sends all deltas streamed so far. They replace those that the view may have. */
  private replay({ inFlight }: ShownContent): void {
    this.forgetDeltas();
    this.post({ type: 'deltas', deltas: [{ kind: 'discard' }, ...inFlight.map((delta) => ({ ...delta }))] });
  }

  private forgetDeltas(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.deltas = [];
  }

  private flush(): void {
    const { deltas } = this;
    this.forgetDeltas();
    if (deltas.length > 0) this.post({ type: 'deltas', deltas });
  }
}
