/** Returns a text, or a number or boolean as text. Returns undefined for anything else. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Returns a list of texts; a single text becomes a list of one. Calls `wrong` for every other entry. */
export function textList(value: unknown, wrong: (entry: unknown) => void): string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).flatMap((entry: unknown) => {
    const text = scalarText(entry)?.trim();
    if (!text) wrong(entry);
    return text ? [text] : [];
  });
}

/** Splits a line at commas, except in quotes and braces. Unclosed quotes and braces are literal. */
export function splitAtCommas(line: string): string[] {
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
