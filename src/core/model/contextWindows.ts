import { normalizedModelName } from './modelNames';

/**
 * Tokens of input and output together, checked against the providers' pages on 2026-11-21; GPT-6, Kimi K3 and Grok 4.5
 * against public catalogs of models on 2026-12-01. Contains only models whose size does not depend on the server. A
 * person's setting takes precedence.
 */
const table: Readonly<Record<string, number>> = {
  'gpt-6-astra': 1_050_000,
  'gpt-6-sol': 1_050_000,
  'gpt-6-luna': 1_050_000,
  'gpt-5.6-sol': 1_050_000,
  'gpt-5.6-terra': 1_050_000,
  'gpt-5.6-luna': 1_050_000,
  'gpt-5.4': 1_050_000,
  'gpt-5.3-codex': 400_000,
  'gpt-5.2': 400_000,
  'gpt-5.1': 400_000,
  'gpt-5': 400_000,
  'gpt-5-mini': 400_000,
  'gpt-4.1': 1_047_576,
  'gpt-4.1-mini': 1_047_576,
  'gpt-4o': 128_000,
  'gpt-4o-mini': 128_000,
  'claude-fable-5.1': 1_000_000,
  'claude-opus-5.5': 1_000_000,
  'claude-opus-5': 1_000_000,
  'claude-sonnet-5': 1_000_000,
  'claude-opus-4.5': 200_000,
  'claude-haiku-4.5': 200_000,
  'kimi-k3': 1_000_000,
  'kimi-k2-thinking': 262_144,
  'grok-4.5': 500_000,
};

const windowsByModel: ReadonlyMap<string, number> = new Map(
  Object.entries(table).map(([name, tokens]) => [normalizedModelName(name), tokens]),
);

/** Returns the context window in tokens, or null if unknown. Names match as in `costOf`. */
export const contextWindowOf = (model: string): number | null => windowsByModel.get(normalizedModelName(model)) ?? null;

/** Returns whether a server may mean this number of tokens as a context window: no model reads less or more. */
export const isContextWindow = (tokens: number): boolean => tokens >= 256 && tokens <= 100_000_000;

/** Model families, each with the smallest context window among its members in use today. */
const families: readonly (readonly [RegExp, number])[] = [
  [/claude/, 200_000],
  [/gemini/, 1_000_000],
  [/gpt-[5-9]|gpt-\d\d|codex/, 272_000],
  [/kimi|grok|minimax|qwen3/, 256_000],
  [/gpt|deepseek|glm|llama|qwen|mistral|devstral|codestral/, 128_000],
];

/**
 * Returns the context window in tokens to assume for an unlisted model, so that its conversation is condensed in time.
 */
export function assumedContextWindow(model: string): number {
  const name = model.toLowerCase();
  return families.find(([family]) => family.test(name))?.[1] ?? 128_000;
}
