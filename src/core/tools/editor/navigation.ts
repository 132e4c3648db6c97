import * as z from 'zod';
import type { CodeServices, CodeSymbol, CodeLocation } from '../../ports/codeServices';
import type { Environment } from '../../ports/environment';
import { defineTool } from '../defineTool';
import { FileProblem, type Files } from '../../ports/files';
import type { ToolResult } from '../../ports/tool';
import { secretReads, matchingRules } from '../../risk/pathRules';
import { shownName } from '../../text/shownName';
import { secrets } from '../../secrets/secrets';

/**
 * Input schema for pointing at a symbol: the model quotes the line that it read, because models do not count columns.
 */
export const codePlaceInput = {
  path: z.string(),
  line: z.int().min(1).describe('from 1'),
  symbol: z.string().min(1).describe('the name on that line'),
};

export const placeInWords = ({ path, line, symbol }: { path: string; line: number; symbol: string }): string =>
  `${symbol} (${path}:${line})`;

/** Returns the language services. Throws an `Error` with a message for the model if there are none. */
export function servicesOf({ code }: Environment): CodeServices {
  if (!code) throw new Error('No editor is available here, so there are no language services. Search for the text.');
  return code;
}

export const goToDefinition = defineTool({
  name: 'go_to_definition',
  description: 'Find where a symbol is declared.',
  input: z.object(codePlaceInput),
  needs: 'code',
  effect: 'reads',
  summarize: (place) => `Find the definition of ${placeInWords(place)}`,
  touches: ({ path }) => ({ reads: [path] }),
  allowKey: ({ path }) => path,
  async run(place, { environment, signal }) {
    const found = await servicesOf(environment).definitions(place, signal);
    return locationsInWords(place.symbol, found, environment.files);
  },
});

export const findReferences = defineTool({
  name: 'find_references',
  description: 'Find every use of a symbol, more exactly than a text search.',
  input: z.object(codePlaceInput),
  needs: 'code',
  effect: 'reads',
  summarize: (place) => `Find references to ${placeInWords(place)}`,
  touches: ({ path }) => ({ reads: [path] }),
  allowKey: ({ path }) => path,
  async run(place, { environment, signal }) {
    const found = await servicesOf(environment).references(place, signal);
    return locationsInWords(place.symbol, found, environment.files);
  },
});

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

const maxLocations = 100;
const maxLineLength = 300;

/** Lists locations in files with the text of each line, in the format of search matches. */
async function locationsInWords(query: string, locations: readonly CodeLocation[], files: Files): Promise<ToolResult> {
  const shown = locations.slice(0, maxLocations);
  const paths = [...new Set(shown.map(({ path }) => path))];
  const details = {
    kind: 'search' as const,
    query,
    files: paths.length,
    matches: shown.length,
    truncated: locations.length > shown.length,
  };
  const blocks = await Promise.all(
    paths.map(async (path) => {
      const own = shown.filter((location) => location.path === path);
      const lines = own[0]!.isInside ? await linesOfFile(path, files) : [];
      const where = own[0]!.isInside ? '' : ' (outside the workspace)';
      const places = own.map(({ line }) => `${String(line).padStart(5)}\t${shortened(lines[line - 1] ?? '')}`);
      return [shownName(path) + where, ...new Set(places)].join('\n');
    }),
  );
  const more = details.truncated ? [`[Only ${maxLocations} of ${locations.length} places are shown.]`] : [];
  return { content: [...blocks, ...more].join('\n'), details };
}

/**
 * Returns no lines for unreadable files and for files that usually contain secrets: a symbol lookup is not consent to
 * read those.
 */
async function linesOfFile(path: string, files: Files): Promise<readonly string[]> {
  if (matchingRules(path, secretReads).length > 0) return [];
  try {
    return (await files.read(path)).text.split('\n');
  } catch (thrown) {
    if (thrown instanceof FileProblem) return [];
    throw thrown;
  }
}

const shortened = (line: string): string => secrets.truncate(line, maxLineLength);
