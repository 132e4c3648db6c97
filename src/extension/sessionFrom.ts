import { openEventLog } from '../adapters/eventLog';
import { otherCandidate } from '../core/agent/otherCandidate';
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
  const id = sessions.stored.newId();
  const { store, problem } = openEventLog(sessions.stored.logOf(id));
  if (!store) throw new Error(problem);
  try {
    for (const event of events) store.append(event);
    await store.durable();
  } finally {
    await store.close();
  }
  sessions.stored.remember(id, events);
  return sessions.openSession(id);
}
