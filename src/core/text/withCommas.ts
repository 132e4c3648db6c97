/**
 * A count as people read it: 1,234,567. What Node knows of languages does the same, and takes 7 MB of memory and some
 * 30 ms with its first number.
 */
export function withCommas(count: number): string {
  const digits = String(Math.round(count));
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(',');
}
