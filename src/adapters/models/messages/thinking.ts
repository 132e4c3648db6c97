import type { ChatMessage } from '../../../core/ports/model';
import type { WireRules } from '../../../core/model/providers/provider';
import { nearestEffort } from '../requests/effort';

/** Request fields that control how much the model thinks. */
interface ThinkingFields {
  readonly thinking?: { readonly type: 'adaptive' | 'enabled' | 'disabled'; readonly [field: string]: unknown };
  readonly output_config?: { readonly effort: string };
}

/** Thinking token budgets by effort, for models that take a number. */
const budgets: Readonly<Record<string, number>> = {
  low: 4_096,
  medium: 10_000,
  high: 16_000,
  xhigh: 24_000,
  max: 24_000,
};

/** Minimum budget that the API accepts, and the number of tokens reserved for the reply itself. */
const minBudget = 1_024;

/**
 * Returns the fields for the effort that the user set. Without one it returns none, unless the model thinks by default:
 * then its thinking is requested to be visible.
 */
export function thinkingFields(
  rules: WireRules,
  {
    wish,
    limit,
    messages,
    origin,
  }: {
    readonly wish: string | undefined;
    readonly limit: number;
    readonly messages: readonly ChatMessage[];
    readonly origin: string;
  },
): ThinkingFields {
  switch (rules.effort) {
    case 'output_config.effort':
      return adaptiveThinking(wish, rules);
    case 'thinking.budget_tokens':
      return byBudget(wish, limit, messages, origin);
    default:
      return {};
  }
}

function adaptiveThinking(wish: string | undefined, rules: WireRules): ThinkingFields {
  const isOff = wish === undefined || wish === 'none';
  if (isOff && !rules.thinksUnasked) return {};
  const effort = wish === undefined ? undefined : nearestEffort(wish, rules.efforts);
  if (effort === 'none') return { thinking: { type: 'disabled' } };
  const binding = rules.boundThinking && { block_binding: { prefix_mismatch_behavior: 'drop_block' } };
  return {
    thinking: { type: 'adaptive', display: 'summarized', ...binding },
    ...(effort !== undefined && { output_config: { effort } }),
  };
}

function byBudget(
  wish: string | undefined,
  limit: number,
  messages: readonly ChatMessage[],
  origin: string,
): ThinkingFields {
  const wanted = wish === undefined ? undefined : budgets[wish];
  const most = limit - minBudget;
  if (wanted === undefined || most < minBudget || !mayThink(messages, origin)) return {};
  return { thinking: { type: 'enabled', budget_tokens: Math.min(wanted, most) } };
}

/**
 * Such a model cannot start to think between its calls and their results: the reply with the calls must begin with its
 * own thinking.
 */
function mayThink(messages: readonly ChatMessage[], origin: string): boolean {
  const last = messages.findLast((message) => message.role === 'assistant');
  if (last?.role !== 'assistant' || !last.tool_calls?.length) return true;
  return thoughtsOf(last, origin).length > 0;
}

/** Returns the thinking blocks of a reply that came from this very model, and the notes of what was between them. */
export function thoughtsOf(
  { reasoning, origin: from }: Extract<ChatMessage, { role: 'assistant' }>,
  origin: string,
): readonly object[] {
  const isBlocks = reasoning?.detailsField === 'content' || reasoning?.detailsField === 'thinking_blocks';
  return from === origin && isBlocks ? ((reasoning.details ?? []) as object[]) : [];
}
