/**
 * Cuts a text to at most `limit` characters, the last of which is then "…". Never cuts through a character of two
 * UTF-16 units: half of one cannot be encoded, and some model servers refuse it.
 */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = limit - 1;
  const cutsPair = isHighSurrogate(text.charCodeAt(end - 1));
  return `${text.slice(0, cutsPair ? end - 1 : end)}…`;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
