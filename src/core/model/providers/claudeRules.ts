import type { WireRules } from './provider';

interface ModelRules {
  readonly models: RegExp;
  readonly rules: Partial<WireRules>;
}

/** Anthropic's effort levels. Models without "none" cannot disable thinking, or think only if asked to. */
const allEfforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

/** Decides itself how much to think, and does not accept a temperature. */
const adaptive = { effort: 'output_config.effort', efforts: allEfforts, temperature: false } as const;

/** Thinks within a token budget. */
const byBudget = { effort: 'thinking.budget_tokens' } as const;

/**
 * ★ Rules for models over Anthropic's own protocol; the first match wins. Names use a hyphen or a dot, and may end with
 * a date. Source: platform.claude.com (models, adaptive thinking, effort, preserved thinking), read in November 2026,
 * and the adapter of vercel/ai.
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
  // Models newer than this list, treated like the latest ones.
  { models: /claude-/, rules: { ...adaptive, thinksUnasked: true } },
  // Other servers that use the protocol.
  { models: /(?:)/, rules: byBudget },
];

/** Rules for one model over Anthropic's own protocol. */
export const claudeRules = (model: string): Partial<WireRules> => list.find(({ models }) => models.test(model))!.rules;
