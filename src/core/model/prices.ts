import type { Usage } from '../../protocol/events/event';
import { normalizedModelName } from './modelNames';
import { providerInAddress, providerNamed } from './providers/rulesFor';

/**
 * US dollars per million tokens. `cached` applies to input read from the provider's cache, and is that of other input if
 * absent. `written` applies to input written to it, and is otherwise what `costsMoreToWrite` says.
 */
interface Price {
  readonly input: number;
  readonly cached?: number;
  readonly written?: number;
  readonly output: number;
  /** Maximum number of input tokens for this price. Above it another price applies, so the cost is unknown. */
  readonly upTo?: number;
}
/** Prices by name of the model. */
export type Prices = Readonly<Record<string, Price>>;

/** Date when the table below was checked against the providers' price lists. Settings override it. */
export const pricesAsOf = '2026-10-24';

const table: Prices = {
  'gpt-6-astra': { input: 10, cached: 1, output: 50, upTo: 272_000 },
  'gpt-6-sol': { input: 2, cached: 0.2, output: 10, upTo: 272_000 },
  'gpt-6-luna': { input: 0.1, cached: 0.01, output: 0.5, upTo: 272_000 },
  'gpt-5.6-terra': { input: 2, cached: 0.2, output: 12, upTo: 272_000 },
  'gpt-5.6-luna': { input: 0.2, cached: 0.02, output: 1.2, upTo: 200_000 },
  'gpt-5.5': { input: 5, cached: 0.5, output: 30, upTo: 272_000 },
  'gpt-5.4': { input: 2.5, cached: 0.25, output: 15, upTo: 272_000 },
  'gpt-5.4-mini': { input: 0.75, cached: 0.075, output: 4.5 },
  'gpt-5.4-nano': { input: 0.2, cached: 0.02, output: 1.25 },
  'gpt-5.3-codex': { input: 1.75, cached: 0.175, output: 14 },
  'gpt-5.2': { input: 1.75, cached: 0.175, output: 14 },
  'gpt-5': { input: 1.25, cached: 0.125, output: 10 },
  'gpt-5-mini': { input: 0.25, cached: 0.025, output: 2 },
  'gpt-4.1': { input: 2, cached: 0.5, output: 8 },
  'gpt-4o': { input: 2.5, cached: 1.25, output: 10 },
  'gpt-4o-mini': { input: 0.15, cached: 0.075, output: 0.6 },
  'claude-fable-5.1': { input: 10, cached: 0.25, output: 50 },
  'claude-opus-5.5': { input: 4, cached: 0.2, output: 20 },
  'claude-opus-5': { input: 5, cached: 0.5, output: 25 },
  'claude-sonnet-5.5': { input: 2, cached: 0.1, output: 10 },
  'claude-sonnet-5': { input: 2, cached: 0.2, output: 10 },
  'claude-haiku-5.5': { input: 0.1, cached: 0.01, output: 0.5, upTo: 100_000 },
  'claude-haiku-4.5': { input: 1, cached: 0.1, output: 5 },
  'gemini-3.1-pro': { input: 2, cached: 0.2, output: 12, upTo: 200_000 },
  'gemini-3.5-flash': { input: 1.5, cached: 0.15, output: 9 },
  'kimi-k3': { input: 3, cached: 0.3, output: 15 },
};

/**
 * Models whose providers charge a quarter more for input that they write to their cache, by normalized name: Anthropic's
 * for the five minutes that Waymark asks for, and OpenAI's from GPT-5.6 on.
 */
const costsMoreToWrite = /^(claude-|gpt-(5-[6-9]|[6-9]|\d\d)(-|$))/;

/** Tokens of one call. `writtenTokens`: input that the provider wrote to its cache. */
type CountedTokens = Pick<Usage, 'inputTokens' | 'outputTokens' | 'cachedTokens'> & {
  readonly writtenTokens?: number | null;
};

/**
 * Returns the cost of one call in US dollars, or null if the price or the tokens are unknown. `inputTokens` includes
 * cached and written ones, as OpenAI counts. Names match with a provider prefix ("openai/gpt-5") and a date suffix
 * ("gpt-5-2026-01-31").
 */
export function costOf(
  model: string,
  { inputTokens, outputTokens, cachedTokens, writtenTokens }: CountedTokens,
  overrides: Prices = {},
): number | null {
  const price = priceOf(model, overrides);
  if (!price || inputTokens === null || outputTokens === null || (price.upTo !== undefined && inputTokens > price.upTo))
    return null;
  const cached = Math.min(cachedTokens ?? 0, inputTokens);
  const written = Math.min(writtenTokens ?? 0, inputTokens - cached);
  const writing = price.written ?? price.input * (costsMoreToWrite.test(normalizedModelName(model)) ? 1.25 : 1);
  const cost =
    ((inputTokens - cached - written) * price.input +
      cached * (price.cached ?? price.input) +
      written * writing +
      outputTokens * price.output) /
    1_000_000;
  return Number.isFinite(cost) && cost >= 0 ? cost : null;
}

/** True if the person set a price for the model. */
export const hasOwnPrice = (model: string, prices: Prices = {}): boolean => ownPriceOf(model, prices) !== undefined;

/** Returns the price of a model, or undefined if unknown. */
export const priceOf = (model: string, overrides: Prices = {}): Price | undefined =>
  ownPriceOf(model, overrides) ?? pricesByModel.get(normalizedModelName(model));

function ownPriceOf(model: string, prices: Prices): Price | undefined {
  const name = normalizedModelName(model);
  return Object.entries(prices).find(([key]) => key === model || normalizedModelName(key) === name)?.[1];
}

const pricesByModel: ReadonlyMap<string, Price> = new Map(
  Object.entries(table).map(([name, price]) => [normalizedModelName(name), price]),
);

/** What is known about a model before the first request. */
export interface Priced {
  readonly name: string;
  /** True for scripted models, which are free. */
  readonly scripted?: boolean | undefined;
}

/**
 * True if a cost limit can count calls of a model: its price is known, it is free, or its provider reports the cost.
 */
export const isCountable = ({ name, scripted }: Priced, prices: Prices = {}, tellsCost = false): boolean =>
  scripted === true || tellsCost || priceOf(name, prices) !== undefined;

/** True if a provider reports the cost with each reply. */
export function reportsCost(provider: string | undefined, baseUrl: string | undefined): boolean {
  if (!baseUrl) return provider !== undefined && providerNamed(provider)?.tellsCost === true;
  return providerInAddress(baseUrl)?.tellsCost === true;
}

/** Explains to people why a cost limit would never end a run. */
export const uncountableCostWords = (name: string, limit: number): string =>
  `The limit of $${limit} cannot be enforced: the price of ${name} is unknown.`;
