/** The line endings of a file: the one that all lines have, or one per line if they differ. */
export type LineEndings = '\n' | '\r\n' | readonly string[];

/**
 * Returns the text with "\n" as line ending, and the original line endings. A lone "\r" is not a line ending and stays.
 */
export function unifyLineEndings(raw: string): { text: string; endings: LineEndings } {
  if (!raw.includes('\r\n')) return { text: raw, endings: '\n' };
  const endings = raw.match(/(?<!\r)\r*\n/g) ?? [];
  const text = raw.replace(/(?<!\r)\r+\n/g, '\n');
  return { text, endings: endings.every((ending) => ending === '\r\n') ? '\r\n' : endings };
}

/**
 * Restores line endings. If they differed, each line keeps its own or that of the line it replaces, and additional
 * lines get the most common one.
 */
export async function restoreLineEndings(text: string, endings: LineEndings, before: string): Promise<string> {
  if (endings === '\n') return text;
  if (endings === '\r\n') return text.replaceAll('\n', '\r\n');
  const newLines = text.split('\n');
  const endingByLine = await endingsOfKeptLines(before.split('\n'), newLines, endings);
  const usual = commonest(endings);
  return newLines
    .map((line, index) => (index === newLines.length - 1 ? line : line + (endingByLine.get(index) ?? usual)))
    .join('');
}

/** Maps each line of the new text that was kept, or that replaces an old line, to its line ending. */
async function endingsOfKeptLines(
  before: readonly string[],
  after: readonly string[],
  endings: readonly string[],
): Promise<Map<number, string>> {
  const { diffArrays } = await import('diff');
  const kept = new Map<number, string>();
  const keep = (from: number, to: number): void => {
    const ending = endings[from];
    if (ending !== undefined) kept.set(to, ending);
  };
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) keep(start, start++);
  let tail = 0;
  while (tail < shortest - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) {
    tail++;
    keep(before.length - tail, after.length - tail);
  }
  const parts = diffArrays(before.slice(start, before.length - tail), after.slice(start, after.length - tail), {
    timeout: 300,
  });
  let from = start;
  let to = start;
  for (const [index, part] of (parts ?? []).entries()) {
    const { length } = part.value;
    // Lines that are added in place of removed ones take their endings.
    const next = parts?.[index + 1];
    const addedNext = next?.added ? next.value.length : 0;
    const unchanged = part.added ? 0 : length;
    const paired = part.removed ? Math.min(length, addedNext) : unchanged;
    for (let line = 0; line < paired; line++) keep(from + line, to + line);
    if (!part.added) from += length;
    if (!part.removed) to += length;
  }
  return kept;
}

function commonest(endings: readonly string[]): string {
  const windows = endings.filter((ending) => ending === '\r\n').length;
  return windows * 2 >= endings.length ? '\r\n' : '\n';
}
