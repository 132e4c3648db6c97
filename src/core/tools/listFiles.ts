import * as z from 'zod';
import { defineTool } from './tool';

const mostEntries = 400;

export const listFiles = defineTool({
  name: 'list_files',
  description: 'List a folder; .gitignore applies.',
  input: z.object({ path: z.string().optional(), depth: z.int().min(1).max(20).optional().describe('default 2') }),
  effect: 'reads',
  summarize: ({ path = '.' }) => `List ${path}`,
  touches: ({ path = '.' }) => ({ reads: [path] }),
  allowKey: ({ path = '.' }) => path,
  async run({ path = '.', depth = 2 }, { environment }) {
    const { entries, truncated } = await environment.files.list(path, { depth, limit: mostEntries });
    const details = { kind: 'list' as const, path, entries: entries.length, truncated };
    if (entries.length === 0) return { content: 'The folder is empty, or all it holds is ignored.', details };
    const lines = entries.map(entry => visible(entry.path) + mark[entry.kind]);
    if (truncated) lines.push(`[Only the first ${mostEntries} entries. List a folder below, or use less depth.]`);
    return { content: lines.join('\n'), details };
  },
});

const mark = { folder: '/', file: '', link: ' (link)', other: ' (not a regular file)' } as const;

/** A name may hold a line break; it must not look like two names. */
function visible(path: string): string {
  return /[\0-\x1f\x7f]/.test(path) ? JSON.stringify(path) : path;
}
