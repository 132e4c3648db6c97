import * as z from 'zod';
import type { AddedTool } from '../../../protocol/events/event';
import { deferredTools } from '../../log/deferredTools';
import type { Tool } from '../../ports/tool';
import { defineTool } from '../defineTool';
import { rankTools } from '../rankTools';

/** Maximum number of tools that one search adds to the requests. */
const maxFound = 8;
/** Maximum length of the list of names in the description, in characters. */
const maxListed = 4_000;

export const findTools = defineTool({
  name: 'find_tools',
  description: 'Find tools that are not offered yet, by what they do or by name. Your next reply can call them.',
  input: z.object({ query: z.string() }),
  effect: 'reads',
  summarize: ({ query }) => `Find tools for ${query}`,
  async run({ query }, { history = [] }) {
    const deferred = deferredTools(history);
    const found = rankTools(query, deferred)
      .slice(0, maxFound)
      .map(({ name }) => name);
    return {
      content:
        found.length === 0
          ? `No tool matches. ${namesOf(deferred) || 'There are none.'}`
          : `You can call these tools now: ${found.join(', ')}.`,
      details: { kind: 'tools', query, found },
    };
  },
});

/** Returns the tool as it is offered: its description lists what it can find. */
export const withNames = (tool: Tool, deferred: readonly AddedTool[]): Tool => ({
  ...tool,
  description: `${tool.description} ${namesOf(deferred)}`,
});

/** Lists names as far as there is room. */
function namesOf(tools: readonly AddedTool[]): string {
  const listed: string[] = [];
  let length = 0;
  for (const { name } of tools) {
    length += name.length + 2;
    if (length > maxListed) break;
    listed.push(name);
  }
  const left = tools.length - listed.length;
  return listed.length === 0 ? '' : `There are: ${listed.join(', ')}${left > 0 ? ` and ${left} more` : ''}.`;
}
