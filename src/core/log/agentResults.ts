import type { Action, AgentResult as ResultForPeople, EventOf, NewEvent } from '../../protocol/events/event';
import { projection, type History } from './projection';

/**
 * One result of a run for people: what was done, its outcome and who did it. The model reads the observations instead.
 */
interface AgentResult {
  /** "Edit src/add.ts" */
  readonly summary: string;
  readonly details: EventOf<'observation'>['details'] | { readonly kind: 'text'; readonly text: string };
  readonly outcome: EventOf<'observation'>['outcome'];
  readonly action: Action;
  /** Name of the tool, or the person. */
  readonly source: string;
}

interface Results {
  readonly open: Map<string, { action: Action; source: string }>;
  readonly results: AgentResult[];
  /** Number of results when the last task ended. */
  before: number;
  /** True if the end of the run lists them. */
  reported: boolean;
}

const resultsOf = projection<Results>(
  () => ({ open: new Map(), results: [], before: 0, reported: false }),
  (state, event) => {
    switch (event.type) {
      case 'task_started':
        state.reported = event.tellsResults === true;
        break;
      case 'agent_response':
        for (const action of event.actions) state.open.set(action.id, { action, source: event.by ?? action.tool });
        break;
      case 'observation':
        addResult(state, event);
        break;
      case 'finished':
        state.before = state.results.length;
        break;
    }
  },
);

function addResult({ open, results }: Results, event: EventOf<'observation'>): void {
  const known = open.get(event.actionId);
  open.delete(event.actionId);
  if (!known) return;
  const details = event.details ?? { kind: 'text', text: event.content };
  results.push({ ...known, summary: known.action.summary, outcome: event.outcome, details });
}

/** Results of a run so far, in the order they were reported. */
export const agentResults = (history: History): readonly AgentResult[] => resultsOf(history).results;

/** Adds the results of the task to the `finished` event if the profile reports them. Returns other events unchanged. */
export function withResults(event: NewEvent, history: History): NewEvent {
  if (event.type !== 'finished') return event;
  const { reported, before, results } = resultsOf(history);
  return reported ? { ...event, results: results.slice(before).map(forPeople) } : event;
}

const forPeople = ({ action, summary, details, outcome }: AgentResult): ResultForPeople => ({
  id: action.id,
  action: action.called?.name ?? action.tool,
  summary,
  files: details?.kind === 'edit' ? details.changes.map(({ path }) => path) : [],
  state: outcome,
});

/** Events since a person last said something: the task or a message. */
export const eventsSinceLastMessage = (history: History): History =>
  history.slice(history.findLastIndex(({ type }) => type === 'task_started' || type === 'user_message'));

/** Events since the last task began or ended, which the next end summarizes. */
export const eventsSinceLastEnd = (history: History): History =>
  history.slice(history.findLastIndex((event) => event.type === 'finished') + 1);

/** One or two sentences about the result so far, for a run that is stopped. */
export function resultSoFar(history: History): string {
  const all = agentResults(history);
  const results = all.filter(({ outcome }) => outcome === 'ok');
  const stopped = all.filter(({ outcome }) => outcome === 'interrupted').length;
  const changed = [
    ...new Set(
      results.flatMap(({ details }) => (details?.kind === 'edit' ? details.changes.map(({ path }) => path) : [])),
    ),
  ];
  const words = history.findLast((event) => event.type === 'agent_response' && event.text.trim() !== '');
  return [
    results.length > 0 ? `${results.length} ${results.length === 1 ? 'action was' : 'actions were'} done.` : '',
    stopped > 0 ? `${stopped} ${stopped === 1 ? 'action was' : 'actions were'} stopped while running.` : '',
    results.length + stopped === 0 ? 'Nothing has been done yet.' : '',
    changed.length > 0
      ? `Changed: ${changed.slice(0, 10).join(', ')}${changed.length > 10 ? ` and ${changed.length - 10} more` : ''}.`
      : '',
    words?.type === 'agent_response' ? `Last message: ${words.text.trim().slice(0, 500)}` : '',
  ]
    .filter(Boolean)
    .join(' ');
}
