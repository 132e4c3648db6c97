import type { AddedTools } from '../ports/addedTools';
import { isToolName } from './addedTool';
import { schemaLength } from './schemaLength';
import { knownTool } from './toolsets';
import type { Tool } from '../ports/tool';

/** A provider of tools, such as an MCP server or an extension. */
export interface ToolSource {
  /** Returns the current tools. Called often, so it must answer from memory. */
  tools(): readonly Tool[];
  /** Returns messages for people about tools that cannot be offered. */
  unusable?(): readonly string[];
  /** Does what is needed before the tools are known. Must have its own timeout. */
  prepare?(signal: AbortSignal): Promise<void>;
  /** Ends what `prepare` began. Resolves to the number of processes ended. */
  stop?(): Promise<number>;
}

/** Maximum number of added tools. The log contains all of them; requests contain only those that fit. */
const maxTools = 400;
const maxCharacters = 800_000;

/**
 * All sources of added tools in this process. A tool is left out if its name is taken by a Waymark tool or an earlier
 * source, or if a limit is exceeded.
 */
export class ToolSources implements AddedTools {
  private readonly sources = new Set<ToolSource>();
  /** The last selection, and the tools that it was made from. Each step selects several times. */
  private selected: { readonly from: readonly Tool[]; readonly selection: Selection } | undefined;

  /** Adds a source. Returns a function that removes it. */
  add(source: ToolSource): () => void {
    this.sources.add(source);
    return () => void this.sources.delete(source);
  }

  tools(): readonly Tool[] {
    return this.selection().offered;
  }

  /** Tools that were left out because of a limit, an invalid name or a name conflict. */
  get leftOut(): readonly Tool[] {
    return this.selection().leftOut;
  }

  get unusable(): readonly string[] {
    return [...this.sources].flatMap((source) => source.unusable?.() ?? []);
  }

  async prepare(signal: AbortSignal): Promise<void> {
    await Promise.allSettled([...this.sources].map(async (source) => source.prepare?.(signal)));
  }

  /** Stops all sources. Resolves to the number of processes ended. They start again on demand. */
  async stop(): Promise<number> {
    return (await Promise.all([...this.sources].map((source) => source.stop?.().catch(() => 0) ?? 0))).reduce(
      (sum, count) => sum + count,
      0,
    );
  }

  private selection(): Selection {
    const tools = [...this.sources].flatMap(toolsOf);
    const isSame =
      this.selected?.from.length === tools.length && tools.every((tool, index) => tool === this.selected!.from[index]);
    if (!isSame) this.selected = { from: tools, selection: selectionOf(tools) };
    return this.selected!.selection;
  }
}

interface Selection {
  readonly offered: readonly Tool[];
  readonly leftOut: readonly Tool[];
}

/** Selects tools in their order, as far as their names are free and there is room. */
function selectionOf(tools: readonly Tool[]): Selection {
  const [offered, leftOut, names] = [[] as Tool[], [] as Tool[], new Set<string>()];
  let characters = 0;
  for (const tool of tools) {
    const size = tool.name.length + tool.description.length + schemaLength(tool.parameters);
    const fits =
      isToolName(tool.name) &&
      !names.has(tool.name) &&
      !knownTool(tool.name) &&
      offered.length < maxTools &&
      characters + size <= maxCharacters;
    (fits ? offered : leftOut).push(tool);
    if (!fits) continue;
    names.add(tool.name);
    characters += size;
  }
  return { offered, leftOut };
}

/** A source that throws has no tools at that moment; the others are unaffected. */
function toolsOf(source: ToolSource): readonly Tool[] {
  try {
    return source.tools();
  } catch {
    return [];
  }
}
