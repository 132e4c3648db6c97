import type { AddedTool } from '../../protocol/events/event';
import type { AddedTools } from '../ports/addedTools';
import type { Tool } from '../ports/tool';
import type { StepContext } from '../agent/agentParts';
import { pendingActions } from '../log/openActions';
import { settingsOf } from '../log/runSettings';

/** Describes external tools for the log. */
export const describeForLog = (tools: readonly Tool[]): AddedTool[] =>
  tools.flatMap(({ name, description, parameters, from }) => (from ? [{ name, description, parameters, from }] : []));

/**
 * Before a request to the model, starts external tools and records them in the log if they changed. `offered` returns
 * the tools that the session may use.
 */
export async function recordExternalTools(
  added: AddedTools,
  offered: () => readonly Tool[],
  { history, signal, emit }: StepContext,
): Promise<void> {
  if (pendingActions(history).length > 0) return;
  await added.prepare(signal);
  signal.throwIfAborted();
  const now = describeForLog(offered());
  const less = leftOutIn(added.leftOut ?? []);
  for (const text of [...(less === undefined ? [] : [less]), ...(added.unusable ?? [])]) {
    const wasTold = history.some((event) => event.type === 'notice' && event.text === text);
    if (!wasTold) emit({ type: 'notice', level: 'warning', text });
  }
  if (JSON.stringify(now) !== JSON.stringify(settingsOf(history)?.addedTools ?? []))
    emit({ type: 'settings_changed', addedTools: now });
}

/** Describes for people which tools are withheld from the model, and why. */
function leftOutIn(tools: readonly Tool[]): string | undefined {
  if (tools.length === 0) return undefined;
  const sources = [...new Set(tools.map(({ name, from }) => from?.source ?? name))];
  const count = tools.length === 1 ? '1 tool' : `${tools.length} tools`;
  const owners = `${sources.slice(0, 5).join(', ')}${sources.length > 5 ? ' and others' : ''}`;
  const are = tools.length === 1 ? 'is' : 'are';
  const why = 'models do not accept that many tools, or another tool has the same name';
  return `${count} of ${owners} ${are} omitted, starting with ${tools[0]!.name}: ${why}. Stop a server that you do not need.`;
}
