/**
 * Lines as the model sees them everywhere: the number, right-aligned to five places, a
 * tab, the text. `from` is the first number.
 */
export function numberedLines(lines: readonly string[], from: number): string {
  return lines.map((line, index) => `${String(from + index).padStart(5)}\t${line}`).join('\n');
}

/** The lines of a text; a final "\n" ends the last line and starts none. An empty text has none. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines[lines.length - 1] === '') lines.pop();
  return lines;
}

/** The number of the line, from 1, that holds the character at `offset`. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
