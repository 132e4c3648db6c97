import type { AddedTool } from '../../protocol/events/event';
import type { AddedTools } from '../ports/addedTools';
import type { Tool } from '../ports/tool';
import { findTools } from '../tools/native/findTools';
import { schemaLength } from '../tools/schemaLength';
import type { StepContext } from '../agent/agentParts';
import { pendingActions } from '../log/openActions';
import { settingsOf, type RunSettings } from '../log/runSettings';

/** Share of the context window that the schemas of added tools may fill in each request. */
const maxWindowShare = 0.1;
/** Estimated number of characters of a schema per token. */
const charactersPerToken = 4;
/** Maximum size of these schemas, in characters, even if the window is larger or unknown. */
const maxCharacters = 24_000;
/**
 * Maximum number of these tools. Model servers accept 128 tools in a request: these, Waymark's own and found ones.
 */
const maxTools = 48;

/**
 * Describes external tools for the log. If they are too large for each request and the model can find them, some are
 * deferred. `contextWindow`: in tokens; null if unknown.
 */
export function describeForLog(tools: readonly Tool[], contextWindow: number | null): AddedTool[] {
  const described = tools.flatMap(({ name, description, parameters, from, effect }): AddedTool[] =>
    from
      ? [{ name, description, parameters, from, ...((effect === 'reads' || effect === 'writes') && { effect }) }]
      : [],
  );
  return tools.some(({ name }) => name === findTools.name) ? withDeferral(described, contextWindow) : described;
}

/**
 * Marks the tools that are not sent with each request because together they are too large. The smallest providers come
 * first, so that one with many tools does not displace the others. `contextWindow`: in tokens; null if unknown.
 */
function withDeferral(tools: readonly AddedTool[], contextWindow: number | null): AddedTool[] {
  const sizes = new Map<string, { count: number; characters: number }>();
  for (const { from, name, description, parameters } of tools) {
    // Without the digit, this is the tool as JSON apart from its schema.
    const frame = JSON.stringify({ name, description, parameters: 0 }).length - 1;
    const size = sizes.get(from.source) ?? { count: 0, characters: 0 };
    sizes.set(from.source, {
      count: size.count + 1,
      characters: size.characters + frame + schemaLength(parameters),
    });
  }
  let room = Math.min(maxCharacters, (contextWindow ?? Infinity) * maxWindowShare * charactersPerToken);
  let places = maxTools;
  const offered = new Set<string>();
  for (const [source, { count, characters }] of [...sizes].sort(([, a], [, b]) => a.characters - b.characters)) {
    if (characters > room || count > places) continue;
    room -= characters;
    places -= count;
    offered.add(source);
  }
  return tools.map((tool) => (offered.has(tool.from.source) ? tool : { ...tool, deferred: true }));
}

/** Starts external tools and records them in the log of one session. */
export class ExternalToolRecorder {
  /** What was compared last. Tools rarely change between two steps, and comparing many large schemas takes long. */
  private compared: { readonly tools: readonly Tool[]; readonly settings: RunSettings | undefined } | undefined;

  constructor(private readonly added: AddedTools) {}

  /**
   * Call before a request to the model. Starts external tools and records them if they changed. `offered` returns the
   * tools that the session may use: the same list if nothing changed.
   */
  async record(offered: () => readonly Tool[], { history, signal, emit }: StepContext): Promise<void> {
    if (pendingActions(history).length > 0) return;
    await this.added.prepare(signal);
    signal.throwIfAborted();
    const less = leftOutIn(this.added.leftOut ?? []);
    for (const text of [...(less === undefined ? [] : [less]), ...(this.added.unusable ?? [])]) {
      const wasTold = history.some((event) => event.type === 'notice' && event.text === text);
      if (!wasTold) emit({ type: 'notice', level: 'warning', text });
    }
    const settings = settingsOf(history);
    const tools = offered();
    if (this.compared?.tools === tools && this.compared.settings === settings) return;
    this.compared = { tools, settings };
    const now = describeForLog(tools, settings?.model.contextWindow ?? null);
    if (JSON.stringify(now) !== JSON.stringify(settings?.addedTools ?? []))
      emit({ type: 'settings_changed', addedTools: now });
  }
}

/** Describes for people which tools are withheld from the model, and why. */
function leftOutIn(tools: readonly Tool[]): string | undefined {
  if (tools.length === 0) return undefined;
  const sources = [...new Set(tools.map(({ name, from }) => from?.source ?? name))];
  const count = tools.length === 1 ? '1 tool' : `${tools.length} tools`;
  const owners = `${sources.slice(0, 5).join(', ')}${sources.length > 5 ? ' and others' : ''}`;
  const are = tools.length === 1 ? 'is' : 'are';
  const why = 'there are too many, or another tool has the same name';
  return `${count} of ${owners} ${are} omitted, starting with ${tools[0]!.name}: ${why}. Stop a server that you do not need.`;
}
