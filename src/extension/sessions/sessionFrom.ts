import { continueFromCandidate } from '../../core/agent/thinking/continueFromCandidate';
import { forkFrom } from '../../core/trajectory/forkFrom';
import type { NewEvent } from '../../protocol/events/event';
import type { LiveSession } from './liveSession';
import type { OpenSessions } from './openSessions';

type SessionSource = Pick<OpenSessions, 'stored' | 'openStored'>;

/**
 * Opens a new session that continues from another candidate of a step. Throws an `Error` with a message for people if
 * the candidate does not exist or the log cannot be written.
 */
export async function sessionFrom(
  session: LiveSession,
  which: { readonly seq: number; readonly index: number },
  sessions: SessionSource,
): Promise<LiveSession> {
  const { conversation, agent } = session;
  const events = await continueFromCandidate(conversation.history, which, agent.readAgain, Date.now());
  return goingOn(session, which.seq - 1, () => events.slice(which.seq), sessions);
}

/**
 * Opens a new session with the events of another one up to `seq`. It continues with another instruction, or as the
 * original would have. `hasRestored`: the files were restored to that point first.
 */
export const forkedSession = (
  session: LiveSession,
  sessions: SessionSource,
  {
    seq,
    instruction,
    hasRestored = false,
  }: { readonly seq: number; readonly instruction: string | undefined; readonly hasRestored?: boolean | undefined },
): Promise<LiveSession> =>
  goingOn(session, seq, (next) => forkFrom(next.conversation.history, instruction, hasRestored), sessions);

/**
 * Interrupts the original session, because two must not change the same files at once. Shared events are stored once.
 */
async function goingOn(
  session: LiveSession,
  seq: number,
  more: (next: LiveSession) => readonly NewEvent[],
  sessions: SessionSource,
): Promise<LiveSession> {
  const { conversation } = session;
  const { stored } = sessions;
  if (conversation.running) await conversation.interrupt('Another session continues from here instead.');
  if (session.writable) await session.durable();
  const { id, store } = await stored.fork(session.id, seq);
  await store.close();
  try {
    const next = await sessions.openStored(id);
    for (const event of more(next)) next.conversation.append(event);
    await next.durable();
    stored.remember(id, next.conversation.history, next.savedPosition, { open: true });
    return next;
  } catch (error) {
    stored.delete(id);
    throw error;
  }
}
