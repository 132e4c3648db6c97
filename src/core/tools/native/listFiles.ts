import * as z from 'zod';
import { withNearest } from '../files/nearestPath';
import { shownName } from '../../text/shownName';
import { defineTool } from '../defineTool';

const maxEntries = 400;

export const listFiles = defineTool({
  name: 'list_files',
  description: 'List a folder recursively. .gitignore applies.',
  input: z.object({
    path: z.string().optional(),
    depth: z.int().min(1).max(20).optional().describe('default 2'),
  }),
  example: { path: 'src' },
  effect: 'reads',
  summarize: ({ path = '.' }) => `List ${path}`,
  touches: ({ path = '.' }) => ({ reads: [path] }),
  allowKey: ({ path = '.' }) => path,
  async run({ path = '.', depth = 2 }, { environment }) {
    const { files } = environment;
    const listed = await files.list(path, { depth, limit: maxEntries }).catch(async (problem: unknown) => {
      throw await withNearest(problem, path, files);
    });
    const { entries, truncated } = listed;
    const details = { kind: 'list' as const, path, entries: entries.length, truncated };
    if (entries.length === 0) return { content: 'The folder is empty, or everything in it is ignored.', details };
    const lines = entries.map((entry) => shownName(entry.path) + kindSuffixes[entry.kind]);
    if (truncated) lines.push(`[Only the first ${maxEntries} entries. List a subfolder, or use a smaller depth.]`);
    return { content: lines.join('\n'), details };
  },
});

const kindSuffixes = { folder: '/', file: '', link: ' (link)', other: ' (not a regular file)' } as const;
