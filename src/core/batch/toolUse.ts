import type { History } from '../log/projection';
import { isRead } from '../trajectory/exportParts';
import { turnsOf, type ReplyTurn, type Result } from '../trajectory/turns';

/** Number of calls and successes of a tool, as Hermes Agent counts them. */
interface ToolCount {
  readonly count: number;
  readonly success: number;
  readonly failure: number;
}

/** Counts by tool name. */
export type ToolUse = Readonly<Record<string, ToolCount>>;

/** Number of replies with and without reasoning. */
interface ReasoningCount {
  readonly total: number;
  readonly withReasoning: number;
}

const none: ToolCount = { count: 0, success: 0, failure: 0 };
const repliesOf = (history: History): ReplyTurn[] =>
  turnsOf(history).filter((turn): turn is ReplyTurn => turn.kind === 'reply' && isRead(turn));

/**
 * Tools that a run called, in the order of their first call. A call without a result counts as neither success nor
 * failure.
 */
export function toolUseOf(history: History): ToolUse {
  const use: Record<string, ToolCount> = {};
  for (const { results } of repliesOf(history))
    for (const result of results) {
      const { tool } = result.action;
      use[tool] = sumOf(use[tool] ?? none, countOf(result));
    }
  return use;
}

function countOf(result: Result): ToolCount {
  const { observation } = result;
  if (!observation) return { ...none, count: 1 };
  // A command that exits with a code other than 0 was still executed. Only commands that Waymark refused count as
  // failures.
  const isRefused = observation.outcome !== 'ok' && observation.details?.kind !== 'command';
  const failed = isRefused || isFailure(result.text);
  return { count: 1, success: failed ? 0 : 1, failure: failed ? 1 : 0 };
}

/** True if the text of a result reports a failure, by the rule of Hermes Agent. */
export function isFailure(text: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text === '' || text.trim().toLowerCase().startsWith('error:');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { error, content, success } = value as Record<string, unknown>;
  const inner = typeof content === 'object' && content !== null ? (content as Record<string, unknown>) : {};
  const tellsError = (error ?? null) !== null || (inner['error'] ?? null) !== null;
  return tellsError || success === false;
}

export function reasoningOf(history: History): ReasoningCount {
  const replies = repliesOf(history).filter(({ event }) => event.by !== 'person');
  const thought = replies.filter(
    ({ event }) => (event.reasoning?.text ?? '').trim() !== '' || event.text.includes('<REASONING_SCRATCHPAD>'),
  );
  return { total: replies.length, withReasoning: thought.length };
}

const sumOf = (a: ToolCount, b: ToolCount): ToolCount => ({
  count: a.count + b.count,
  success: a.success + b.success,
  failure: a.failure + b.failure,
});

/** Adds up two counts. */
export function addToolUse(a: ToolUse, b: ToolUse): ToolUse {
  const sum: Record<string, ToolCount> = { ...a };
  for (const [tool, count] of Object.entries(b)) sum[tool] = sumOf(sum[tool] ?? none, count);
  return sum;
}

/** Adds zeros for known tools without a call, so that all lines of a file have the same columns. */
export const withEveryTool = (use: ToolUse, known: readonly string[]): ToolUse => ({
  ...Object.fromEntries(known.map((tool) => [tool, none])),
  ...use,
});
