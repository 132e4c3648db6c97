/** Reads fields whose names models spell differently: case, underscores and hyphens are ignored. */

export const plainName = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

/** Returns the first field that exists under one of these names. Names are given in lower case without underscores. */
export function fieldOf(record: Record<string, unknown>, ...names: readonly string[]): unknown {
  for (const name of names) {
    const found = Object.entries(record).find(
      ([key, value]) => plainName(key) === name && value !== undefined && value !== null,
    );
    if (found) return found[1];
  }
  return undefined;
}

/**
 * Formats a value as text: strings unchanged, numbers and booleans as words, lists one item per line. Everything else
 * becomes an empty string.
 */
export function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join('\n');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
