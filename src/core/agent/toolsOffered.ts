import type { Mode } from '../../protocol/events/event';
import { deferredTools, foundTools } from '../log/deferredTools';
import type { History } from '../log/projection';
import { seenExtensions } from '../log/seenFiles';
import type { Tool } from '../ports/tool';
import { findTools, withNames } from '../tools/native/findTools';

/** Maximum number of deferred tools in a request. The latest ones stay. */
const maxFoundTools = 40;

/**
 * Returns the tools that the next request offers. Plan mode offers no tools that write. A tool for a kind of file is
 * offered once such a file was seen, and a deferred tool once the model has found it.
 */
export function toolsOffered(tools: readonly Tool[], mode: Mode, history: History): Tool[] {
  const deferred = deferredTools(history);
  const hidden = new Set(deferred.map(({ name }) => name));
  for (const name of [...foundTools(history)].filter((each) => hidden.has(each)).slice(-maxFoundTools))
    hidden.delete(name);
  return tools
    .filter(
      ({ name, effect, offeredFor }) =>
        (mode !== 'plan' || effect !== 'writes') &&
        (offeredFor === undefined || seenExtensions(history).has(offeredFor)) &&
        (name !== findTools.name || deferred.length > 0) &&
        !hidden.has(name),
    )
    .map((tool) => (tool.name === findTools.name ? withNames(tool, deferred) : tool));
}
