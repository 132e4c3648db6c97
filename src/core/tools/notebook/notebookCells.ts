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

/** A string, a bracket, a colon or a comma of a JSON text. Numbers, booleans and null are between these. */
interface Token extends TextSpan {
  readonly text: string;
}

const tokensOf = (json: string): Token[] =>
  Array.from(json.matchAll(/"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|[{}[\]:,]/g), ({ 0: text, index }) => ({
    text,
    from: index,
    to: index + text.length,
  }));

/** Finds the positions of the cells in a valid JSON text. Returns undefined if there are two lists of cells. */
function placesIn(text: string): Places | undefined {
  const tokens = tokensOf(text);
  const lists = membersOf(tokens, 0).filter(
    ({ key, first }) => key === '"cells"' && first !== undefined && tokens[first]!.text === '[',
  );
  const [list] = lists;
  if (!list || lists.length > 1) return undefined;
  return {
    cells: itemsOf(tokens, list.first!).map((cell) => ({
      ...spanOf(tokens, cell),
      sourceAt: sourceOf(tokens, cell),
    })),
    listAt: spanOf(tokens, list.first!),
  };
}

function sourceOf(tokens: readonly Token[], cell: number): TextSpan | undefined {
  const source = membersOf(tokens, cell).findLast(({ key, first }) => key === '"source"' && first !== undefined);
  return source && spanOf(tokens, source.first!);
}

interface Member {
  /** As in the text, with quotes. */
  readonly key: string;
  /** Index of the first token of the value; undefined for a number, a boolean or null. */
  readonly first: number | undefined;
}

/** Returns the members of the object that begins at this token. */
function membersOf(tokens: readonly Token[], opening: number): Member[] {
  const members: Member[] = [];
  for (let at = opening + 1; tokens[at]?.text.startsWith('"');) {
    const value = at + 2;
    const hasTokens = !/^[,}]$/.test(tokens[value]!.text);
    members.push({ key: tokens[at]!.text, first: hasTokens ? value : undefined });
    const next = hasTokens ? lastOf(tokens, value) + 1 : value;
    at = tokens[next]?.text === ',' ? next + 1 : next;
  }
  return members;
}

/** Returns the first token of each object or list in the list that begins at this token. */
function itemsOf(tokens: readonly Token[], opening: number): number[] {
  const items: number[] = [];
  for (let at = opening + 1; at < tokens.length && tokens[at]!.text !== ']'; at++) {
    if (!/^[{[]$/.test(tokens[at]!.text)) continue;
    items.push(at);
    at = lastOf(tokens, at);
  }
  return items;
}

/** Returns the index of the last token of the value that begins at this token. */
function lastOf(tokens: readonly Token[], first: number): number {
  let depth = 0;
  for (let at = first; at < tokens.length; at++) {
    if (/^[{[]$/.test(tokens[at]!.text)) depth++;
    if (/^[}\]]$/.test(tokens[at]!.text)) depth--;
    if (depth === 0) return at;
  }
  return tokens.length - 1;
}

const spanOf = (tokens: readonly Token[], first: number): TextSpan => ({
  from: tokens[first]!.from,
  to: tokens[lastOf(tokens, first)]!.to,
});
