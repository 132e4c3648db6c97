import type { Event, EventOf } from '../../protocol/events/event';
import type { StepDetails } from '../../protocol/inspector/inspector';
import { shellFolder } from '../log/shellState';
import type { History } from '../log/projection';
import { toMessages } from '../model/messages';
import { stepsOf } from './steps';

const maxCondensedMessages = 500;

/** Returns everything in the log about the row that event `seq` belongs to, or undefined if there is no such event. */
export function stepDetails(history: History, seq: number): StepDetails | undefined {
  const { rows, owner } = stepsOf(history);
  const place = owner[seq];
  const row = place === undefined ? undefined : rows[place];
  if (!row) return undefined;
  const first = history[row.seq]!;
  const cwd = shellFolder(history.slice(0, row.seq + 1));
  return {
    seq: row.seq,
    events: eventsOf(history, owner, place!),
    asked: first.type === 'agent_response' && first.by !== 'person',
    ...(cwd !== undefined && { cwd }),
    ...(first.type === 'condensation' && { forgotten: forgottenBy(first, history) }),
    ...(first.type === 'agent_response' && { response: responseOf(first, history) }),
  };
}

/** The events of a row are close to it: failed attempts before, decisions and results after. */
function eventsOf(history: History, owner: readonly number[], place: number): Event[] {
  return history.filter((_event, index) => owner[index] === place);
}

function forgottenBy({ forgotten }: EventOf<'condensation'>, history: History): NonNullable<StepDetails['forgotten']> {
  const { rows, owner } = stepsOf(history);
  const places = [...new Set(forgotten.map((seq) => owner[seq]).filter((place) => place !== undefined))];
  return places.slice(0, maxCondensedMessages).map((place) => ({ seq: rows[place]!.seq, words: rows[place]!.line }));
}

/** Returns the reply as later requests contain it. */
function responseOf(reply: EventOf<'agent_response'>, history: History): string {
  const message = toMessages([...history.slice(0, 1), { ...reply, readUpTo: 0 }]).find(
    ({ role }) => role === 'assistant',
  ) ?? { role: 'assistant', content: reply.written ?? reply.text };
  return JSON.stringify(message, null, 2);
}
