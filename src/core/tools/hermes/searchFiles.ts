import { secrets } from '../../secrets/secrets';
import * as z from 'zod';
import type { SearchMatch } from '../../ports/search';
import { globMatcher } from '../../text/glob';
import { splitLines } from '../../text/numberedLines';
import { inQuotes, shownName } from '../../text/shownName';
import { defineTool } from '../defineTool';
import type { ToolContext, ToolResult } from '../../ports/tool';

const maxMatches = 1000;
const maxEntries = 5000;
const maxFilesWithContext = 20;
const maxLineLength = 500;

const Input = z.object({
  pattern: z.string().min(1).describe('a regular expression; a glob for target files'),
  target: z.enum(['content', 'files']).optional().describe('default content'),
  path: z.string().optional(),
  file_glob: z.string().optional(),
  limit: z.int().min(1).max(maxMatches).optional().describe('default 50'),
  offset: z.int().min(0).optional(),
  output_mode: z.enum(['content', 'files_only', 'count']).optional(),
  context: z.int().min(0).max(20).optional().describe('lines around each match'),
});
type Query = z.output<typeof Input>;

export const searchFiles = defineTool({
  name: 'search_files',
  description: 'Search file contents, or find files by name; .gitignore applies.',
  input: Input,
  effect: 'reads',
  summarize: ({ pattern, path, target }) =>
    `${target === 'files' ? 'Find' : 'Search'} ${inQuotes(pattern)}${path ? ` in ${path}` : ''}`,
  touches: ({ path = '.' }) => ({ reads: [path] }),
  allowKey: ({ pattern, target = 'content', path = '.', file_glob = '' }) =>
    JSON.stringify([pattern, target, path, file_glob]),
  run: (query, context) => (query.target === 'files' ? findFiles(query, context) : searchContent(query, context)),
});

async function findFiles(
  { pattern, path = '.', limit = 50, offset = 0 }: Query,
  { environment: { files } }: ToolContext,
): Promise<ToolResult> {
  const { entries, truncated } = await files.list(path, { depth: 20, limit: maxEntries });
  const fits = matcherFor(pattern);
  const found = entries
    .filter(
      (entry) =>
        entry.kind === 'file' &&
        fits(pattern.includes('/') ? entry.path : entry.path.slice(entry.path.lastIndexOf('/') + 1)),
    )
    .map((entry) => shownName(entry.path));
  return page(found, {
    limit,
    offset,
    truncated,
    details: { kind: 'search', query: pattern, files: found.length, matches: found.length, truncated },
  });
}

function matcherFor(pattern: string): (path: string) => boolean {
  try {
    return globMatcher(pattern);
  } catch (thrown) {
    throw new Error(`The glob ${(thrown as Error).message}. Write another one, such as "*.ts" or "src/**".`);
  }
}

async function searchContent(query: Query, context: ToolContext): Promise<ToolResult> {
  const {
    pattern,
    path,
    file_glob: glob,
    limit = 50,
    offset = 0,
    output_mode: mode = 'content',
    context: around = 0,
  } = query;
  const wanted = {
    pattern,
    literal: false,
    caseSensitive: true,
    maxMatches: mode === 'content' ? Math.min(offset + limit + 1, maxMatches) : maxMatches,
    ...(path !== undefined && { path }),
    ...(glob !== undefined && { glob }),
  };
  const { matches, truncated: isCut, counts: all } = await context.environment.search.search(wanted, context.signal);
  const counts = new Map<string, number>();
  if (mode !== 'content' && all) for (const { path: file, matches: count } of all) counts.set(file, count);
  else for (const match of matches) counts.set(match.path, (counts.get(match.path) ?? 0) + 1);
  const truncated = isCut && (mode === 'content' || all === undefined);
  const details = { kind: 'search' as const, query: pattern, files: counts.size, matches: matches.length, truncated };
  if (mode === 'files_only') return page([...counts.keys()].map(shownName), { limit, offset, truncated, details });
  if (mode === 'count')
    return page(
      [...counts].map(([name, count]) => `${shownName(name)}: ${count}`),
      { limit, offset, truncated, details },
    );
  const shown = matches.slice(offset, offset + limit);
  const result = page(
    matches.map(({ path: file, line, text }) => `${shownName(file)}:${line}: ${text}`),
    { limit, offset, truncated, details },
  );
  if (around === 0 || shown.length === 0) return result;
  const more = result.content.split('\n')[shown.length];
  return { ...result, content: (await withContext(shown, around, context)) + (more === undefined ? '' : `\n${more}`) };
}

/** Returns one page of lines, with a hint on how to get the next. */
function page(
  lines: readonly string[],
  {
    limit,
    offset,
    truncated,
    details,
  }: { limit: number; offset: number; truncated: boolean; details: ToolResult['details'] & object },
): ToolResult {
  const shown = lines.slice(offset, offset + limit);
  if (shown.length === 0)
    return {
      content: offset > 0 && lines.length > 0 ? `There are only ${lines.length} results.` : 'No match.',
      details,
    };
  const more =
    offset + limit < lines.length || truncated
      ? [`[More results. Continue with offset ${offset + limit}, or search for something rarer.]`]
      : [];
  return { content: [...shown, ...more].join('\n'), details };
}

/**
 * Formats matches with surrounding lines: ":" after the number of a match, "-" after other lines, "--" where lines are
 * omitted.
 */
async function withContext(
  matches: readonly SearchMatch[],
  around: number,
  { environment: { files } }: ToolContext,
): Promise<string> {
  const paths = [...new Set(matches.map(({ path }) => path))].slice(0, maxFilesWithContext);
  const blocks = await Promise.all(
    paths.map(async (path) => {
      const hits = new Set(matches.filter((match) => match.path === path).map(({ line }) => line));
      const lines = splitLines((await files.read(path)).text);
      const near = new Set(
        [...hits].flatMap((hit) => Array.from({ length: 2 * around + 1 }, (_, at) => hit - around + at)),
      );
      const numbers = [...near].filter((number) => number >= 1 && number <= lines.length).sort((a, b) => a - b);
      const shown = numbers.map((number, index) => {
        const gap = index > 0 && numbers[index - 1] !== number - 1 ? '--\n' : '';
        const marked = `${String(number).padStart(5)}${hits.has(number) ? ':' : '-'}`;
        return `${gap}${marked}\t${secrets.beginning(lines[number - 1]!, maxLineLength)}`;
      });
      return [shownName(path), ...shown].join('\n');
    }),
  );
  return blocks.join('\n');
}
