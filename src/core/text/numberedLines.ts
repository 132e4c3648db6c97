/**
 * Formats lines the way the model sees them everywhere: line number right-aligned to five columns, a tab, the text.
 * `from` is the first number.
 */
export function numberedLines(lines: readonly string[], from: number): string {
  return lines.map((line, index) => `${String(from + index).padStart(5)}\t${line}`).join('\n');
}

/** Splits a text into lines. A final "\n" ends the last line and does not start another. An empty text has no lines. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines[lines.length - 1] === '') lines.pop();
  return lines;
}

/** Returns the 1-based number of the line that contains the character at `offset`. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
