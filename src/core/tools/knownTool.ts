import type { Tool } from '../ports/tool';
import { knownToolsets } from './toolsets';

let tools: ReadonlyMap<string, Tool> | undefined;

/** Returns the tool of this name from any toolset, or undefined. */
export const knownTool = (name: string): Tool | undefined =>
  (tools ??= new Map(knownToolsets.flatMap((set) => set.tools).map((tool) => [tool.name, tool]))).get(name);
