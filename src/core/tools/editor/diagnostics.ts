import * as z from 'zod';
import { defineTool } from '../defineTool';
import { servicesOf } from './navigation';

const maxProblems = 50;

export const diagnostics = defineTool({
  name: 'diagnostics',
  description: 'Errors and warnings that VS Code shows for a file, or for all files it has checked.',
  input: z.object({ path: z.string().optional().describe('a file') }),
  example: { path: 'src/app.ts' },
  needs: 'code',
  effect: 'reads',
  summarize: ({ path }) => `Show problems of ${path ?? 'the workspace'}`,
  touches: ({ path }) => ({ reads: path === undefined ? [] : [path] }),
  allowKey: ({ path }) => path ?? '.',
  async run({ path }, { environment, signal }) {
    const { lines, errors, warnings } = await servicesOf(environment).problems(path, signal);
    const query = path ?? 'problems';
    const truncated = lines.length > maxProblems;
    const details = { kind: 'search' as const, query, files: filesIn(lines), matches: lines.length, truncated };
    if (lines.length === 0) return { content: noProblems(path), details };
    const more = truncated ? [`[${lines.length - maxProblems} more are omitted.]`] : [];
    const head = `${errors} errors, ${warnings} warnings`;
    return { content: [head, ...lines.slice(0, maxProblems), ...more].join('\n'), details };
  },
});

const filesIn = (lines: readonly string[]): number =>
  new Set(lines.map((line) => line.slice(0, line.indexOf(':')))).size;

function noProblems(path: string | undefined): string {
  const where = path === undefined ? 'the files it has checked' : path;
  return `VS Code shows no problems in ${where}. Many language services check only open files: run a build or the tests to find more.`;
}
