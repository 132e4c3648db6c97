import * as z from 'zod';

/** Text in a notebook: one string, or a list of lines with their line ends. */
export const NotebookText = z.union([z.string(), z.array(z.string())]).transform((text) => [text].flat().join(''));

const Output = z.looseObject({
  output_type: z.string().optional(),
  text: NotebookText.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
});
const Cell = z.looseObject({ cell_type: z.string(), source: NotebookText, outputs: z.array(Output).optional() });
const Notebook = z.looseObject({
  cells: z.array(Cell),
  nbformat: z.number(),
  nbformat_minor: z.number().optional(),
});

/** One output of a cell. `ename` and `evalue`: the name and the message of an error. */
export type NotebookOutput = z.output<typeof Output>;

/** Range of a part in the text: from its first character to just behind its last. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

/** A cell with its position in the text of the notebook. */
export interface PlacedCell extends TextSpan {
  readonly kind: string;
  readonly source: string;
  readonly outputs: readonly NotebookOutput[];
  /** Value of the key "source". */
  readonly sourceAt: TextSpan;
}

/** A parsed notebook with the position of every part. */
export interface PlacedNotebook {
  readonly cells: readonly PlacedCell[];
  /** The list of cells, including its brackets. */
  readonly listAt: TextSpan;
  /** True if this version of the format requires an id for every cell. */
  readonly needsIds: boolean;
}

/**
 * Parses a Jupyter notebook of format 4 with the positions of its cells. Returns undefined if the text is not one, or
 * repeats a key so that positions are ambiguous.
 */
export function readNotebook(text: string): PlacedNotebook | undefined {
  const read = parseNotebook(text);
  const places = read && placesIn(text);
  if (!read || !places || places.cells.length !== read.cells.length) return undefined;
  const cells: PlacedCell[] = [];
  for (const [index, { cell_type: kind, source, outputs = [] }] of read.cells.entries()) {
    const { from, to, sourceAt } = places.cells[index]!;
    if (!sourceAt) return undefined;
    cells.push({ kind, source, outputs, from, to, sourceAt });
  }
  const needsIds = read.nbformat > 4 || (read.nbformat_minor ?? 0) >= 5;
  return { cells, listAt: places.listAt, needsIds };
}

function parseNotebook(text: string): z.output<typeof Notebook> | undefined {
  try {
    return Notebook.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

interface CellPlace extends TextSpan {
  readonly sourceAt?: TextSpan | undefined;
}

interface Places {
  readonly cells: readonly CellPlace[];
  readonly listAt: TextSpan;
}

/** Nesting depths: the list of cells in the notebook, a cell in the list, and the keys of a cell. */
const [inNotebook, inList, inCell] = [1, 2, 3];

/** Finds the positions of the cells in a valid JSON text. */
function placesIn(text: string): Places | undefined {
  const cells: CellPlace[] = [];
  let listAt: TextSpan | undefined;
  let depth = 0;
  let [listFrom, cellFrom, sourceFrom] = [-1, -1, -1];
  let sourceAt: TextSpan | undefined;
  /** Last string at this depth that was not a value. */
  let key = '';
  let isValue = false;
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|[{}[\]:,]/g)) {
    const end = index + token.length;
    const isInCell = cellFrom >= 0 && depth === inCell;
    if (token === ':') isValue = true;
    else if (token === ',') isValue = false;
    else if (token.startsWith('"')) {
      if (isInCell && isValue && key === '"source"') sourceAt = { from: index, to: end };
      if (!isValue && (depth === inNotebook || isInCell)) key = token;
    } else if (token === '{' || token === '[') {
      if (isInCell && key === '"source"') sourceFrom = index;
      depth++;
      const beginsList = depth === inList && token === '[' && key === '"cells"';
      if (beginsList && listAt) return undefined;
      if (beginsList) listFrom = index;
      if (depth === inCell && listFrom >= 0) [cellFrom, sourceAt] = [index, undefined];
      isValue = false;
    } else {
      if (isInCell) cells.push({ from: cellFrom, to: end, sourceAt });
      if (isInCell) cellFrom = -1;
      if (depth === inList && listFrom >= 0) [listAt, listFrom] = [{ from: listFrom, to: end }, -1];
      depth--;
      if (depth === inCell && sourceFrom >= 0) [sourceAt, sourceFrom] = [{ from: sourceFrom, to: end }, -1];
      isValue = false;
    }
  }
  return listAt && { cells, listAt };
}
