import type { Tool } from '../ports/tool';
import { knownToolsets } from './toolsets';

let tools: ReadonlyMap<string, Tool> | undefined;

/** The tool of this name, whatever toolset it is in; undefined where there is none. */
export const knownTool = (name: string): Tool | undefined =>
  (tools ??= new Map(knownToolsets.flatMap((set) => set.tools).map((tool) => [tool.name, tool]))).get(name);
