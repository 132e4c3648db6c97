import type { Action, EventOf } from '../../protocol/events/event';
import { projection, type History } from './projection';

/** One result of a run for people: what was done, what came of it, and who did it. The model reads the observations instead. */
export interface AgentResult {
  /** "Edit src/add.ts" */
  readonly summary: string;
  readonly details: EventOf<'observation'>['details'] | { readonly kind: 'text'; readonly text: string };
  readonly outcome: EventOf<'observation'>['outcome'];
  readonly action: Action;
  /** The tool, or the person. */
  readonly source: string;
}

const resultsOf = projection<{ open: Map<string, { action: Action; source: string }>; results: AgentResult[] }>(
  () => ({ open: new Map(), results: [] }),
  ({ open, results }, event) => {
    if (event.type === 'agent_response')
      for (const action of event.actions) open.set(action.id, { action, source: event.by ?? action.tool });
    if (event.type !== 'observation') return;
    const known = open.get(event.actionId);
    open.delete(event.actionId);
    if (known)
      results.push({
        ...known,
        summary: known.action.summary,
        outcome: event.outcome,
        details: event.details ?? { kind: 'text', text: event.content },
      });
  },
);

/** What a run has done so far, in the order in which it was reported. */
export const agentResults = (history: History): readonly AgentResult[] => resultsOf(history).results;

/** In a sentence or two: what there is when a run is stopped. */
export function resultSoFar(history: History): string {
  const results = agentResults(history).filter(({ outcome }) => outcome === 'ok');
  const changed = [
    ...new Set(
      results.flatMap(({ details }) => (details?.kind === 'edit' ? details.changes.map(({ path }) => path) : [])),
    ),
  ];
  const words = history.findLast((event) => event.type === 'agent_response' && event.text.trim() !== '');
  return [
    results.length > 0
      ? `${results.length} ${results.length === 1 ? 'action was' : 'actions were'} done.`
      : 'Nothing was done yet.',
    changed.length > 0
      ? `Changed: ${changed.slice(0, 10).join(', ')}${changed.length > 10 ? ` and ${changed.length - 10} more` : ''}.`
      : '',
    words?.type === 'agent_response' ? `Last words: ${words.text.trim().slice(0, 500)}` : '',
  ]
    .filter(Boolean)
    .join(' ');
}
