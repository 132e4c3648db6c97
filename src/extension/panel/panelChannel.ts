import type { Event, Image } from '../../protocol/events/event';
import { isSame, merge } from '../sessions/inFlight';
import type { StepAnswers, StepQuestion } from '../inspector/stepAnswers';
import { MessageRate } from '../common/messageRate';
import {
  FromPanel,
  type Delta,
  type FromPanelHandlers,
  type PanelFacts,
  type ToPanel,
} from '../../protocol/panel/panel';

/** Events of one page; a longer log is loaded on scrolling up. */
const PAGE = 300;
/** Deltas wait this long for company, and so do events that follow others at once: about two frames. */
const FLUSH_MS = 30;

const isStop = (raw: unknown): boolean =>
  typeof raw === 'object' && raw !== null && 'type' in raw && raw.type === 'stop';

/** One handler for each message; pages the channel sends by itself. */
export type PanelHandlers = Omit<FromPanelHandlers, 'ready' | 'earlier' | StepQuestion['type']> & {
  ready(): void | Promise<void>;
};

/** What the channel shows: a log that grows, and the state outside the log. */
export interface Shown {
  readonly id: string;
  /** The log, or its pages. */
  readonly history: { readonly length: number; slice(from: number, to?: number): Event[] };
  /** What streamed since the log's last event. */
  readonly inFlight: readonly Delta[];
  /** What the person had typed and not sent. */
  readonly draft: string;
  /** Long texts that were pasted beside it. */
  readonly pastes?: readonly string[];
  /** Pictures that were pasted beside it. */
  readonly pictures?: readonly Image[];
  facts(): PanelFacts;
}

/**
 * The host's end of the wire to one view. A view that is hidden or reloaded says how far it has read when it is
 * back; nothing is sent to a view that has not said it is there. Messages carry new events and deltas, never state,
 * so their size does not grow with the run.
 */
export class PanelChannel {
  private attached = false;
  private sent = 0;
  private deltas: Delta[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** Set while a change waits to be sent. */
  private changing: NodeJS.Timeout | undefined;
  private changeSentAt = -Infinity;
  private answers: StepAnswers | undefined;
  private whole: { readonly id: string; readonly events: readonly Event[] } | undefined;

  constructor(
    private readonly post: (message: ToPanel) => void,
    private readonly shown: () => Shown,
    private readonly handlers: PanelHandlers,
    private readonly onProblem: (problem: unknown) => void,
    private readonly rate = new MessageRate(),
  ) {}

  /**
   * A message from the view: checked, then handed to its one handler. Anything
   * else is reported and dropped. Never rejects.
   */
  async receive(raw: unknown): Promise<void> {
    try {
      // Whatever else comes: a person can end a run.
      const allowed = isStop(raw) ? 'handle' : this.rate.next();
      if (allowed === 'drop') return;
      if (allowed === 'refuse')
        throw new Error(
          'The panel sends more messages than a person can cause, so further ones are ignored for a moment. Reload the window if this goes on.',
        );
      const message = FromPanel.safeParse(raw);
      if (!message.success)
        throw new Error(
          'The panel sent a message that is not known here, so it was ignored. Reload the window if the panel does not react.',
          { cause: message.error },
        );
      await this.handle(message.data);
    } catch (error) {
      this.onProblem(error);
    }
  }

  /** The view shows another session, or the same anew. */
  reset(): void {
    if (!this.attached) return;
    this.changeIsSent();
    const shown = this.shown();
    this.page(shown, Math.max(0, shown.history.length - PAGE), shown.history.length, true);
    this.replay(shown);
  }

  /**
   * Something happened in the log or beside it. Sent at once, because a person waits for it; what follows within two
   * frames goes together, or the view would draw more often than it is seen.
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
    const shown = this.shown();
    const { history } = shown;
    const from = this.sent;
    this.sent = history.length;
    if (from === history.length) this.post({ type: 'facts', facts: shown.facts() });
    else this.post({ type: 'events', from, events: history.slice(from), facts: shown.facts() });
  }

  delta(delta: Delta): void {
    if (!this.attached) return;
    // It belongs after what happened before it.
    if (this.changing) this.sendChange();
    // What a call writes comes in turns with how long it is: each of both is one delta of the message.
    const known = this.deltas.findLast((each) => each.kind === 'discard' || isSame(each, delta));
    if (known && known.kind !== 'discard') merge(known, delta);
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
        const shown = this.shown();
        const to = Math.min(message.before, shown.history.length);
        return this.page(shown, Math.max(0, to - PAGE), to, false);
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
   * What a step was asked follows from all that is before it. Of a session that is only
   * looked at the pages are put together once.
   */
  private wholeLog(): readonly Event[] {
    const { id, history } = this.shown();
    if (Array.isArray(history)) return history as readonly Event[];
    if (this.whole?.id !== id || this.whole.events.length !== history.length)
      this.whole = { id, events: history.slice(0) };
    return this.whole.events;
  }

  /** Nothing waits to be sent any more. */
  private changeIsSent(): void {
    clearTimeout(this.changing);
    this.changing = undefined;
    this.changeSentAt = performance.now();
  }

  private attach(sessionId: string | undefined, cursor: number): void | Promise<void> {
    this.attached = true;
    this.changeIsSent();
    const shown = this.shown();
    const { id, history } = shown;
    const known = sessionId === id && cursor <= history.length;
    const from = known && history.length - cursor <= PAGE ? cursor : Math.max(0, history.length - PAGE);
    this.page(shown, from, history.length, !(known && from === cursor));
    this.replay(shown);
    return this.handlers.ready();
  }

  private page(shown: Shown, from: number, to: number, fresh: boolean): void {
    const { history, draft, pastes = [], pictures = [] } = shown;
    if (to === history.length) this.sent = to;
    this.post({
      type: 'page',
      from,
      total: history.length,
      fresh,
      events: history.slice(from, to),
      facts: shown.facts(),
      ...(fresh && draft && { draft }),
      ...(fresh && pastes.length > 0 && { pastes }),
      ...(fresh && pictures.length > 0 && { pictures }),
    });
  }

  /** What streamed before the view was there, in place of whatever it may hold of it. */
  private replay({ inFlight }: Shown): void {
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
