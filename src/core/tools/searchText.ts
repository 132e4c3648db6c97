import * as z from 'zod';
import { defineTool } from './tool';

const mostMatches = 100;

export const searchText = defineTool({
  name: 'search_text',
  description: 'Search file contents with a regular expression (ripgrep); .gitignore applies.',
  input: z.object({
    pattern: z.string().min(1), literal: z.boolean().optional().describe('pattern is plain text'), path: z.string().optional(),
    glob: z.string().optional().describe('e.g. *.ts'), case: z.boolean().optional().describe('match case, default true'),
  }),
  effect: 'reads',
  summarize: ({ pattern, path, glob }) => `Search ${JSON.stringify(pattern)}${path ? ` in ${path}` : ''}${glob ? ` (${glob})` : ''}`,
  touches: ({ path = '.' }) => ({ reads: [path] }),
  allowKey: ({ pattern, path = '.', glob = '' }) => JSON.stringify([pattern, path, glob]),
  async run({ pattern, literal = false, path, glob, case: caseSensitive = true }, { environment, signal }) {
    const query = { pattern, literal, caseSensitive, maxMatches: mostMatches, ...(path !== undefined && { path }), ...(glob !== undefined && { glob }) };
    const { matches, truncated } = await environment.search.search(query, signal);
    const files = new Set(matches.map(match => match.path)).size;
    const details = { kind: 'search' as const, query: pattern, files, matches: matches.length, truncated };
    if (matches.length === 0) return { content: 'No match.', details };
    const lines: string[] = [];
    let current: string | undefined;
    for (const { path: file, line, text } of matches) {
      if (file !== current) lines.push((current = file));
      lines.push(`${String(line).padStart(5)}\t${text}`);
    }
    if (truncated) lines.push(`[Only ${mostMatches} matches are shown. Search a folder or a rarer text.]`);
    return { content: lines.join('\n'), details };
  },
});
