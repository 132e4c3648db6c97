import { type ConversationListener, Publication } from './publication';
import { isSteer, type WaitingMessage } from '../../protocol/plain/waitingMessages';
import type { EventStore, WritableLog } from '../ports/eventStore';
import type { ContextPart, Event, Image, Limits, Mode, NewEvent } from '../../protocol/events/event';
import type { Agent } from '../agent/agent';
import { contextSizesOf } from '../condense/contextFill';
import { checkpointReached, controlOf, isStepping, pauseIsRequested } from '../log/runControl';
import {
  openQuestionHash,
  openQuestionPlace,
  openQuestions,
  pendingActions,
  startedActions,
  undecidedActions,
} from '../log/openActions';
import { condensationIsRequested, hasUnreadWords, stateProjections, statusOf, waitingMessages } from '../log/status';
import { settingsOf } from '../log/runSettings';
import { interruptEvents, Interrupt, Submitted } from '../agent/interrupt';
import { durableRetry, defaultRetryTimes, type RetryTimes } from './durableRetry';
import { modeChangeMessage } from '../agent/modes';
import { warmProjections, type History } from '../log/projection';
import { resultSoFar, eventsSinceLastEnd, withResults } from '../log/agentResults';
import { spendingOf } from '../log/spending';
import { asksAlways } from '../risk/confirmation';
import { maskedEvent, maskedLog, MaskedDeltas } from '../secrets/masking';
import { runToEnd } from '../text/slices';
import { secrets } from '../secrets/secrets';

/** Additions to the approval of a command. */
export interface FurtherAnswer {
  /** The command may run outside the sandbox, this once. */
  readonly outside?: boolean;
  /** The command to run instead. */
  readonly edited?: string;
}

interface Refusal {
  readonly comment?: string | undefined;
  /** Hash of the question that the person saw. Defaults to the open one. */
  readonly hash?: string | undefined;
}

type Approval = Refusal & FurtherAnswer;

const projectionsToWarm = [...stateProjections, spendingOf, controlOf, contextSizesOf];

/** Owns the log, the only mutable state in the core, and the loop that steps until the log says to rest. */
export class Conversation {
  private readonly log: Event[];
  private readonly store: EventStore;
  /** Masks everything that is streamed, as `append` masks everything that is logged: no secret leaves the run. */
  private readonly deltas = new MaskedDeltas(secrets, (delta) => this.publication.delta(delta, this.log.length));
  private readonly publication: Publication;
  /** Ends the wait before the next retry of a model request. */
  private hurrying: AbortController | undefined;
  /** Sequence number up to which the current request includes the log. */
  private readUpTo = 0;
  private current: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;

  constructor(
    private readonly agent: Pick<Agent, 'step'>,
    { events, store }: WritableLog,
    private readonly listener: ConversationListener = {},
    private readonly retryTimes: RetryTimes = defaultRetryTimes,
  ) {
    this.store = store;
    this.log = [...runToEnd(maskedLog(events, secrets))];
    this.publication = new Publication(this.log, listener);
  }

  /** The log as the run sees it. Its last events may not be on disk yet. */
  get history(): History {
    return this.log;
  }

  /** The part of the log that is on disk and may be shown as done. Always the same array; it grows. */
  get savedHistory(): History {
    return this.publication.saved;
  }

  get running(): boolean {
    return this.current !== undefined;
  }

  /** Builds the projections that the view and the next step need first from a long log, yielding between pieces. */
  *readAhead(): Generator<undefined, void> {
    for (const history of [this.savedHistory, this.log]) yield* warmProjections(history, projectionsToWarm);
  }

  readonly append = (event: NewEvent): void => {
    const stamped = maskedEvent({ ...withResults(event, this.log), seq: this.log.length, at: Date.now() }, secrets);
    this.deltas.endedBy(stamped);
    this.log.push(stamped);
    this.store.append(stamped, (failure) =>
      failure ? this.publication.failed(failure) : this.publication.event(stamped),
    );
  };

  /** Adds the next event of a log that another process writes. */
  readonly adopt = (event: Event): void => {
    const safe = maskedEvent(event, secrets);
    this.log.push(safe);
    this.publication.event(safe);
  };

  /**
   * Adds a message of the user at any time. It is read before the next reply; with `steer`, already with the next tool
   * result. In human mode, it is a command to run. If the program had ended in the middle of the run, calls that had not
   * begun are skipped: the message may want something else.
   */
  say(
    text: string,
    extra: {
      readonly delivery?: 'next_step' | 'steer' | undefined;
      readonly images?: readonly Image[] | undefined;
      readonly context?: readonly ContextPart[] | undefined;
      /** Sequence number of the waiting message that this one replaces. */
      readonly instead?: number | undefined;
    } = {},
  ): void {
    const { delivery, images, context, instead } = extra;
    if (this.endedMidRun) this.skipPending('This action was not run: the user wrote a message before it began.');
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

  /** Messages that wait and are not in a request, in the order in which they will be read. */
  get waiting(): readonly WaitingMessage[] {
    return waitingMessages(this.log).filter(({ held, event: { seq } }) => held || seq >= this.readUpTo);
  }

  /**
   * Holds a waiting message while it is edited, or takes it back. Returns false if it does not wait: the agent has read
   * it, or it changed meanwhile.
   */
  takeBack(message: number, change: 'held' | 'taken_back'): boolean {
    if (!this.waiting.some(({ event, held }) => event.seq === message && !(held && change === 'held'))) return false;
    this.append({ type: 'message_changed', message, change });
    return true;
  }

  /** Releases a held message unchanged. Returns false if it is not held. */
  putBack(message: number): boolean {
    const found = this.waiting.find(({ event, held }) => event.seq === message && held);
    if (!found) return false;
    const { text, delivery, images, context } = found.event;
    this.say(text, { delivery, images, context, instead: message });
    return true;
  }

  /**
   * Lets the agent read a waiting message already with the next tool result. Returns false if it does not wait, or has
   * images, which results cannot contain.
   */
  sendNow(message: number): boolean {
    const found = this.waiting.find(({ event }) => event.seq === message);
    if (!found || found.event.images?.length) return false;
    const { text, context } = found.event;
    if (!found.held) this.append({ type: 'message_changed', message, change: 'held' });
    this.say(text, { delivery: 'steer', context, instead: message });
    return true;
  }

  /**
   * Moves a waiting message before another one, or to the end. Returns false if one of them is not waiting for the next
   * request. In human mode, commands run in the order in which they were typed, so it also returns false.
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
   * Approves one action that waits for it. Returns false if no action with this id waits, the question changed, or it
   * does not offer what the person chose.
   */
  approve(actionId: string, approval: Approval = {}): boolean {
    return this.decide(actionId, { ...approval, approved: true });
  }

  /** Refuses one action that waits for approval. Returns false if none with this id waits or the question changed. */
  refuse(actionId: string, refusal: Refusal = {}): boolean {
    return this.decide(actionId, { ...refusal, approved: false });
  }

  private decide(actionId: string, decision: Approval & { readonly approved: boolean }): boolean {
    const asked = openQuestionHash(actionId, this.log);
    const { approved, comment, hash = asked } = decision;
    if (!undecidedActions(this.log).some(({ id }) => id === actionId) || hash !== asked) return false;
    const { outside = false, edited } = approved ? decision : {};
    const place = openQuestionPlace(actionId, this.log);
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

  /** Answers an open question. Returns false if no question with this id is open. */
  answer(actionId: string, text: string): boolean {
    const question = openQuestions(this.log).find((open) => open.actionId === actionId);
    if (!question) return false;
    this.append({ type: 'observation', actionId, outcome: 'ok', content: text, details: { kind: 'answer', text } });
    this.wake();
    return true;
  }

  /** Halts at the next checkpoint. Nothing that runs is cancelled. */
  pause(): void {
    if (statusOf(this.log) === 'ready' && !pauseIsRequested(this.log)) this.append({ type: 'pause_requested' });
  }

  /** Runs to the next checkpoint and halts there. */
  step(): void {
    if (!isStepping(this.log)) this.append({ type: 'settings_changed', stepping: true });
    this.goOn();
  }

  /** Starts a pending retry immediately: of the model request, and of writing the log. */
  retryNow(): void {
    this.hurrying?.abort();
    if (this.store.failure) this.store.durable().catch(() => undefined);
  }

  /** Resumes after a pause, a failure, a limit or an interruption, and ends stepping. Resuming approves nothing. */
  resume(): void {
    if (isStepping(this.log) || pauseIsRequested(this.log)) this.append({ type: 'settings_changed', stepping: false });
    this.goOn();
  }

  /**
   * Cancels everything that runs; waiting actions are skipped. The run can be resumed. Resolves when the loop rests.
   */
  interrupt(reason?: string): Promise<void> {
    return this.halt(reason ?? 'The user interrupted this run.', () => ({
      type: 'paused',
      reason: reason ?? 'You interrupted this run.',
    }));
  }

  /** Like `interrupt`, but ends the run with the results so far. */
  stop(reason?: string): Promise<void> {
    return this.halt(reason ?? 'The user stopped this run.', () => ({
      type: 'finished',
      status: 'stopped',
      cause: 'person',
      summary: `${reason ?? 'You stopped this run.'} ${resultSoFar(eventsSinceLastEnd(this.log))}`,
    }));
  }

  /**
   * Changes the mode, from the next half step on. Waiting actions keep waiting unless the new mode asks for no
   * approvals. Actions that every mode asks for keep waiting in any case.
   */
  setMode(mode: Mode): void {
    const { mode: before } = settingsOf(this.log)!;
    if (mode === before) return;
    const { endedMidRun } = this;
    this.append({ type: 'settings_changed', mode });
    const text = modeChangeMessage(before, mode);
    if (text) this.append({ type: 'feedback', cause: 'mode_changed', text });
    const waiting =
      mode === 'auto'
        ? undecidedActions(this.log)
            .filter(({ risk }) => !asksAlways(risk))
            .map(({ id }) => id)
        : [];
    if (waiting.length > 0)
      this.append({ type: 'confirmation_resolved', actionIds: waiting, approved: true, by: 'rule' });
    if (!endedMidRun) this.wake();
  }

  /** Changes the limits. A run that had reached the old ones resumes. */
  setLimits(limits: Limits): void {
    this.append({ type: 'settings_changed', limits });
    const last = this.log.findLast((event) => event.type === 'finished' || event.type === 'user_message');
    if (statusOf(this.log) === 'finished' && last?.type === 'finished' && last.status === 'limit_exceeded')
      this.resume();
  }

  /** Condenses the conversation before the next reply. */
  condense(): void {
    const { endedMidRun } = this;
    this.append({ type: 'condensation_requested', by: 'person' });
    if (!endedMidRun) this.wake();
  }

  /** Starts the loop if the log is ready for it. */
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
   * True if the program ended in the middle of the run. Such a run continues when a person resumes it or writes a
   * message, not when its settings change.
   */
  private get endedMidRun(): boolean {
    return !this.current && statusOf(this.log) === 'ready';
  }

  private goOn(): void {
    if (statusOf(this.log) !== 'ready' || this.current?.stop.signal.aborted || condensationIsRequested(this.log))
      this.append({ type: 'resumed' });
    this.wake();
  }

  /** `reason`: for running calls, whose results the model reads. The event of `ending` is for people. */
  private async halt(reason: string, ending: () => NewEvent): Promise<void> {
    const asked = this.log.length;
    const ended = this.current?.done;
    this.current?.stop.abort(reason);
    await ended;
    if (this.current || ['empty', 'idle', 'finished'].includes(statusOf(this.log))) return;
    this.skipPending('The user stopped before this action ran.');
    const end = ending();
    if (end.type !== statusOf(this.log)) this.append(end);
    // Messages and requests that arrived meanwhile are honored.
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
          reason: isStepping(this.log) ? 'Step by step.' : 'You paused this run.',
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
        // If the run was aborted, the code that aborted it records why.
        if (thrown instanceof Interrupt || !signal.aborted) interruptEvents(thrown).forEach(this.append);
        if (!(thrown instanceof Interrupt || signal.aborted)) this.listener.onFailure?.(thrown);
        // A message that arrived while the work was submitted is the next task.
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
    return durableRetry(this.store, signal, this.append, this.retryTimes);
  }

  /** Closes all open actions. `content`: what the model reads about those that had not begun. */
  private skipPending(content: string): void {
    this.closeInterrupted();
    for (const { id } of pendingActions(this.log))
      this.append({ type: 'observation', actionId: id, outcome: 'skipped', content });
  }

  /**
   * Closes actions that had started when the program died. They never run again: whether they took effect is unknown.
   */
  private closeInterrupted(): void {
    for (const { id } of startedActions(this.log)) {
      this.append({
        type: 'observation',
        actionId: id,
        outcome: 'unknown',
        content:
          'The program ended while this action ran, so its outcome is unknown. Check what it did before you continue.',
      });
    }
  }
}
