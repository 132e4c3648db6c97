/** Formats US dollars, with four decimals below one cent. */
export const dollars = (amount: number): string => `$${amount.toFixed(amount < 0.01 && amount > 0 ? 4 : 2)}`;

/** Formats a cost to the cent. Empty for zero, which also means that no price is known. */
export const costWords = (cost: number | null): string => (cost === null || cost <= 0 ? '' : `$${cost.toFixed(2)}`);
