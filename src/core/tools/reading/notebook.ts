import * as z from 'zod';

const mostCharacters = 50_000;
const mostOutputLines = 20;
const mostOutputCharacters = 2000;

const Text = z.union([z.string(), z.array(z.string())]).transform((text) => [text].flat().join(''));
const Output = z.looseObject({
  output_type: z.string().optional(),
  text: Text.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
});
const Cell = z.looseObject({ cell_type: z.string(), source: Text, outputs: z.array(Output).optional() });
const Notebook = z.looseObject({ cells: z.array(Cell), nbformat: z.number() });
type Output = z.output<typeof Output>;

/** A notebook of Jupyter cell by cell, with what was printed last in short; undefined for a text that is none. */
export function notebookText(text: string): string | undefined {
  const cells = cellsOf(text);
  if (!cells) return undefined;
  const places = placesOfCells(text);
  if (places.length !== cells.length) return undefined;
  const where = (index: number): string => `lines ${places[index]!.from}-${places[index]!.to}`;
  const shown: string[] = [];
  let characters = 0;
  for (const [index, { cell_type: kind, source, outputs = [] }] of cells.entries()) {
    const head = `[cell ${index + 1}: ${kind}, ${where(index)} of the file]`;
    const part = [head, source.trimEnd(), ...outputs.map((output) => outputText(output, where(index)))]
      .filter((each) => each !== '')
      .join('\n');
    characters += part.length;
    if (characters > mostCharacters && index > 0) break;
    shown.push(part.slice(0, mostCharacters));
  }
  const left = cells.length - shown.length;
  const rest =
    left > 0
      ? [
          `[Cells ${shown.length + 1}-${cells.length} are left out. Read them as JSON, from line ${places[shown.length]!.from} on.]`,
        ]
      : [];
  const note =
    '[A notebook. The file itself is JSON: reading a range of its lines shows it, and edits are made in it.]';
  return [...shown, ...rest, note].join('\n\n');
}

/** The lines of the file, from 1, that a cell takes. */
interface CellPlace {
  readonly from: number;
  readonly to: number;
}

/**
 * Where the cells of a notebook stand in its JSON. The text is JSON; of an object
 * with "cells" twice the places do not count.
 */
function placesOfCells(text: string): CellPlace[] {
  const places: CellPlace[] = [];
  let [line, depth, cellFrom] = [1, 0, 0];
  let key = '';
  let inCells = false;
  for (const { 0: token } of text.matchAll(/"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|[{}[\]\n]/g)) {
    if (token === '\n') line++;
    else if (token.startsWith('"')) {
      if (depth === 1) key = token;
    } else if (token === '{' || token === '[') {
      depth++;
      if (depth === 2) inCells = token === '[' && key === '"cells"';
      if (depth === 3 && inCells) cellFrom = line;
    } else {
      if (depth === 3 && inCells) places.push({ from: cellFrom, to: line });
      depth--;
    }
  }
  return places;
}

function cellsOf(text: string): z.output<typeof Notebook>['cells'] | undefined {
  try {
    return Notebook.safeParse(JSON.parse(text)).data?.cells;
  } catch {
    return undefined;
  }
}

function outputText(output: Output, where: string): string {
  const words = wordsOf(output);
  if (words === '') return '';
  const lines = words.slice(0, mostOutputCharacters).split('\n').slice(0, mostOutputLines);
  const short = lines.join('\n');
  const cut = short.length < words.length ? `\n[The output goes on; see ${where}.]` : '';
  return `[output]\n${short}${cut}`;
}

/** What people see of an output: text as it is, pictures and the like by their kind. */
function wordsOf({ text, data = {}, ename, evalue }: Output): string {
  if (ename !== undefined) return `${ename}: ${evalue ?? ''}`;
  if (text !== undefined) return plain(text);
  const written = Text.safeParse(data['text/plain']).data ?? '';
  const others = Object.keys(data).filter((type) => type !== 'text/plain' && type !== 'text/html');
  return [plain(written), ...others.map((type) => `[${type}, not shown]`)].filter((part) => part !== '').join('\n');
}

/** Without the colours of terminals. */
const plain = (text: string): string => text.replace(/\x1b\[[0-9;]*[A-Za-z]/g, '').trimEnd();
