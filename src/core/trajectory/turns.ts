import { isDeferredFeedback, messageText } from '../log/eventFacts';
import type { EventOf } from '../../protocol/events/event';
import { inReadingOrder, takenBackIn, waitingAfter, type WaitingMessage } from '../../protocol/plain/waitingMessages';
import type { History } from '../log/projection';

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
export function turnsOf(history: History): Turn[] {
  const turns: Turn[] = [];
  const open = new Map<string, Result>();
  let unread: EventOf<'user_message' | 'feedback'>[] = [];
  const takenBack = takenBackIn(history);
  const speak = (event: EventOf<'user_message' | 'feedback'>): void =>
    void turns.push({
      kind: 'words',
      by: event.type === 'user_message' ? 'person' : 'waymark',
      event,
      text: event.type === 'user_message' ? messageText(event) : event.text,
    });
  let waiting: readonly WaitingMessage[] = [];
  for (const event of history) {
    waiting = waitingAfter(waiting, event);
    switch (event.type) {
      case 'task_started':
        turns.push({ kind: 'system', event }, { kind: 'words', by: 'person', event, text: messageText(event) });
        break;
      case 'user_message':
        if (!takenBack.has(event.seq)) unread.push(event);
        if (event.instead !== undefined) unread = inReadingOrder(unread, waiting);
        break;
      case 'message_changed':
        unread = inReadingOrder(unread, waiting);
        break;
      case 'agent_response': {
        const read = unread.filter(({ seq }) => seq < event.readUpTo);
        unread = unread.filter(({ seq }) => seq >= event.readUpTo);
        // A command typed by a person is represented by its action.
        for (const words of read) if (event.by !== 'person' || words.seq !== event.readUpTo - 1) speak(words);
        const results = event.actions.map((action): Result => ({ action, text: noResult }));
        for (const result of results) open.set(result.action.id, result);
        turns.push({ kind: 'reply', event, results, answers: results });
        break;
      }
      case 'observation': {
        const result = open.get(event.actionId);
        if (!result) break;
        const steers = unread.filter((words) => words.type === 'user_message' && words.delivery === 'steer');
        unread = unread.filter((words) => !steers.includes(words));
        open.delete(event.actionId);
        result.observation = event;
        result.text = [
          event.worded ?? event.content,
          ...steers.map(
            (words) => `[The user says: ${words.type === 'user_message' ? messageText(words) : words.text}]`,
          ),
        ].join('\n\n');
        break;
      }
      case 'feedback': {
        const last = turns.at(-1);
        if (event.hidesReply && last?.kind === 'reply') last.hiddenBy = event;
        if (isDeferredFeedback(event)) unread.push(event);
        else if (event.text) speak(event);
        break;
      }
      case 'resumed': {
        const last = turns.findLast(({ kind }) => kind !== 'end' && kind !== 'condensation');
        if (last?.kind === 'reply' && last.results.length === 0 && !last.hiddenBy && unread.length === 0)
          turns.push({ kind: 'words', by: 'waymark', event, text: 'Go on.' });
        break;
      }
      case 'condensation':
      case 'finished':
        unread.forEach(speak);
        unread = [];
        turns.push(event.type === 'finished' ? { kind: 'end', event } : { kind: 'condensation', event });
        break;
    }
  }
  unread.forEach(speak);
  if (history.some((event) => event.type === 'task_started' && event.origin !== undefined))
    for (const turn of turns)
      if (turn.kind === 'reply')
        turn.answers = [...turn.results].sort(
          (a, b) => (a.observation?.seq ?? Infinity) - (b.observation?.seq ?? Infinity),
        );
  return turns;
}

/** True if the calls of a reply are part of its text, so that their results are user messages. */
export const isTextual = ({ event }: ReplyTurn): boolean => event.by === 'person' || event.written !== undefined;
