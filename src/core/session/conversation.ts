import { type ConversationListener, Publication } from './publication';
import { isSteer, type WaitingMessage } from '../../protocol/plain/waitingMessages';
import type { EventStore } from '../ports/eventStore';
import type { ContextPart, Event, Image, Limits, Mode, NewEvent } from '../../protocol/events/event';
import type { Agent } from '../agent/agent';
import { scalesOf } from '../condense/contextFill';
import { checkpointReached, controlOf, isStepping, pauseIsRequested } from '../log/checkpoints';
import {
  askedHash,
  askedPlace,
  condensationIsRequested,
  hasUnreadWords,
  openQuestions,
  pendingActions,
  settingsOf,
  standing,
  startedActions,
  statusOf,
  undecidedActions,
  waitingMessages,
  type History,
} from '../log/history';
import { eventsOf, Interrupt, Submitted } from '../agent/interrupt';
import { durableRetry, usualPatience, type Patience } from './durableRetry';
import { modeChange } from '../agent/modes';
import { readAhead } from '../log/projection';
import { resultSoFar, sinceLastEnd, withResults } from '../log/results';
import { booksOf } from '../log/spending';
import { asksAlways } from '../risk/confirmation';
import { maskedEvent, maskedLog } from '../secrets/maskedEvent';
import { MaskedDeltas } from '../secrets/maskedDeltas';
import { secrets } from '../secrets/secrets';

/** What a yes to a command may say beside. */
export interface FurtherAnswer {
  /** It may run outside the sandbox, this once. */
  readonly outside?: boolean;
  /** The command that runs in its place. */
  readonly edited?: string;
}

const askedFirst = [...standing, booksOf, controlOf, scalesOf];

/** Owns the log, the only thing in the core that changes, and the one loop that steps until the log says to rest. */
export class Conversation {
  private readonly log: Event[];
  /** Whatever streams passes it, as whatever is logged passes `append`: nothing leaves the run with a secret in it. */
  private readonly deltas = new MaskedDeltas(secrets, (delta) => this.told.delta(delta, this.log.length));
  private readonly told: Publication;
  /** Ends the wait for another try of the model. */
  private hurrying: AbortController | undefined;
  /** What the request that is under way holds: all that was said before that event. */
  private readUpTo = 0;
  private current: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;

  constructor(
    private readonly agent: Pick<Agent, 'step'>,
    saved: History,
    private readonly store: EventStore,
    private readonly listener: ConversationListener = {},
    private readonly patience: Patience = usualPatience,
  ) {
    const pieces = maskedLog(saved, secrets);
    let piece = pieces.next();
    while (!piece.done) piece = pieces.next();
    this.log = [...piece.value];
    this.told = new Publication(this.log, listener);
  }

  /** The log as the run knows it. Its last events may not be on disk yet. */
  get history(): History {
    return this.log;
  }

  /** The part of the log that is on disk: what may be shown as done. The same array all the time; it grows. */
  get savedHistory(): History {
    return this.told.saved;
  }

  get running(): boolean {
    return this.current !== undefined;
  }

  /** Reads a long log for what a person sees of it and a step asks of it first, in pieces. */
  *readAhead(): Generator<undefined, void> {
    for (const history of [this.savedHistory, this.log]) yield* readAhead(history, askedFirst);
  }

  readonly append = (event: NewEvent): void => {
    const stamped = maskedEvent({ ...withResults(event, this.log), seq: this.log.length, at: Date.now() }, secrets);
    this.deltas.endedBy(stamped);
    this.log.push(stamped);
    this.store.append(stamped, (failure) => (failure ? this.told.failed(failure) : this.told.event(stamped)));
  };

  /**
   * Words from a person, whenever they come: read before the next reply; with `steer` already beside the next result of
   * a tool. In human mode they are a command to run.
   */
  say(
    text: string,
    extra: {
      readonly delivery?: 'next_step' | 'steer' | undefined;
      readonly images?: readonly Image[] | undefined;
      readonly context?: readonly ContextPart[] | undefined;
      /** The message that waits and that this one replaces. */
      readonly instead?: number | undefined;
    } = {},
  ): void {
    const { delivery, images, context, instead } = extra;
    this.append({
      type: 'user_message',
      text,
      ...(delivery && { delivery }),
      ...(images?.length && { images: [...images] }),
      ...(context?.length && { context: [...context] }),
      ...(instead !== undefined && { instead }),
    });
    this.wake();
  }

  /** The messages that wait and that no request holds, in the order in which they will be read. */
  get waiting(): readonly WaitingMessage[] {
    return waitingMessages(this.log).filter(({ held, event: { seq } }) => held || seq >= this.readUpTo);
  }

  /**
   * Holds a message that waits while a person edits it, or takes it back. False when it does not wait: the agent has it,
   * or it was changed meanwhile.
   */
  takeBack(message: number, change: 'held' | 'taken_back'): boolean {
    if (!this.waiting.some(({ event, held }) => event.seq === message && !(held && change === 'held'))) return false;
    this.append({ type: 'message_changed', message, change });
    return true;
  }

  /** A message that is held is read as it was. */
  putBack(message: number): boolean {
    const found = this.waiting.find(({ event, held }) => event.seq === message && held);
    if (!found) return false;
    const { text, delivery, images, context } = found.event;
    this.say(text, { delivery, images, context, instead: message });
    return true;
  }

  /**
   * Moves a waiting message before another one, or to the end. False if one of them is not waiting for the next
   * request. Commands in human mode run in the order in which they were typed.
   */
  move(message: number, before: number | undefined): boolean {
    const wait = this.waiting.filter(({ event }) => !isSteer(event)).map(({ event: { seq } }) => seq);
    const isThere = (seq: number): boolean => wait.includes(seq);
    if (!isThere(message) || (before !== undefined && !isThere(before)) || settingsOf(this.log)?.mode === 'human')
      return false;
    this.append({ type: 'message_changed', message, change: 'moved', ...(before !== undefined && { before }) });
    return true;
  }

  /**
   * Consent to, or refusal of, one action that waits for it. `hash` is that of the question which the person saw; the
   * one that is open, where it is not given. False when nothing waits under that id (it was decided already), or
   * another question does, or the question does not offer what `more` says.
   */
  decide(
    actionId: string,
    approved: boolean,
    comment?: string,
    hash = askedHash(actionId, this.log),
    more: FurtherAnswer = {},
  ): boolean {
    if (!undecidedActions(this.log).some(({ id }) => id === actionId) || hash !== askedHash(actionId, this.log))
      return false;
    const { outside = false, edited } = approved ? more : {};
    const place = askedPlace(actionId, this.log);
    if ((outside && place?.outside === undefined) || (edited !== undefined && !place?.editable)) return false;
    this.append({
      type: 'confirmation_resolved',
      actionIds: [actionId],
      approved: approved && edited === undefined,
      by: 'person',
      ...(comment && { comment }),
      ...(hash && { hashes: { [actionId]: hash } }),
      ...(outside && { outside: [actionId] }),
      ...(edited !== undefined && { edited: { [actionId]: edited } }),
    });
    this.wake();
    return true;
  }

  /** The answer to an open question. False when nothing waits under that id. */
  answer(actionId: string, text: string): boolean {
    const question = openQuestions(this.log).find((open) => open.actionId === actionId);
    if (!question) return false;
    this.append({ type: 'observation', actionId, outcome: 'ok', content: text, details: { kind: 'answer', text } });
    this.wake();
    return true;
  }

  /** Halts at the next checkpoint: nothing that runs is cancelled. */
  pause(): void {
    if (statusOf(this.log) === 'ready' && !pauseIsRequested(this.log)) this.append({ type: 'pause_requested' });
  }

  /** Goes to the next checkpoint and halts there; so does each further call. */
  step(): void {
    if (!isStepping(this.log)) this.append({ type: 'settings_changed', stepping: true });
    this.goOn();
  }

  /** Where the run waits for another try of the model, the try begins now. */
  retryNow(): void {
    this.hurrying?.abort();
  }

  /**
   * Goes on after a pause, a failure, a limit or an interruption, and halts at
   * checkpoints no more. Resuming consents to nothing.
   */
  resume(): void {
    if (isStepping(this.log) || pauseIsRequested(this.log)) this.append({ type: 'settings_changed', stepping: false });
    this.goOn();
  }

  /** Cancels at once what runs; what waits will not run. The run can be resumed. Resolves when the loop rests. */
  interrupt(reason = 'Interrupted by the person.'): Promise<void> {
    return this.halt(reason, () => ({ type: 'paused', reason }));
  }

  /** Like `interrupt`, and the run is over with what there is so far. */
  stop(reason = 'Stopped by the person.'): Promise<void> {
    return this.halt(reason, () => ({
      type: 'finished',
      status: 'stopped',
      cause: 'person',
      summary: `${reason} ${resultSoFar(sinceLastEnd(this.log))}`,
    }));
  }

  /**
   * From the next half of a step on. What waits for consent waits on, unless the new mode asks for none;
   * what no mode lets run waits in any case.
   */
  setMode(mode: Mode): void {
    const { mode: before } = settingsOf(this.log)!;
    if (mode === before) return;
    const { cutOff } = this;
    this.append({ type: 'settings_changed', mode });
    const text = modeChange(before, mode);
    if (text) this.append({ type: 'feedback', cause: 'mode_changed', text });
    const waiting =
      mode === 'auto'
        ? undecidedActions(this.log)
            .filter(({ risk }) => !asksAlways(risk))
            .map(({ id }) => id)
        : [];
    if (waiting.length > 0)
      this.append({ type: 'confirmation_resolved', actionIds: waiting, approved: true, by: 'rule' });
    if (!cutOff) this.wake();
  }

  /** The limits from now on; a run that had reached the old ones goes on. */
  setLimits(limits: Limits): void {
    this.append({ type: 'settings_changed', limits });
    const last = this.log.findLast((event) => event.type === 'finished' || event.type === 'user_message');
    if (statusOf(this.log) === 'finished' && last?.type === 'finished' && last.status === 'limit_exceeded')
      this.resume();
  }

  /** Makes the conversation shorter before the next reply. */
  condense(): void {
    const { cutOff } = this;
    this.append({ type: 'condensation_requested', by: 'person' });
    if (!cutOff) this.wake();
  }

  /** Starts the loop where the log is ready for it. */
  wake(): void {
    if (this.current || statusOf(this.log) !== 'ready') return;
    const stop = new AbortController();
    this.current = { stop, done: this.run(stop.signal) };
    this.listener.onRunning?.(true);
  }

  /** Resolves when the loop rests. */
  async rested(): Promise<void> {
    await this.current?.done;
  }

  /**
   * The program ended in the middle of the run: it goes on when a person resumes it or says
   * something, not because its settings change.
   */
  private get cutOff(): boolean {
    return !this.current && statusOf(this.log) === 'ready';
  }

  private goOn(): void {
    if (statusOf(this.log) !== 'ready' || this.current?.stop.signal.aborted || condensationIsRequested(this.log))
      this.append({ type: 'resumed' });
    this.wake();
  }

  private async halt(reason: string, ending: () => NewEvent): Promise<void> {
    const asked = this.log.length;
    const ended = this.current?.done;
    this.current?.stop.abort(reason);
    await ended;
    if (this.current || ['empty', 'idle', 'finished'].includes(statusOf(this.log))) return;
    this.closeInterrupted();
    for (const { id } of pendingActions(this.log))
      this.append({
        type: 'observation',
        actionId: id,
        outcome: 'skipped',
        content: 'The user stopped before this action ran.',
      });
    const end = ending();
    if (end.type !== statusOf(this.log)) this.append(end);
    // What a person said or asked for meanwhile counts.
    const isUnread = new Set<Event>(this.waiting.filter(({ held }) => !held).map(({ event }) => event));
    if (this.log.slice(asked).some((event) => event.type === 'resumed' || isUnread.has(event))) this.goOn();
  }

  private async run(signal: AbortSignal): Promise<void> {
    await undefined; // `current` is set before the first step
    this.closeInterrupted();
    while (!signal.aborted && statusOf(this.log) === 'ready') {
      const checkpoint = checkpointReached(this.log);
      if (checkpoint) {
        this.append({
          type: 'paused',
          reason: isStepping(this.log) ? 'Step by step.' : 'Paused by the person.',
          checkpoint,
        });
        break;
      }
      try {
        if (this.store.failure) await this.durable(signal);
        await this.agent.step({
          history: this.log,
          signal,
          emit: this.append,
          durable: () => this.durable(signal),
          onDelta: (delta) => {
            if (delta.kind === 'reading') this.readUpTo = delta.upTo;
            this.deltas.add(delta);
          },
          hurry: () => (this.hurrying = new AbortController()).signal,
        });
      } catch (thrown) {
        // Whoever aborted says what that means.
        if (thrown instanceof Interrupt || !signal.aborted) eventsOf(thrown).forEach(this.append);
        if (!(thrown instanceof Interrupt || signal.aborted)) this.listener.onFailure?.(thrown);
        // What a person said while the work was handed in is the next task.
        if (thrown instanceof Submitted && hasUnreadWords(this.log)) this.append({ type: 'resumed' });
      } finally {
        this.readUpTo = 0;
      }
    }
    await this.store.durable().catch((failure) => this.listener.onFailure?.(failure));
    this.current = undefined;
    this.listener.onRunning?.(false);
    if (!signal.aborted) this.wake();
  }

  private durable(signal: AbortSignal): Promise<void> {
    return durableRetry(this.store, signal, this.append, this.patience);
  }

  /** What had begun when the program died is never run again: whether it took effect is unknown. */
  private closeInterrupted(): void {
    for (const { id } of startedActions(this.log)) {
      this.append({
        type: 'observation',
        actionId: id,
        outcome: 'unknown',
        content:
          'The program ended while this action ran, so its outcome is unknown. Check what it did before going on.',
      });
    }
  }
}
