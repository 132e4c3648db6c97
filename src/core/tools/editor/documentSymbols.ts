import * as z from 'zod';
import type { CodeSymbol } from '../../ports/codeServices';
import { defineTool } from '../defineTool';
import { servicesOf } from './codePlaceInput';

const maxSymbols = 300;

export const documentSymbols = defineTool({
  name: 'document_symbols',
  description: 'The outline of a file: names and their lines.',
  input: z.object({ path: z.string() }),
  needs: 'code',
  effect: 'reads',
  summarize: ({ path }) => `Outline ${path}`,
  touches: ({ path }) => ({ reads: [path] }),
  allowKey: ({ path }) => path,
  async run({ path }, { environment, signal }) {
    const symbols = await servicesOf(environment).symbols(path, signal);
    const shown = symbols.slice(0, maxSymbols);
    const truncated = symbols.length > shown.length;
    const more = truncated ? [`[Only ${maxSymbols} of ${symbols.length} names are shown.]`] : [];
    return {
      content: [...shown.map(symbolLine), ...more].join('\n'),
      details: { kind: 'list', path, entries: shown.length, truncated },
    };
  },
});

function symbolLine({ name, kind, fromLine, toLine, depth }: CodeSymbol): string {
  const lines = fromLine === toLine ? `${fromLine}` : `${fromLine}-${toLine}`;
  return `${'  '.repeat(depth)}${kind} ${name} (${lines})`;
}
