import type { History } from '../log/projection';
import { isRead } from '../trajectory/writing';
import { turnsOf, type ReplyTurn, type Result } from '../trajectory/turns';

/** How often a tool was called, and with which success, as Hermes Agent counts. */
export interface ToolCount {
  readonly count: number;
  readonly success: number;
  readonly failure: number;
}

/** Tool → its counts. */
export type ToolUse = Readonly<Record<string, ToolCount>>;

/** How many replies of the model told their reasoning. */
export interface ReasoningCount {
  readonly total: number;
  readonly withReasoning: number;
}

const none: ToolCount = { count: 0, success: 0, failure: 0 };
const repliesOf = (history: History): ReplyTurn[] =>
  turnsOf(history).filter((turn): turn is ReplyTurn => turn.kind === 'reply' && isRead(turn));

/**
 * The tools that a run called, by the order of their first calls. A call without
 * a result is neither success nor failure.
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
  // A command that ended with another code than 0 did what it was asked: only what
  // Waymark itself refused counts as a failure.
  const isRefused = observation.outcome !== 'ok' && observation.details?.kind !== 'command';
  const failed = isRefused || isFailure(result.text);
  return { count: 1, success: failed ? 0 : 1, failure: failed ? 1 : 0 };
}

/** Whether the text of a result says that the tool failed, by the rule of Hermes Agent. */
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

/** Two counts as one. */
export function addedUse(a: ToolUse, b: ToolUse): ToolUse {
  const sum: Record<string, ToolCount> = { ...a };
  for (const [tool, count] of Object.entries(b)) sum[tool] = sumOf(sum[tool] ?? none, count);
  return sum;
}

/** Every known tool, those without a call with zeros: all lines of a file have the same columns then. */
export const withEveryTool = (use: ToolUse, known: readonly string[]): ToolUse => ({
  ...Object.fromEntries(known.map((tool) => [tool, none])),
  ...use,
});
