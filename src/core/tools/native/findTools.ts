import * as z from 'zod';
import type { AddedTool } from '../../../protocol/events/event';
import { deferredTools } from '../../log/deferredTools';
import type { History } from '../../log/projection';
import { settingsOf } from '../../log/runSettings';
import type { Tool } from '../../ports/tool';
import { defineTool } from '../defineTool';
import { rankTools } from '../rankTools';

/** Maximum number of tools that one search adds to the requests. */
const maxFound = 8;
/** Maximum length of the list of names, in characters. */
const maxListed = 4_000;
/** Maximum share of the context window that this list fills. */
const maxWindowShare = 0.05;
/** Estimated number of characters of names per token. */
const charactersPerToken = 4;

export const findTools = defineTool({
  name: 'find_tools',
  description: 'Find tools that are not offered yet, by what they do or by name. Your next reply can call them.',
  input: z.object({ query: z.string() }),
  effect: 'reads',
  summarize: ({ query }) => `Find tools for ${query}`,
  async run({ query }, { history = [] }) {
    const deferred = deferredTools(history);
    const found = rankTools(query, deferred, maxFound).map(({ name }) => name);
    return {
      content:
        found.length === 0
          ? `No tool matches. ${namesOf(deferred, history) || 'There are none.'}`
          : `You can call these tools now: ${found.join(', ')}.`,
      details: { kind: 'tools', query, found },
    };
  },
});

/** Returns the tool as it is offered: its description lists what it can find. */
export const withNames = (tool: Tool, deferred: readonly AddedTool[], history: History): Tool => ({
  ...tool,
  description: `${tool.description} ${namesOf(deferred, history)}`,
});

/** Lists names as far as there is room. If there is not enough, each source gets the same. */
function namesOf(tools: readonly AddedTool[], history: History): string {
  const window = settingsOf(history)?.model.contextWindow ?? Infinity;
  const room = Math.min(maxListed, window * maxWindowShare * charactersPerToken);
  const listed = new Set<string>();
  let length = 0;
  for (const { name } of inTurns(tools)) {
    length += name.length + 2;
    if (length > room) break;
    listed.add(name);
  }
  const left = tools.length - listed.size;
  const names = tools.flatMap(({ name }) => (listed.has(name) ? [name] : []));
  return names.length === 0 ? '' : `There are: ${names.join(', ')}${left > 0 ? ` and ${left} more` : ''}.`;
}

/** Returns the first tool of each source, then the second of each, and so on. */
function inTurns(tools: readonly AddedTool[]): AddedTool[] {
  const counts = new Map<string, number>();
  const turns = tools.map((tool) => {
    const turn = counts.get(tool.from.source) ?? 0;
    counts.set(tool.from.source, turn + 1);
    return { tool, turn };
  });
  return turns.sort((a, b) => a.turn - b.turn).map(({ tool }) => tool);
}
