import type { ToolSchema } from '../model/model';
import { profiles } from '../profiles/profiles';
import { toolsFor } from '../tools/toolsFor';
import type { History } from '../agent/projection';

/** The tools that a run could call, as far as this version of Waymark knows them; a log holds their names only. */
export function toolDefinitions(history: History): ToolSchema[] {
  const started = history.find(event => event.type === 'task_started');
  if (!started || started.tools.length === 0) return [];
  const own = profiles.find(({ name }) => name === started.profile)?.toolsets ?? [];
  // Of two tools with one name, the one of the profile's own set was meant.
  const tools = new Map([...toolsFor({ toolsets: ['all'] }), ...toolsFor({ toolsets: own })].map(tool => [tool.name, tool]));
  return started.tools.flatMap(name => tools.get(name) ?? []).map(({ name, description, parameters }) => ({ name, description, parameters }));
}
