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

/** Returns the first line of a text, such as a task, in at most 60 characters, for lists. */
export function titleLine(text: string): string {
  const line = text.trim().split('\n', 1)[0]!.replace(/\s+/g, ' ');
  return truncate(line, 60).replace(/ …$/, '…');
}
