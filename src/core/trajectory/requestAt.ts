import type { EventOf } from '../../protocol/events/event';
import { settingsOf } from '../log/runSettings';
import type { History } from '../log/projection';
import { toMessages } from '../model/messages';
import { toolsOffered } from '../agent/toolsOffered';
import { findTools } from '../tools/native/findTools';
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
  for (let index = seq - 1; index >= 0; index--) {
    const event = history[index]!;
    if (event.type === 'agent_response' && event.by !== 'person') return event;
  }
  return undefined;
}

/** Returns the tools that the next model call offers, and the names of those that are unknown here. */
function toolsAt(history: History): Pick<Request, 'tools' | 'unknown'> {
  const settings = settingsOf(history);
  const start = history.find((event) => event.type === 'task_started');
  const addedTools = settings?.addedTools ?? [];
  const ownNames = (start?.tools ?? []).filter((name) => !isAddedName(name));
  const finder = addedTools.some(({ deferred }) => deferred) ? [findTools.name] : [];
  const names = [...new Set([...ownNames, ...finder, ...addedTools.map(({ name }) => name)])];
  const profile = settings && profileIn(settings.profile);
  // Tools of another program may have the same names as Waymark's.
  if (!settings || !profile || start?.origin !== undefined) return { tools: [], unknown: names };
  if (!formatFor(profile.format, () => false).sendsTools) return { tools: [], unknown: [] };
  const lastEvent = history.at(-1);
  if (lastEvent?.type === 'feedback' && lastEvent.cause === 'wrap_up') return { tools: [], unknown: [] };
  const known = toolsByName([
    ...addedTools.map(toolFromLog),
    ...toolsOrNone(() => toolsOf(settings, profile, { trusted: true })),
    ...toolsOrNone(() => toolsFor({ toolsets: ['all'] })),
  ]);
  const carried = names
    .flatMap((name) => known.get(name) ?? [])
    .map((tool) => (profile.selfRating ? withSelfRating(tool) : tool));
  return {
    tools: offeredTools(toolsOffered(carried, settings.mode, history), dialectNamed(settings.dialect)),
    unknown: names.filter((name) => !known.has(name)),
  };
}

/** Returns the tools by name. If two have the same name, the first wins. */
const toolsByName = (tools: readonly Tool[]): ReadonlyMap<string, Tool> =>
  new Map([...tools].reverse().map((tool) => [tool.name, tool]));

function profileIn(name: string): ReturnType<typeof profileNamed> | undefined {
  try {
    return profileNamed(name);
  } catch {
    return undefined;
  }
}
