import type { ChatMessage } from '../../../core/ports/model';
import type { WireRules } from '../../../core/model/providers/provider';
import { nearest } from '../openai/effort';

/** The fields of a request that say how much the model thinks. */
export interface ThinkingFields {
  readonly thinking?: { readonly type: 'adaptive' | 'enabled' | 'disabled'; readonly [field: string]: unknown };
  readonly output_config?: { readonly effort: string };
}

/** Tokens of thinking for a wish, where the model takes a number. */
const budgets: Readonly<Record<string, number>> = {
  low: 4_096,
  medium: 10_000,
  high: 16_000,
  xhigh: 24_000,
  max: 24_000,
};

/** The least that is taken, and what is kept for the reply itself. */
const leastBudget = 1_024;

/**
 * What a person's wish means for a model; nothing where there is none, unless the model thinks
 * unasked: then its thinking is asked to show.
 */
export function thinkingFields(
  wish: string | undefined,
  rules: WireRules,
  limit: number,
  messages: readonly ChatMessage[],
  origin: string,
): ThinkingFields {
  switch (rules.effort) {
    case 'output_config.effort':
      return adaptive(wish, rules);
    case 'thinking.budget_tokens':
      return byBudget(wish, limit, messages, origin);
    default:
      return {};
  }
}

function adaptive(wish: string | undefined, rules: WireRules): ThinkingFields {
  const isOff = wish === undefined || wish === 'none';
  if (isOff && !rules.thinksUnasked) return {};
  const effort = wish === undefined ? undefined : nearest(wish, rules.efforts);
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
  const most = limit - leastBudget;
  if (wanted === undefined || most < leastBudget || !mayThink(messages, origin)) return {};
  return { thinking: { type: 'enabled', budget_tokens: Math.min(wanted, most) } };
}

/**
 * Such a model may not begin to think between its calls and their results: the reply that made the
 * calls must begin with thinking of its own.
 */
function mayThink(messages: readonly ChatMessage[], origin: string): boolean {
  const last = messages.findLast((message) => message.role === 'assistant');
  if (last?.role !== 'assistant' || !last.tool_calls?.length) return true;
  return thoughtsOf(last, origin).length > 0;
}

/** The blocks of thinking that a reply of this very model came with, and notes of what stood between them. */
export function thoughtsOf(
  { reasoning, origin: from }: Extract<ChatMessage, { role: 'assistant' }>,
  origin: string,
): readonly object[] {
  const isBlocks = reasoning?.detailsField === 'content' || reasoning?.detailsField === 'thinking_blocks';
  return from === origin && isBlocks ? ((reasoning.details ?? []) as object[]) : [];
}
