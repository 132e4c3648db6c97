/**
 * Adapts the indentation of a new text to its place in the file. Each indentation of the quoted lines is replaced by
 * the one in the file; a deeper one extends its longest known prefix.
 */
export function reindented(replacement: string, found: string, part: string): string {
  const there = found.split('\n');
  const known = new Map<string, string>();
  part.split('\n').forEach((line, index) => {
    const other = there[index];
    if (line.trim() !== '' && other !== undefined && !known.has(indentOf(line)))
      known.set(indentOf(line), indentOf(other));
  });
  const longestFirst = [...known].sort(([a], [b]) => b.length - a.length);
  return replacement
    .split('\n')
    .map((line) => {
      const [from, to] = longestFirst.find(([indent]) => line.trim() !== '' && line.startsWith(indent)) ?? ['', ''];
      return to + line.slice(from.length);
    })
    .join('\n');
}

const indentOf = (line: string): string => /^[ \t]*/.exec(line)![0];
