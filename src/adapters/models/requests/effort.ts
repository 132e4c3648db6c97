import type { WireRules } from '../../../core/model/providers/provider';

/** Reasoning effort levels, lowest first. */
const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/**
 * Returns the fields for a reasoning effort in the provider's format; none if no effort is set or the provider cannot
 * express it.
 */
export function effortFields(
  wish: string | undefined,
  rules: WireRules,
  { withTools }: { readonly withTools: boolean },
): object {
  const wanted =
    withTools && rules.effortWithTools !== undefined
      ? rules.effortWithTools
      : wish && nearestEffort(wish, rules.efforts);
  if (!wanted) return {};
  switch (rules.effort) {
    case 'reasoning_effort':
      return { reasoning_effort: wanted };
    case 'reasoning.effort':
      return { reasoning: { effort: wanted } };
    case 'thinking.type':
      return { thinking: { type: wanted === 'none' ? 'disabled' : 'enabled' } };
    case 'enable_thinking':
      return { enable_thinking: wanted !== 'none' };
    // The protocol writes it: see `thinking.ts` of its adapter.
    case 'output_config.effort':
    case 'thinking.budget_tokens':
      return {};
    case null:
      return {};
  }
}

/** Returns the provider's level for an effort: the next higher one, else its highest. */
export function nearestEffort(wish: string, known: readonly string[] | undefined): string {
  if (!known || known.includes(wish)) return wish;
  const rank = (word: string): number => (efforts as readonly string[]).indexOf(word);
  return known.find((word) => rank(word) >= rank(wish)) ?? known.at(-1) ?? wish;
}
