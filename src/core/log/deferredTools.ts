import type { AddedTool, Event } from '../../protocol/events/event';
import { projection, type History } from './projection';
import { settingsOf } from './runSettings';

/** Returns the added tools that are not offered before the model has found them. */
export const deferredTools = (history: History): readonly AddedTool[] =>
  (settingsOf(history)?.addedTools ?? []).filter(({ deferred }) => deferred);

/** Names of the tools that the model has found or called, the latest last. */
export const foundTools: (history: History) => ReadonlySet<string> = projection<Set<string>>(
  () => new Set(),
  (found, event) => {
    for (const name of namesIn(event)) {
      found.delete(name);
      found.add(name);
    }
  },
);

function namesIn(event: Event): readonly string[] {
  if (event.type === 'agent_response') return event.actions.map(({ tool }) => tool);
  return event.type === 'observation' && event.details?.kind === 'tools' ? event.details.found : [];
}
