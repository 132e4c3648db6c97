import type { EventOf } from '../../../protocol/events/event';
import type { ModelReply } from '../../ports/model';
import { actionsFor } from './actionsFor';
import type { AgentParts } from '../agentParts';
import type { History } from '../../log/projection';

/** A reply of a model as it is logged, after its format has read it. */
export type ReadReply = Pick<EventOf<'agent_response'>, 'text' | 'actions' | 'written' | 'unreadCalls' | 'taskState'>;

/** Parses a reply with the profile's format and turns its calls into actions of the session's tools. */
export async function readReply(
  parts: Pick<AgentParts, 'format' | 'profile' | 'tools' | 'dialect' | 'analyzers' | 'environment'>,
  reply: ModelReply,
  before: History,
): Promise<ReadReply> {
  const { text, groups, written, unreadCalls, taskState } = parts.format.read(reply);
  return {
    text,
    actions: await actionsFor(groups, parts, before),
    ...(written !== undefined && { written }),
    ...(unreadCalls?.length && { unreadCalls: [...unreadCalls] }),
    ...(taskState && { taskState }),
  };
}
