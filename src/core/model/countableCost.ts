import { priceOf, type Prices } from './prices';
import { providerAtHost, providerNamed } from './providers/rulesFor';

/** What is known of a model before it is asked. */
export interface Priced {
  readonly name: string;
  /** Scripted models cost nothing. */
  readonly scripted?: boolean | undefined;
}

/**
 * Whether a limit of cost can count calls of a model: its price is known, it is free, or its provider tells the cost.
 */
export const isCountable = ({ name, scripted }: Priced, prices: Prices = {}, tellsCost = false): boolean =>
  scripted === true || tellsCost || priceOf(name, prices) !== undefined;

/** Whether a provider says with each reply what it charged. */
export function tellsCost(provider: string | undefined, baseUrl: string | undefined): boolean {
  if (!baseUrl) return provider !== undefined && providerNamed(provider)?.tellsCost === true;
  return URL.canParse(baseUrl) && providerAtHost(new URL(baseUrl))?.tellsCost === true;
}

/** Why a limit of cost would never end a run, in words for a person. */
export const uncountedWords = (name: string, limit: number): string =>
  `The limit of $${limit} cannot count: the price of ${name} is not known.`;
