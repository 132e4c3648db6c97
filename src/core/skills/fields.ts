/** A text, or what YAML made of one: numbers and truth values in words. Undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** A list of texts; one text is a list of one. `wrong` is told of every entry that is no text. */
export function listOf(value: unknown, wrong: (entry: unknown) => void): string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).flatMap((entry: unknown) => {
    const text = textOf(entry)?.trim();
    if (!text) wrong(entry);
    return text ? [text] : [];
  });
}
