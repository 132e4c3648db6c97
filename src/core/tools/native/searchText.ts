import * as z from 'zod';
import { withNearest } from '../files/nearestPath';
import { shownName } from '../../text/shownName';
import { defineTool } from '../defineTool';

const mostMatches = 100;

export const searchText = defineTool({
  name: 'search_text',
  description:
    'Search the lines of files with a regular expression of ripgrep: escape ( [ { . to mean the characters; no look-around, no match over several lines. ' +
    'What .gitignore names is left out.',
  input: z.object({
    pattern: z.string().min(1),
    literal: z.boolean().optional().describe('true: pattern is plain text, nothing to escape'),
    path: z.string().optional().describe('a file or folder; default: the whole workspace'),
    glob: z.string().optional().describe('names of files, e.g. *.ts or src/**/*.py'),
    case: z.boolean().optional().describe('match case, default true'),
  }),
  effect: 'reads',
  summarize: ({ pattern, path, glob }) =>
    `Search ${JSON.stringify(pattern)}${path ? ` in ${path}` : ''}${glob ? ` (${glob})` : ''}`,
  touches: ({ path = '.' }) => ({ reads: [path] }),
  allowKey: ({ pattern, path = '.', glob = '' }) => JSON.stringify([pattern, path, glob]),
  async run({ pattern, literal = false, path, glob, case: caseSensitive = true }, { environment, signal }) {
    const query = {
      pattern,
      literal,
      caseSensitive,
      maxMatches: mostMatches,
      ...(path !== undefined && { path }),
      ...(glob !== undefined && { glob }),
    };
    const { search, files: known } = environment;
    const found = await search.search(query, signal).catch(async (problem: unknown) => {
      if (isBadPattern(problem))
        throw new Error(`${problem.message}\nEscape its special characters, or set literal to true.`);
      throw path === undefined ? problem : await withNearest(problem, path, known);
    });
    const { matches, truncated } = found;
    const files = new Set(matches.map((match) => match.path)).size;
    const details = { kind: 'search' as const, query: pattern, files, matches: matches.length, truncated };
    if (matches.length === 0) return { content: 'No match.', details };
    const lines: string[] = [];
    let current: string | undefined;
    for (const { path: file, line, text } of matches) {
      if (file !== current) {
        current = file;
        lines.push(shownName(file));
      }
      lines.push(`${String(line).padStart(5)}\t${text}`);
    }
    if (truncated) lines.push(`[Only ${mostMatches} matches are shown. Search a folder or a rarer text.]`);
    return { content: lines.join('\n'), details };
  },
});

const isBadPattern = (problem: unknown): problem is Error =>
  problem instanceof Error && /^regex parse error/i.test(problem.message);
