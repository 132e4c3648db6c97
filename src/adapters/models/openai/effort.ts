import type { WireRules } from '../../../core/model/providers/provider';

/** The words that say how much a model should reason, the least first. */
const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** The wish for more or less reasoning as a provider writes it; nothing where there is none or it cannot be said. */
export function effortFields(wish: string | undefined, rules: WireRules, withTools: boolean): object {
  const wanted =
    withTools && rules.effortWithTools !== undefined ? rules.effortWithTools : wish && nearest(wish, rules.efforts);
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
    // Written by the protocol itself: see `thinking.ts` of the adapter for it.
    case 'output_config.effort':
    case 'thinking.budget_tokens':
      return {};
    case null:
      return {};
  }
}

/** The word that a provider has for a wish: the next one up, else its highest. */
export function nearest(wish: string, known: readonly string[] | undefined): string {
  if (!known || known.includes(wish)) return wish;
  const rank = (word: string): number => (efforts as readonly string[]).indexOf(word);
  return known.find((word) => rank(word) >= rank(wish)) ?? known.at(-1) ?? wish;
}
