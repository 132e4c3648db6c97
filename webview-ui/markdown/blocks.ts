import { markdown } from './renderer';

/** Top-level blocks of a text that grows: the closed ones never change again, so only the last is rendered anew. */
export interface Blocks {
  readonly source: string;
  readonly closed: readonly string[];
  /** Characters of `source` that the closed blocks cover. */ readonly closedTo: number;
  readonly open: string;
}

export const noBlocks: Blocks = { source: '', closed: [], closedTo: 0, open: '' };

/** The blocks of `source`, continuing from `before` when it is a beginning of it. The HTML is that of a full rendering, link definitions apart. */
export function growBlocks(before: Blocks, source: string): Blocks {
  if (source === before.source) return before;
  const from = source.startsWith(before.source) ? before : noBlocks;
  const tail = source.slice(from.closedTo);
  const environment = {};
  const tokens = markdown.parse(tail, environment);

  // The last line may still become something else ("2" → "2. second", which belongs to the list above), so nothing is closed by it.
  const wholeLines = tail.split('\n').length - 1;
  const starts: { token: number; line: number }[] = [];
  tokens.forEach((token, index) => {
    if (token.level === 0 && token.nesting >= 0 && token.map && (index === 0 || token.map[0] < wholeLines))
      starts.push({ token: index, line: token.map[0] });
  });
  const render = (start: number, end?: number): string =>
    markdown.renderer.render(tokens.slice(start, end), markdown.options, environment);
  if (starts.length < 2) return { source, closed: from.closed, closedTo: from.closedTo, open: render(0) };

  const last = starts.at(-1)!;
  const closed = starts.slice(0, -1).map((start, index) => render(start.token, starts[index + 1]!.token));
  return {
    source,
    closed: [...from.closed, ...closed],
    closedTo: from.closedTo + offsetOfLine(tail, last.line),
    open: render(last.token),
  };
}

function offsetOfLine(source: string, line: number): number {
  let offset = 0;
  for (let count = 0; count < line; count++) offset = source.indexOf('\n', offset) + 1;
  return offset;
}
