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
    const matching = rankTools(query, deferred, maxFound);
    const found = matching.filter((tool) => isUsable(tool, history)).map(({ name }) => name);
    const later = matching.flatMap(({ name }) => (found.includes(name) ? [] : [name]));
    const parts = [
      found.length > 0 && `You can call these tools now: ${found.join(', ')}.`,
      later.length > 0 && `${laterWords} ${later.join(', ')}.`,
    ].filter(Boolean);
    return {
      content:
        parts.length > 0 ? parts.join(' ') : `No tool matches. ${namesOf(deferred, history) || 'There are none.'}`,
      details: { kind: 'tools', query, found },
    };
  },
});

const laterWords = 'Plan mode does not allow these tools, which you can call once the user leaves it:';

/** Plan mode refuses every call of an added tool that does more than read. */
const isUsable = ({ effect }: AddedTool, history: History): boolean =>
  settingsOf(history)?.mode !== 'plan' || effect === 'reads';

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
  const usable = tools.filter((tool) => isUsable(tool, history));
  const later = tools.filter((tool) => !isUsable(tool, history));
  return [listOf('There are:', usable, listed), listOf(laterWords, later, listed)].filter(Boolean).join(' ');
}

/** Returns a sentence with the names for which there is room, and the number of the others; empty without tools. */
function listOf(words: string, tools: readonly AddedTool[], listed: ReadonlySet<string>): string {
  const names = tools.flatMap(({ name }) => (listed.has(name) ? [name] : []));
  const left = tools.length - names.length;
  if (names.length === 0) return left > 0 ? `${words} ${left} tools.` : '';
  return `${words} ${names.join(', ')}${left > 0 ? ` and ${left} more` : ''}.`;
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
