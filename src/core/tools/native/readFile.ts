import * as z from 'zod';
import { secrets } from '../../secrets/secrets';
import { splitLines, numberedLines } from '../../text/numberedLines';
import { withNearest } from '../files/nearestPath';
import { notebookText } from '../reading/notebook';
import { isPdf, otherFile, pdf } from '../reading/otherFile';
import { defineTool } from '../defineTool';
import type { ToolResult } from '../../ports/tool';
import type { FileSnapshot } from '../../ports/files';

const maxLines = 2000;
const maxCharacters = 50_000;
/** Longer lines are cut. */
export const maxLineLength = 2000;

interface Range {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export const readFile = defineTool({
  name: 'read_file',
  description: `Read up to ${maxLines} numbered lines of a file. Also images, PDF text and notebook cells.`,
  input: z.object({
    path: z.string(),
    from: z.int().min(1).optional().describe('first line or PDF page, from 1'),
    to: z.int().min(1).optional().describe('last line'),
  }),
  effect: 'reads',
  summarize: ({ path, from, to }) => {
    if (from === undefined && to === undefined) return `Read ${path}`;
    return `Read ${path}, ${/\.pdf$/i.test(path) ? 'pages' : 'lines'} ${from ?? 1}–${to ?? 'end'}`;
  },
  touches: ({ path }) => ({ reads: [path] }),
  allowKey: ({ path }) => path,
  async run({ path, from, to }, { environment: { files, documents }, signal }) {
    if (to !== undefined && to < (from ?? 1))
      return { content: `"to" (${to}) is before "from" (${from ?? 1}).`, failed: true };
    const parts = { files, documents, signal };
    let snapshot: FileSnapshot;
    try {
      snapshot = await files.read(path);
    } catch (problem) {
      return otherFile(path, await withNearest(problem, path, files), { from, to }, parts);
    }
    return (await specialText(snapshot, { from, to }, parts)) ?? linesOfText(snapshot, { from, to });
  },
});

/** Returns the text of a file that needs more than numbered lines; undefined for other files. */
async function specialText(
  snapshot: FileSnapshot,
  range: Range,
  parts: Parameters<typeof otherFile>[3],
): Promise<ToolResult | undefined> {
  const { path, text, version } = snapshot;
  if (text.startsWith('%PDF-')) {
    const file = await parts.files.readBytes(path, text.length * 4);
    return isPdf(file.bytes) ? pdf(file, range, parts) : undefined;
  }
  if (!/\.ipynb$/i.test(path) || range.from !== undefined || range.to !== undefined) return undefined;
  const cells = notebookText(text);
  if (cells === undefined) return undefined;
  const lines = splitLines(text).length;
  return { content: cells, details: { kind: 'read', path, version, fromLine: 1, toLine: lines, totalLines: lines } };
}

function linesOfText({ path, text, version }: FileSnapshot, { from = 1, to }: Range): ToolResult {
  const lines = splitLines(text);
  const details = (toLine: number) => ({
    kind: 'read' as const,
    path,
    version,
    fromLine: from,
    toLine,
    totalLines: lines.length,
  });
  if (lines.length === 0) return { content: `${path} is empty.`, details: details(0) };
  if (from > lines.length)
    return { content: `${path} has ${lines.length} lines; there is no line ${from}.`, failed: true };

  const end = Math.min(to ?? lines.length, lines.length);
  const wanted = lines.slice(from - 1, Math.min(end, from - 1 + maxLines)).map(shortenLine);
  const shown = wanted.slice(0, countThatFits(wanted));
  const last = from + shown.length - 1;
  return {
    content:
      numberedLines(shown, from) + more({ from, last, wanted: end, total: lines.length, chosen: to !== undefined }),
    details: details(last),
  };
}

/** Note that further lines exist which are not shown. */
function more({
  from,
  last,
  wanted,
  total,
  chosen,
}: {
  readonly from: number;
  readonly last: number;
  readonly wanted: number;
  readonly total: number;
  readonly chosen: boolean;
}): string {
  if (last < wanted) return `\n[Lines ${from}-${last} of ${total}. Continue at line ${last + 1}.]`;
  return chosen && last < total ? `\n[Lines ${from}-${last} of ${total}.]` : '';
}

function countThatFits(lines: readonly string[]): number {
  let characters = 0;
  const tooMany = lines.findIndex((line) => (characters += line.length + 7) > maxCharacters);
  return tooMany === -1 ? lines.length : Math.max(1, tooMany);
}

function shortenLine(line: string): string {
  return line.length <= maxLineLength
    ? line
    : `${secrets.beginning(line, maxLineLength)}… [the line continues: ${line.length} characters]`;
}
