/** Reads fields whose names models spell differently: capitals, underscores and hyphens do not count. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const plainName = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

/** The first field that is there under one of these names, given without capitals and underscores. */
export function fieldOf(record: Record<string, unknown>, ...names: readonly string[]): unknown {
  for (const name of names) {
    const found = Object.entries(record).find(
      ([key, value]) => plainName(key) === name && value !== undefined && value !== null,
    );
    if (found) return found[1];
  }
  return undefined;
}

/** Texts as they are, numbers and truth values as words, lists one item per line; nothing for everything else. */
export function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join('\n');
  return typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';
}
