import type { Event, EventOf } from '../../../protocol/events/event';
import type { ModelReply, ModelRequest } from '../../ports/model';
import type { Proposal } from '../../ports/replyFormat';
import { readCallsInText, toolCalledInText } from '../../model/formats/callsInText';
import { actionsFor } from './actionsFor';
import type { AgentParts } from '../agentParts';
import { messageText } from '../../log/eventFacts';
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

const callsInTextNotice =
  'The model server leaves tool calls in the text of replies. Waymark reads them there from now on. ' +
  'A setting of the server may turn them into calls, such as --enable-auto-tool-choice of vLLM.';

/**
 * Adds the calls that a reply contains as text because its server did not recognize them. The first such reply of a
 * session is not read: the model is told to make a tool call, which works if the text was its own mistake. Servers that
 * miss some calls, such as Ollama with Qwen Coder, would miss them again.
 */
export function withCallsInText(
  proposal: Proposal,
  { finishReason }: ModelReply,
  { tools }: ModelRequest,
  { profile, history }: { readonly profile: AgentParts['profile']; readonly history: History },
): Proposal {
  const mayHold = proposal.groups.length === 0 && proposal.problem === undefined && proposal.completed === undefined;
  if (!mayHold || finishReason !== 'stop' || profile.failureLimits.formatErrors === 0) return proposal;
  const read = readCallsInText(proposal.text, tools);
  if (!read || !wasToldBefore(history, tools) || read.written.some((call) => isQuoted(call, history))) return proposal;
  const isNews = !history.some((event) => event.type === 'notice' && event.text === callsInTextNotice);
  return {
    ...proposal,
    text: read.text,
    groups: read.calls.map((call) => [call]),
    ...(isNews && { notice: callsInTextNotice }),
  };
}

/**
 * Returns whether a call may be a quotation: each of its lines is in one result or message. A file may contain the text
 * of a call, and a model that only shows that file does not want it to run.
 */
function isQuoted(call: string, history: History): boolean {
  const lines = call
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return history.some((event) => {
    const texts = textsIn(event);
    return texts.some((text) => lines.every((line) => text.includes(line)));
  });
}

function textsIn(event: Event): string[] {
  switch (event.type) {
    case 'observation':
      return [event.content, event.worded ?? ''];
    case 'task_started':
    case 'user_message':
      return [messageText(event)];
    case 'skill_woken':
      return [event.text];
    case 'hook_ran':
      return [event.context ?? ''];
    default:
      return [];
  }
}

const wasToldBefore = (history: History, tools: ModelRequest['tools']): boolean =>
  history.some(
    (event) =>
      event.type === 'agent_response' &&
      event.actions.length === 0 &&
      toolCalledInText(event.text, tools) !== undefined,
  );
