import { openEventLog, type EventLog } from '../adapters/eventLog';
import type { Sessions } from '../adapters/sessions';
import { pendingActions } from '../core/agent/history';
import { otherCandidate } from '../core/agent/otherCandidate';
import type { Event } from '../protocol/event';
import type { LiveSession } from './liveSession';
import type { OpenSessions } from './openSessions';

/**
 * Opens a session that goes on from another candidate of a step. Work in the first session is interrupted: two must not change the same
 * files at once. Throws an `Error` in words for the person when there is no such candidate or its log cannot be written.
 */
export async function sessionFrom(session: LiveSession, which: { readonly seq: number; readonly index: number }, sessions: Pick<OpenSessions, 'stored' | 'openSession'>): Promise<LiveSession> {
  const { conversation, agent } = session;
  const events = await otherCandidate(conversation.history, which, agent.readAgain, Date.now());
  if (conversation.running) await conversation.interrupt('Another candidate was picked; its session goes on instead.');
  await session.durable();
  const { id, store, own } = await begun(session, events, which.seq, sessions.stored);
  try {
    for (const event of own) store.append(event);
    await store.durable();
  } finally {
    await store.close();
  }
  sessions.stored.remember(id, events, store.stand);
  return sessions.openSession(id);
}

/** A log for `events`, and those of them that it lacks: what the two sessions share is written once. One that worked for another session begins a log of its own. */
async function begun({ id: from, conversation: { history } }: LiveSession, events: readonly Event[], seq: number, stored: Sessions): Promise<{ id: string; store: EventLog; own: readonly Event[] }> {
  const before = events.slice(0, seq);
  if (before[0] === history[0] && pendingActions(before).length === 0) return { ...(await stored.fork(from, seq - 1)), own: events.slice(seq) };
  const id = stored.newId();
  const { store, problem } = openEventLog(stored.logOf(id));
  if (!store) throw new Error(problem);
  return { id, store, own: events };
}
