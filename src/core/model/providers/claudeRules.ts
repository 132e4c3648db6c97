import type { WireRules } from './provider';

interface ModelRules {
  readonly models: RegExp;
  readonly rules: Partial<WireRules>;
}

/**
 * Words of Anthropic for how much a model should think. Without “none” it cannot be kept
 * from thinking, or does not think unasked.
 */
const allEfforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

/** It thinks as much as it finds right, and takes no temperature. */
const adaptive = { effort: 'output_config.effort', efforts: allEfforts, temperature: false } as const;

/** It thinks within a number of tokens that is named. */
const byBudget = { effort: 'thinking.budget_tokens' } as const;

/**
 * ★ What models take over Anthropic's own protocol; the first match holds. Names are written with a hyphen or a dot, a
 * date may follow. Read in November 2026 on platform.claude.com (models, adaptive thinking, effort, preserved
 * thinking), and in the adapter of vercel/ai.
 */
const list: readonly ModelRules[] = [
  { models: /claude-(instant|v?[12]\b|3-(haiku|opus|sonnet))/, rules: { effort: null, usualLimit: 4_096 } },
  { models: /claude-3[-.]5/, rules: { effort: null, usualLimit: 8_192 } },
  { models: /claude-(3[-.]7|4|\w+-4(?![-.][6-9]\b))/, rules: byBudget },
  { models: /claude-sonnet-4[-.]6/, rules: { ...adaptive, efforts: ['low', 'medium', 'high'], temperature: true } },
  { models: /claude-\w+-4[-.]6/, rules: { ...adaptive, efforts: ['low', 'medium', 'high', 'max'], temperature: true } },
  { models: /claude-\w+-4[-.][78]/, rules: adaptive },
  {
    models: /claude-((opus|sonnet)-5(?![-.]\d\b))/,
    rules: { ...adaptive, efforts: ['none', ...allEfforts], thinksUnasked: true },
  },
  {
    models: /claude-haiku-5[-.]5/,
    rules: { ...adaptive, efforts: ['none', ...allEfforts], thinksUnasked: true, boundThinking: true },
  },
  {
    models: /claude-((opus|sonnet)-5[-.]5|(fable|mythos)-5[-.]\d\b)/,
    rules: { ...adaptive, thinksUnasked: true, boundThinking: true },
  },
  // Later than any model that is known here: as the latest that are.
  { models: /claude-/, rules: { ...adaptive, thinksUnasked: true } },
  // Servers of others that speak the protocol.
  { models: /(?:)/, rules: byBudget },
];

/** What one model takes over Anthropic's own protocol. */
export const claudeRules = (model: string): Partial<WireRules> => list.find(({ models }) => models.test(model))!.rules;
