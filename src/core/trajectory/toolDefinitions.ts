import type { ToolSchema } from '../ports/model';
import { profiles } from '../profiles/profiles';
import { toolFromLog } from '../tools/addedTool';
import { toolsFor } from '../tools/toolsFor';
import type { History } from '../log/projection';
import type { Tool } from '../ports/tool';

/**
 * Returns the tools that a run could call, if this version of Waymark knows them; a log only contains their names.
 * Returns none for a run of another program.
 */
export function toolDefinitions(history: History): ToolSchema[] {
  const started = history.find((event) => event.type === 'task_started');
  // Tools of another program may have the same names as Waymark's.
  if (!started || started.origin !== undefined) return [];
  const own = profiles.find(({ name }) => name === started.profile)?.toolsets ?? [];
  const addedTools = history.flatMap((event) =>
    event.type === 'task_started' || event.type === 'settings_changed' ? (event.addedTools ?? []) : [],
  );
  // If two tools have the same name, the one in the profile's own set wins.
  const tools = new Map(
    [...toolsFor({ toolsets: ['all'] }), ...toolsFor({ toolsets: own }), ...addedTools.map(toolFromLog)].map((tool) => [
      tool.name,
      tool,
    ]),
  );
  return [...new Set([...started.tools, ...addedTools.map(({ name }) => name)])]
    .flatMap((name) => tools.get(name) ?? [])
    .map(({ name, description, parameters }) => ({ name, description, parameters }));
}

/** Returns no tools on an error: a log does not contain custom toolsets. Their tools are found by name. */
export function toolsOrNone(tools: () => Tool[]): Tool[] {
  try {
    return tools();
  } catch {
    return [];
  }
}
