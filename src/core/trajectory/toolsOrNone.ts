import type { Tool } from '../ports/tool';

/** Returns no tools on an error: a log does not contain custom toolsets. Their tools are found by name. */
export function toolsOrNone(tools: () => Tool[]): Tool[] {
  try {
    return tools();
  } catch {
    return [];
  }
}
