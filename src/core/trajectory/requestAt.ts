import type { EventOf } from '../../protocol/events/event';
import { settingsOf } from '../log/runSettings';
import type { History } from '../log/projection';
import { toMessages } from '../model/messages';
import { isOfferedIn } from '../agent/modes';
import { toolsOf } from '../session/sessionAgent';
import type { ChatMessage, ToolSchema } from '../ports/model';
import { formatFor } from '../model/formats/formatFor';
import { profileNamed } from '../profiles/profiles';
import { isAddedName, toolFromLog } from '../tools/addedTool';
import { dialectNamed } from '../tools/dialects/dialects';
import { offeredTools } from '../tools/dialects/dialect';
import { withSelfRating } from '../tools/calls/withSelfRating';
import type { Tool } from '../ports/tool';
import { toolsFor } from '../tools/toolsFor';
import { toolsOrNone } from './toolDefinitions';

/**
 * Input of a model call. `unknown` lists tools that the log names but this version does not define, such as those of
 * other programs.
 */
export interface Request {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSchema[];
  readonly unknown: readonly string[];
}

/**
 * Reconstructs the exact request of a step, which no log stores, from the events at the time of the model call, like
 * the loop does. Returns undefined if no model was called because a person typed the action. `seq` is that of the
 * reply.
 */
export function requestAt(history: History, seq: number): Request | undefined {
  const reply = history[seq];
  if (reply?.type !== 'agent_response' || reply.by === 'person') return undefined;
  const before = history.slice(0, reply.readUpTo);
  return { messages: toMessages(before), ...toolsAt(before) };
}

/** Returns the previous reply of a model in the same log. */
export function replyBefore(history: History, seq: number): EventOf<'agent_response'> | undefined {
  for (let at = seq - 1; at >= 0; at--) {
    const event = history[at]!;
    if (event.type === 'agent_response' && event.by !== 'person') return event;
  }
  return undefined;
}

function toolsAt(history: History): Pick<Request, 'tools' | 'unknown'> {
  const settings = settingsOf(history);
  const started = history.find((event) => event.type === 'task_started');
  const addedTools = settings?.addedTools ?? [];
  const named = [...(started?.tools ?? []).filter((name) => !isAddedName(name)), ...addedTools.map(({ name }) => name)];
  const profile = settings && profileIn(settings.profile);
  // Tools of another program may have the same names as Waymark's.
  if (!settings || !profile || started?.origin !== undefined) return { tools: [], unknown: named };
  if (!formatFor(profile.format, () => false).sendsTools) return { tools: [], unknown: [] };
  const wrapsUp = history.at(-1);
  if (wrapsUp?.type === 'feedback' && wrapsUp.cause === 'wrap_up') return { tools: [], unknown: [] };
  const byName = new Map<string, Tool>();
  for (const tool of [
    ...addedTools.map(toolFromLog),
    ...toolsOrNone(() => toolsOf(settings, profile, { trusted: true })),
    ...toolsOrNone(() => toolsFor({ toolsets: ['all'] })),
  ])
    if (!byName.has(tool.name)) byName.set(tool.name, tool);
  const offered = named
    .flatMap((name) => {
      const tool = byName.get(name);
      return tool ? [profile.selfRating ? withSelfRating(tool) : tool] : [];
    })
    .filter((tool) => isOfferedIn(settings.mode, tool, history));
  return {
    tools: offeredTools(offered, dialectNamed(settings.dialect)),
    unknown: named.filter((name) => !byName.has(name)),
  };
}

function profileIn(name: string): ReturnType<typeof profileNamed> | undefined {
  try {
    return profileNamed(name);
  } catch {
    return undefined;
  }
}
