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

/**
 * The parts of one line between its commas. Quotes around a part and braces in it protect theirs;
 * those that never close are signs like others.
 */
export function partsOfLine(line: string): string[] {
  const parts = [''];
  let [quote, depth] = ['', 0];
  for (const sign of line) {
    const part = parts.pop()!;
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (part.trim() === '' && /["']/.test(sign)) quote = sign;
    else if (sign === '{' || sign === '}') depth = Math.max(0, depth + (sign === '{' ? 1 : -1));
    parts.push(...(sign === ',' && quote === '' && depth === 0 ? [part, ''] : [part + sign]));
  }
  return (quote === '' && depth === 0 ? parts : line.split(','))
    .map((part) =>
      part
        .trim()
        .replace(/^(["'])(.*)\1$/s, '$2')
        .trim(),
    )
    .filter(Boolean);
}
