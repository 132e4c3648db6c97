import { priceOf, type Prices } from './prices';
import { providerAtHost, providerNamed } from './providers/rulesFor';

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
  return URL.canParse(baseUrl) && providerAtHost(new URL(baseUrl))?.tellsCost === true;
}

/** Explains to people why a cost limit would never end a run. */
export const uncountableCostWords = (name: string, limit: number): string =>
  `The limit of $${limit} cannot be enforced: the price of ${name} is unknown.`;
