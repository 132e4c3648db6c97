import type { Action, EventOf } from '../../protocol/event';
import type { History } from './projection';

/** After how many like steps in a row the agent is told, and after how many the run stops. */
export interface StuckThresholds {
  /** The same calls with the same results. */
  readonly sameResult: number;
  /** The same calls, failing each time. */
  readonly sameError: number;
  /** Two steps that take turns, counted in steps. */
  readonly alternating: number;
}

export const stuckThresholds: StuckThresholds = { sameResult: 4, sameError: 4, alternating: 6 };

/** Steps looked at, since a person last spoke. */
const WINDOW = 20;

/** A pattern in the latest steps, in words. `stop` says whether it has gone on for too long; before that it is worth a hint. */
export interface Circle { readonly words: string; readonly stop: boolean }

/** Whether the agent goes in circles. A run that polls for a change that comes is none: its results differ. */
export function circleIn(history: History, { sameResult, sameError, alternating }: StuckThresholds = stuckThresholds): Circle | undefined {
  const steps = latestSteps(history);
  const [last, before] = steps;
  if (!last) return undefined;
  const same = countWhile(steps, step => sameCalls(step, last) && sameResults(step, last));
  const failing = failed(last) ? countWhile(steps, step => sameCalls(step, last) && failed(step)) : 0;
  const like = (index: number) => (index % 2 === 0 ? last : before!);
  const turns = before && !sameCalls(before, last) ? countWhile(steps, (step, index) => sameCalls(step, like(index)) && sameResults(step, like(index))) : 0;
  const rows: [count: number, limit: number, words: string][] = [
    [failing, sameError, `The last ${failing} steps made the same call, and it failed each time.`],
    [same, sameResult, `The last ${same} steps made the same call with the same result.`],
    [turns, alternating, `The last ${turns} steps take turns between two calls that change nothing.`],
  ];
  const [found] = rows.filter(([count, limit]) => count >= limit - 1);
  return found && { words: found[2], stop: found[0] >= found[1] };
}

interface Step { actions: readonly Action[]; observed: readonly (EventOf<'observation'> | undefined)[] }

/** Newest first: what each step called and what came of it. */
function latestSteps(history: History): Step[] {
  const observations = new Map<string, EventOf<'observation'>>();
  const steps: Step[] = [];
  for (let at = history.length - 1; at >= 0 && steps.length < WINDOW; at--) {
    const event = history[at]!;
    if (event.type === 'observation') observations.set(event.actionId, event);
    else if (event.type === 'agent_response' && event.actions.length > 0) steps.push({ actions: event.actions, observed: event.actions.map(({ id }) => observations.get(id)) });
    else if (event.type === 'user_message' || event.type === 'task_started' || event.type === 'resumed') break;
  }
  return steps;
}

/** Ids and times do not count. Summaries first: where they differ, nothing long is compared. */
const sameCalls = (a: Step, b: Step): boolean => a.actions.length === b.actions.length
  && a.actions.every(({ tool, summary, input }, index) => {
    const other = b.actions[index]!;
    return tool === other.tool && summary === other.summary && (input === other.input || JSON.stringify(input) === JSON.stringify(other.input));
  });

const sameResults = (a: Step, b: Step): boolean => a.observed.every((result, index) => result?.outcome === b.observed[index]?.outcome && result?.content === b.observed[index]?.content);

const failed = ({ observed }: Step): boolean => observed.every(result => result !== undefined && result.outcome !== 'ok');

function countWhile<Item>(items: readonly Item[], test: (item: Item, index: number) => boolean): number {
  const end = items.findIndex((item, index) => !test(item, index));
  return end === -1 ? items.length : end;
}
