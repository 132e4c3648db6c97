import * as z from 'zod';
import { withNearest } from '../files/nearestPath';
import { inQuotes, shownName } from '../../text/shownName';
import { withCommas } from '../../text/withCommas';
import type { SearchResult } from '../../ports/search';
import { defineTool } from '../defineTool';

const maxMatches = 100;

export const searchText = defineTool({
  name: 'search_text',
  description: 'Search lines of files with a ripgrep regex (no look-around). .gitignore applies.',
  input: z.object({
    pattern: z.string().min(1),
    literal: z.boolean().optional().describe('plain text'),
    path: z.string().optional(),
    glob: z.string().optional().describe('e.g. src/**/*.ts'),
    case: z.boolean().optional().describe('match case, default true'),
  }),
  effect: 'reads',
  summarize: ({ pattern, path, glob }) =>
    `Search ${inQuotes(pattern)}${path ? ` in ${path}` : ''}${glob ? ` (${glob})` : ''}`,
  touches: ({ path = '.' }) => ({ reads: [path] }),
  allowKey: ({ pattern, path = '.', glob = '' }) => JSON.stringify([pattern, path, glob]),
  async run({ pattern, literal = false, path, glob, case: caseSensitive = true }, { environment, signal }) {
    const query = {
      pattern,
      literal,
      caseSensitive,
      maxMatches,
      ...(path !== undefined && { path }),
      ...(glob !== undefined && { glob }),
    };
    const found = await environment.search.search(query, signal).catch(async (problem: unknown) => {
      if (isBadPattern(problem)) throw new Error(`${withoutFlags(problem.message)}\n${patternAdvice(problem.message)}`);
      throw path === undefined ? problem : await withNearest(problem, path, environment.files);
    });
    const { matches, truncated } = found;
    const shown = new Map<string, number>();
    for (const match of matches) shown.set(match.path, (shown.get(match.path) ?? 0) + 1);
    const files = shown.size;
    const details = { kind: 'search' as const, query: pattern, files, matches: matches.length, truncated };
    if (matches.length === 0) {
      const isPlain = literal || !/[\\^$.|?*+()[\]{}]/.test(pattern);
      const asText = isPlain ? undefined : await environment.search.search({ ...query, literal: true }, signal);
      const occurs = asText !== undefined && asText.matches.length > 0;
      return { content: occurs ? 'No match. It occurs as plain text: set literal to true.' : 'No match.', details };
    }
    const lines: string[] = [];
    let current: string | undefined;
    for (const { path: file, line, text } of matches) {
      if (file !== current) {
        current = file;
        lines.push(shownName(file));
      }
      lines.push(`${String(line).padStart(5)}\t${text}`);
    }
    if (truncated) lines.push(leftOut(found, shown));
    return { content: lines.join('\n'), details };
  },
});

const maxOthers = 30;

/** Says which matches are not shown. */
function leftOut({ matches, counts = [], moreThan }: SearchResult, shown: ReadonlyMap<string, number>): string {
  const first = `The first ${matches.length}`;
  if (moreThan !== undefined)
    return `[${first} of more than ${withCommas(moreThan)} matches, in the order of the paths. Use glob or path to narrow.]`;
  const total = withCommas(counts.reduce((sum, { matches: count }) => sum + count, 0));
  if (counts.length === 1)
    return `[${first} of ${total} matches. Search for a rarer text, or read a part of the file.]`;
  const others = counts.flatMap(({ path, matches: count }) => {
    const left = count - (shown.get(path) ?? 0);
    return left > 0 ? [`${shownName(path)} (${left}${shown.has(path) ? ' more' : ''})`] : [];
  });
  const named = others.slice(0, maxOthers).join(', ');
  const more = others.length > maxOthers ? `, and ${others.length - maxOthers} more files` : '';
  return `[${first} of ${total} matches, in ${shown.size} of ${counts.length} files. Others: ${named}${more}. Use glob or path to narrow.]`;
}

const isBadPattern = (problem: unknown): problem is Error =>
  problem instanceof Error &&
  (/^regex parse error/i.test(problem.message) || /Consider enabling multiline mode/.test(problem.message));

/** Removes ripgrep's advice to set flags that this tool does not have. */
const withoutFlags = (message: string): string => message.split('\nConsider enabling')[0]!.trim();

function patternAdvice(message: string): string {
  if (/error: look-around/.test(message))
    return 'Search without look-around for the part that must match, and leave out the lines that do not fit.';
  if (/backreferences/.test(message)) return 'Search without backreferences for a simpler pattern.';
  if (/multiline/.test(message)) return 'Each line is searched separately: search for one of the lines.';
  return 'Escape its special characters, or set literal to true.';
}
