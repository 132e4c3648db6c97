import { stuckThresholds } from '../../profiles/waymark';
import type { Threshold, StuckThresholds } from '../../ports/profile';
import type { Action, EventOf } from '../../../protocol/events/event';
import type { History } from '../../log/projection';

/** How a run repeats itself without progress. */
type Pattern = 'same_result' | 'same_error' | 'same_tool' | 'alternating' | 'monologue';

/**
 * A repeating pattern in the latest steps, in words. `stop` is true if it has lasted too long; before that, a hint is
 * enough.
 */
interface Loop {
  readonly pattern: Pattern;
  readonly words: string;
  readonly stop: boolean;
}

/** Detects whether the agent loops. Polling is not a loop, because its results differ. Each streak gets one hint. */
export function detectLoop(history: History, thresholds: StuckThresholds | null = stuckThresholds): Loop | undefined {
  if (thresholds === null) return undefined;
  const { steps, words } = latestSteps(history, thresholds.window);
  const [last, before] = steps;
  const same = last ? countWhile(steps, (step) => sameCalls(step, last) && sameResults(step, last)) : 0;
  const failing = last && failed(last) ? countWhile(steps, (step) => sameCalls(step, last) && failed(step)) : 0;
  const oneTool = last && failed(last) ? countWhile(steps, (step) => sameTools(step, last) && failed(step)) : 0;
  const alternatingStep = (index: number) => (index % 2 === 0 ? last! : before!);
  const turns =
    last && before && !sameCalls(before, last)
      ? countWhile(
          steps,
          (step, index) => sameCalls(step, alternatingStep(index)) && sameResults(step, alternatingStep(index)),
        )
      : 0;
  const rows: [Pattern, number, Threshold | null, string][] = [
    ['monologue', words, thresholds.monologue, `The last ${words} replies were text without any action (monologue).`],
    [
      'same_error',
      failing,
      thresholds.sameError,
      `The last ${failing} steps made the same call, and it failed each time ${same < failing ? 'with another error (same call)' : '(same error)'}.`,
    ],
    [
      'same_tool',
      oneTool,
      thresholds.sameTool ?? null,
      `The last ${oneTool} calls of ${last?.actions[0]?.tool} failed (same tool).`,
    ],
    [
      'same_result',
      same,
      thresholds.sameResult,
      `The last ${same} steps made the same call with the same result (same result).`,
    ],
    [
      'alternating',
      turns,
      thresholds.alternating,
      `The last ${turns} steps alternate between two calls that change nothing (alternating).`,
    ],
  ];
  const found = rows.flatMap(([pattern, count, threshold, text]) => {
    const stop = threshold !== null && threshold.stop > 0 && count >= threshold.stop;
    return stop || (threshold !== null && count > 0 && count === threshold.hint)
      ? [{ pattern, words: text, stop }]
      : [];
  });
  return found.find(({ stop }) => stop) ?? found[0];
}

interface Step {
  actions: readonly Action[];
  observed: readonly (EventOf<'observation'> | undefined)[];
}

/**
 * Returns the latest steps, newest first, each with its calls and results, and the number of trailing replies without
 * calls.
 */
function latestSteps(history: History, window: number): { steps: Step[]; words: number } {
  const observations = new Map<string, EventOf<'observation'>>();
  const steps: Step[] = [];
  let words = 0;
  let goesOn = false;
  for (let index = history.length - 1, read = 0; index >= 0 && read < window; index--) {
    const event = history[index]!;
    if (event.type === 'observation') observations.set(event.actionId, event);
    else if (event.type === 'feedback') goesOn = event.cause === 'reply_cut';
    else if (event.type === 'user_message' || event.type === 'task_started' || event.type === 'resumed') break;
    else if (event.type === 'agent_response') {
      if (event.by === 'person') break;
      read++;
      if (event.actions.length > 0)
        steps.push({ actions: event.actions, observed: event.actions.map(({ id }) => observations.get(id)) });
      // A truncated reply and its continuation count as one.
      else if (steps.length === 0 && !goesOn) words++;
      goesOn = false;
    }
  }
  return { steps, words };
}

/**
 * Compares calls without ids and times. Summaries come first, so that long inputs are compared only if summaries match.
 */
const sameCalls = (a: Step, b: Step): boolean =>
  a.actions.length === b.actions.length &&
  a.actions.every(({ tool, summary, input }, index) => {
    const other = b.actions[index]!;
    return (
      tool === other.tool &&
      summary === other.summary &&
      (input === other.input || JSON.stringify(input) === JSON.stringify(other.input))
    );
  });

const sameTools = (a: Step, b: Step): boolean =>
  a.actions.length === b.actions.length && a.actions.every(({ tool }, index) => tool === b.actions[index]!.tool);

const sameResults = (a: Step, b: Step): boolean =>
  a.observed.every(
    (result, index) => result?.outcome === b.observed[index]?.outcome && result?.content === b.observed[index]?.content,
  );

const failed = ({ observed }: Step): boolean =>
  observed.every((result) => result !== undefined && result.outcome !== 'ok');

function countWhile<Item>(items: readonly Item[], test: (item: Item, index: number) => boolean): number {
  const end = items.findIndex((item, index) => !test(item, index));
  return end === -1 ? items.length : end;
}
