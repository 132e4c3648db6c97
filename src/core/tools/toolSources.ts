import type { AddedTools } from '../ports/environment';
import { isToolName } from './addedTool';
import { knownTool } from './knownTool';
import type { Tool } from '../ports/tool';

/** Somebody who gives tools. */
export interface ToolSource {
  /** Those it has at this moment. Asked often, so it answers from memory. */
  tools(): readonly Tool[];
  /** What a person should know of tools that it has and cannot give, in words. */
  unusable?(): readonly string[];
  /** Begins what has to be begun before they can be told; bounded by itself. */
  prepare?(signal: AbortSignal): Promise<void>;
  /** Ends what it began. Resolves to the number of processes. */
  stop?(): Promise<number>;
}

/** What models take, and what their requests bear. */
const mostTools = 100;
const mostCharacters = 200_000;

/**
 * Everybody who gives tools to the sessions of this process. What a name of Waymark's own tools or of an earlier source
 * has is left out, and so is what is too much.
 */
export class ToolSources implements AddedTools {
  private readonly sources = new Set<ToolSource>();

  /** Returns what takes it away again. */
  add(source: ToolSource): () => void {
    this.sources.add(source);
    return () => void this.sources.delete(source);
  }

  tools(): readonly Tool[] {
    return this.sorted().given;
  }

  /** Those that there is no room or no name for. */
  get leftOut(): readonly Tool[] {
    return this.sorted().leftOut;
  }

  get unusable(): readonly string[] {
    return [...this.sources].flatMap((source) => source.unusable?.() ?? []);
  }

  async prepare(signal: AbortSignal): Promise<void> {
    await Promise.allSettled([...this.sources].map(async (source) => source.prepare?.(signal)));
  }

  /** Ends whatever runs for them. Resolves to the number of processes; begins again when it is needed. */
  async stop(): Promise<number> {
    return (await Promise.all([...this.sources].map((source) => source.stop?.().catch(() => 0) ?? 0))).reduce(
      (sum, count) => sum + count,
      0,
    );
  }

  private sorted(): { given: Tool[]; leftOut: Tool[] } {
    const [given, leftOut, names] = [[] as Tool[], [] as Tool[], new Set<string>()];
    let characters = 0;
    for (const tool of [...this.sources].flatMap(toolsOf)) {
      const size = tool.name.length + tool.description.length + JSON.stringify(tool.parameters).length;
      const fits =
        isToolName(tool.name) &&
        !names.has(tool.name) &&
        !knownTool(tool.name) &&
        given.length < mostTools &&
        characters + size <= mostCharacters;
      (fits ? given : leftOut).push(tool);
      if (!fits) continue;
      names.add(tool.name);
      characters += size;
    }
    return { given, leftOut };
  }
}

/** One that fails to tell its tools has none at that moment; the others keep theirs. */
function toolsOf(source: ToolSource): readonly Tool[] {
  try {
    return source.tools();
  } catch {
    return [];
  }
}
