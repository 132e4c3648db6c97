/** Formats US dollars, with four decimals below one cent. */
export const dollars = (amount: number): string => `$${amount.toFixed(amount < 0.01 && amount > 0 ? 4 : 2)}`;

/** Formats US dollars to the cent. What costs less than a cent is never shown as free. */
export function roundedDollars(amount: number): string {
  if (amount === 0) return '$0';
  return amount < 0.01 ? '<\u00a0$0.01' : `$${amount.toFixed(2)}`;
}

/** Formats a cost to the cent. Empty for zero, which also means that no price is known. */
export const costWords = (cost: number | null): string => (cost === null || cost <= 0 ? '' : roundedDollars(cost));

/** Abbreviates a number of tokens: 950 → "950", 12_340 → "12k", 3_419_000 → "3.4M". */
export function tokenCount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const [value, unit] = count < 999_500 ? [count / 1000, 'k'] : [count / 1_000_000, 'M'];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)}${unit}`;
}
