import { strict as assert } from 'node:assert';
import { toMessages } from '../../../src/core/model/messages';
import type { ChatMessage } from '../../../src/core/ports/model';
import type { Event, EventOf } from '../../../src/protocol/events/event';
import { asSent } from '../../support/asSent';
import { refusal } from '../../support/strict/strictChat';

/** Queries on logs that many cases share. */

export const submitMarker = 'COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT';
/** A command that submits this text. */
export const submitting = (text: string): string => `echo ${submitMarker}; echo '${text}'`;

/** "agent_response", "observation:ok", "feedback:format_error", "finished:submitted" … */
export const types = (history: readonly Event[]): string[] =>
  history.map((event) => {
    switch (event.type) {
      case 'observation':
        return `observation:${event.outcome}`;
      case 'feedback':
        return `feedback:${event.cause}`;
      case 'finished':
        return `finished:${event.status}`;
      default:
        return event.type;
    }
  });

export const ofType = <Type extends Event['type']>(history: readonly Event[], type: Type): EventOf<Type>[] =>
  history.filter((event): event is EventOf<Type> => event.type === type);

export const replies = (history: readonly Event[]): number => ofType(history, 'agent_response').length;

/** Result of each action as sent to the model, in order. */
export const observed = (history: readonly Event[]): string[] =>
  ofType(history, 'observation').map(({ content, worded = content }) => worded);

/** Returns how the run ended. Fails if it did not end. */
export function ending(history: readonly Event[]): EventOf<'finished'> {
  const last = history.at(-1);
  assert.equal(last?.type, 'finished', `the run has not ended: ${types(history).join(' ')}`);
  return last as EventOf<'finished'>;
}

/**
 * Asserts that a strict provider accepts the chat of the log. If the profile sends consecutive messages of one role,
 * the provider allows them.
 */
export function assertAccepted(history: readonly Event[]): void {
  const messages = toMessages(history);
  const asked: ChatMessage[] =
    messages.at(-1)?.role === 'assistant' ? [...messages, { role: 'user', content: 'Go on.' }] : messages;
  const [begun] = ofType(history, 'task_started');
  assert.equal(refusal(asSent(asked), new Set(), begun?.ownMessages), undefined);
}

/** The outcome of each action, in order. */
export const outcomes = (history: Parameters<typeof types>[0]): string[] =>
  ofType(history, 'observation').map(({ outcome }) => outcome);
