import type { AddedTool, Mode } from '../../protocol/events/event';
import { deferredTools, foundTools } from '../log/deferredTools';
import type { History } from '../log/projection';
import { seenExtensions } from '../log/seenFiles';
import { settingsOf } from '../log/runSettings';
import type { Tool } from '../ports/tool';
import { findTools, withNames } from '../tools/native/findTools';
import { schemaLength } from '../tools/schemaLength';

/** Maximum number of deferred tools in a request. The latest ones stay. */
const maxFoundTools = 40;
/** Maximum size of their schemas, in characters. */
const maxFoundCharacters = 60_000;
/** Maximum share of the context window that these schemas fill. */
const maxWindowShare = 0.2;
/** Estimated number of characters of a schema per token. */
const charactersPerToken = 4;

/**
 * Returns the tools that the next request offers. Plan mode offers no tools that write, and of MCP servers and extensions
 * only tools that read. A tool for a kind of file is offered once such a file was seen, and a deferred tool once the model
 * has found it.
 */
export function toolsOffered(tools: readonly Tool[], mode: Mode, history: History): Tool[] {
  const deferred = deferredTools(history);
  const hidden = new Set(deferred.map(({ name }) => name));
  for (const name of latestFound(deferred, history)) hidden.delete(name);
  return tools
    .filter(
      ({ name, effect, from, offeredFor }) =>
        (mode !== 'plan' || effect === 'reads' || (effect !== 'writes' && from === undefined)) &&
        (offeredFor === undefined || seenExtensions(history).has(offeredFor)) &&
        (name !== findTools.name || deferred.length > 0) &&
        !hidden.has(name),
    )
    .map((tool) => (tool.name === findTools.name ? withNames(tool, deferred, history) : tool));
}

/** Returns the names of the latest deferred tools that the model found, as many as fit; at least one. */
function latestFound(deferred: readonly AddedTool[], history: History): string[] {
  if (deferred.length === 0) return [];
  const byName = new Map(deferred.map((tool) => [tool.name, tool]));
  const window = settingsOf(history)?.model.contextWindow ?? Infinity;
  const room = Math.min(maxFoundCharacters, window * maxWindowShare * charactersPerToken);
  const latest: string[] = [];
  let characters = 0;
  for (const name of [...foundTools(history)].reverse()) {
    const tool = byName.get(name);
    if (!tool) continue;
    characters += tool.name.length + tool.description.length + schemaLength(tool.parameters);
    if (latest.length === maxFoundTools || (latest.length > 0 && characters > room)) break;
    latest.push(name);
  }
  return latest;
}
