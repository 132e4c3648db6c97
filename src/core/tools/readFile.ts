import * as z from 'zod';
import { linesOf, numberedLines } from './numberedLines';
import { defineTool } from './tool';

const mostLines = 2000;
const mostCharacters = 50_000;
const longestLine = 2000;

export const readFile = defineTool({
  name: 'read_file',
  description: `Read a text file with line numbers, up to ${mostLines} lines.`,
  input: z.object({ path: z.string(), from: z.int().min(1).optional().describe('first line'), to: z.int().min(1).optional().describe('last line') }),
  effect: 'reads',
  summarize: ({ path, from, to }) => `Read ${path}${from === undefined && to === undefined ? '' : `, lines ${from ?? 1}–${to ?? 'end'}`}`,
  touches: ({ path }) => ({ reads: [path] }),
  allowKey: ({ path }) => path,
  async run({ path, from = 1, to }, { environment }) {
    const snapshot = await environment.files.read(path);
    const lines = linesOf(snapshot.text);
    const details = (toLine: number) => ({ kind: 'read' as const, path: snapshot.path, version: snapshot.version, fromLine: from, toLine, totalLines: lines.length });
    if (lines.length === 0) return { content: `${snapshot.path} is empty.`, details: details(0) };
    if (from > lines.length) return { content: `${snapshot.path} has ${lines.length} lines; there is no line ${from}.`, failed: true };
    if (to !== undefined && to < from) return { content: `"to" (${to}) is before "from" (${from}).`, failed: true };

    const wanted = lines.slice(from - 1, Math.min(to ?? lines.length, from - 1 + mostLines)).map(shortened);
    const shown = wanted.slice(0, countThatFits(wanted));
    const last = from + shown.length - 1;
    const more = last < Math.min(to ?? lines.length, lines.length) ? `\n[Lines ${from}-${last} of ${lines.length}. Go on at line ${last + 1}.]` : to !== undefined && last < lines.length ? `\n[Lines ${from}-${last} of ${lines.length}.]` : '';
    return { content: numberedLines(shown, from) + more, details: details(last) };
  },
});

function countThatFits(lines: readonly string[]): number {
  let characters = 0;
  const tooMany = lines.findIndex(line => (characters += line.length + 7) > mostCharacters);
  return tooMany === -1 ? lines.length : Math.max(1, tooMany);
}

function shortened(line: string): string {
  return line.length <= longestLine ? line : `${line.slice(0, longestLine)}… [the line goes on: ${line.length} characters]`;
}
