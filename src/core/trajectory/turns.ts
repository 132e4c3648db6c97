import { isDeferredFeedback, messageText } from '../log/eventFacts';
import type { Event, EventOf } from '../../protocol/events/event';
import { inReadingOrder, takenBackIn, waitingAfter, type WaitingMessage } from '../../protocol/plain/waitingMessages';
import type { History } from '../log/projection';
import { type InPieces, runToEnd } from '../text/slices';

/** A piece of a run in the order in which the model read it, including what was condensed later. */
export type Turn =
  | { readonly kind: 'system'; readonly event: EventOf<'task_started'> }
  /** `waymark`: messages that the loop itself wrote to the model. */
  | {
      readonly kind: 'words';
      readonly by: 'person' | 'waymark';
      readonly event: EventOf<'task_started' | 'user_message' | 'feedback' | 'resumed'>;
      readonly text: string;
    }
  | ReplyTurn
  | { readonly kind: 'condensation'; readonly event: EventOf<'condensation'> }
  | { readonly kind: 'end'; readonly event: EventOf<'finished'> };

/** A reply of the model with the results of its calls. */
export interface ReplyTurn {
  readonly kind: 'reply';
  readonly event: EventOf<'agent_response'>;
  /** Results in call order. */
  readonly results: readonly Result[];
  /** Results in chat order: the order of the calls, or of the file that the log was read from. */
  answers: readonly Result[];
  /** Message that the model read instead of this reply. */
  hiddenBy?: EventOf<'feedback'>;
}

/** Result of an action. `observation` is absent until it finishes. */
export interface Result {
  readonly action: EventOf<'agent_response'>['actions'][number];
  observation?: EventOf<'observation'>;
  /** Text that the model read, including messages that arrived meanwhile. */
  text: string;
}

/** Placeholder result for unfinished actions, in formats that require a result. */
const noResult = 'This call has not reported yet.';

/**
 * Returns what happened in a run, one entry for each message, reply and change, in order. A reply has the results of
 * its calls.
 */
export const turnsOf = (history: History): Turn[] => runToEnd(turnsInPieces(history));

/** Does the same, and yields after each event. */
export function* turnsInPieces(history: History): InPieces<Turn[]> {
  const reading = new TurnReading(takenBackIn(history));
  for (const event of history) {
    reading.read(event);
    yield;
  }
  const turns = reading.finish();
  if (!history.some((event) => event.type === 'task_started' && event.origin !== undefined)) return turns;
  for (const turn of turns) if (turn.kind === 'reply') turn.answers = turn.results.toSorted(byObservation);
  return turns;
}

const byObservation = (a: Result, b: Result): number =>
  (a.observation?.seq ?? Infinity) - (b.observation?.seq ?? Infinity);

type Words = EventOf<'user_message' | 'feedback'>;

const textOf = (words: Words): string => (words.type === 'user_message' ? messageText(words) : words.text);

/** Collects turns while it reads a log. */
class TurnReading {
  private readonly turns: Turn[] = [];
  /** Results of unfinished actions, by action id. */
  private readonly open = new Map<string, Result>();
  /** Messages that the model has not read yet. */
  private unread: Words[] = [];
  private waiting: readonly WaitingMessage[] = [];

  /** `takenBack`: the messages that the user took back before the model read them, by `seq`. */
  constructor(private readonly takenBack: ReadonlySet<number>) {}

  read(event: Event): void {
    this.waiting = waitingAfter(this.waiting, event);
    switch (event.type) {
      case 'task_started':
        this.turns.push({ kind: 'system', event }, { kind: 'words', by: 'person', event, text: messageText(event) });
        break;
      case 'user_message':
        if (!this.takenBack.has(event.seq)) this.unread.push(event);
        if (event.instead !== undefined) this.unread = inReadingOrder(this.unread, this.waiting);
        break;
      case 'message_changed':
        this.unread = inReadingOrder(this.unread, this.waiting);
        break;
      case 'agent_response':
        return this.reply(event);
      case 'observation':
        return this.observe(event);
      case 'feedback':
        return this.feedback(event);
      case 'resumed':
        return this.resume(event);
      case 'condensation':
        this.speakUnread();
        this.turns.push({ kind: 'condensation', event });
        break;
      case 'finished':
        this.speakUnread();
        this.turns.push({ kind: 'end', event });
        break;
    }
  }

  finish(): Turn[] {
    this.speakUnread();
    return this.turns;
  }

  private speak(event: Words): void {
    const by = event.type === 'user_message' ? 'person' : 'waymark';
    this.turns.push({ kind: 'words', by, event, text: textOf(event) });
  }

  private speakUnread(): void {
    for (const words of this.unread.splice(0)) this.speak(words);
  }

  private reply(event: EventOf<'agent_response'>): void {
    const read = this.unread.filter(({ seq }) => seq < event.readUpTo);
    this.unread = this.unread.filter(({ seq }) => seq >= event.readUpTo);
    // A command typed by a person is represented by its action.
    for (const words of read) if (event.by !== 'person' || words.seq !== event.readUpTo - 1) this.speak(words);
    const results = event.actions.map((action): Result => ({ action, text: noResult }));
    for (const result of results) this.open.set(result.action.id, result);
    this.turns.push({ kind: 'reply', event, results, answers: results });
  }

  private observe(event: EventOf<'observation'>): void {
    const result = this.open.get(event.actionId);
    if (!result) return;
    const isSteer = (words: Words): boolean => words.type === 'user_message' && words.delivery === 'steer';
    const steers = this.unread.filter(isSteer);
    this.unread = this.unread.filter((words) => !isSteer(words));
    this.open.delete(event.actionId);
    result.observation = event;
    const said = steers.map((words) => `[The user says: ${textOf(words)}]`);
    result.text = [event.worded ?? event.content, ...said].join('\n\n');
  }

  private feedback(event: EventOf<'feedback'>): void {
    const last = this.turns.at(-1);
    if (event.hidesReply && last?.kind === 'reply') last.hiddenBy = event;
    if (isDeferredFeedback(event)) this.unread.push(event);
    else if (event.text) this.speak(event);
  }

  /** Resuming after an answer tells the model to go on, unless it gets other words to read. */
  private resume(event: EventOf<'resumed'>): void {
    const last = this.turns.findLast(({ kind }) => kind !== 'end' && kind !== 'condensation');
    const isAnswer = last?.kind === 'reply' && last.results.length === 0 && !last.hiddenBy;
    if (isAnswer && this.unread.length === 0) this.turns.push({ kind: 'words', by: 'waymark', event, text: 'Go on.' });
  }
}

/** True if the calls of a reply are part of its text, so that their results are user messages. */
export const isTextual = ({ event }: ReplyTurn): boolean => event.by === 'person' || event.written !== undefined;
