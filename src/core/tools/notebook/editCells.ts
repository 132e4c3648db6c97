import { fnv1a } from '../../text/fnv1a';
import { isRecord } from '../../text/parseJson';
import { readNotebook, type PlacedCell, type PlacedNotebook, type TextSpan } from './notebookCells';

export const cellKinds = ['code', 'markdown', 'raw'] as const;
type CellKind = (typeof cellKinds)[number];

/** An edit of one cell. Cells are counted from 1, before any of the edits. */
export interface CellEdit {
  /** For `insert`, the cell before the new one; 0 inserts at the beginning. */
  readonly cell: number;
  readonly do: 'replace' | 'insert' | 'delete';
  /** Full text of the cell; not for `delete`. */
  readonly source?: string | undefined;
  /** For a new cell, the default is code. For a replaced cell, the default is its current type. */
  readonly type?: CellKind | undefined;
}

type CellsEdited =
  | {
      readonly text: string;
      /** What was done, one sentence per edit. */
      readonly done: readonly string[];
      /** True if cells have different numbers than before. */
      readonly isRenumbered: boolean;
    }
  | { readonly refused: string };

/**
 * Edits cells in the text of a notebook and preserves every other character: other cells, their outputs, indentation
 * and key order. Applies all edits or none.
 */
export function editCells(text: string, edits: readonly CellEdit[]): CellsEdited {
  const notebook = readNotebook(text);
  if (!notebook) return { refused: 'It is not a Jupyter notebook of format 4.' };
  const fault = edits.map((edit) => faultOf(edit, notebook)).find((words) => words !== undefined) ?? clashIn(edits);
  if (fault !== undefined) return { refused: fault };
  const style = styleOf(text, notebook);
  const items = itemsAfter(text, notebook, edits, style);
  const { from, to } = notebook.listAt;
  const list = joined(items, text, notebook, style);
  const after = text.slice(0, from) + list + text.slice(to);
  if (!isAsIntended(after, items, notebook))
    return { refused: 'Its cells cannot be edited because of how its JSON is written.' };
  return { text: after, done: doneInWords(items, edits), isRenumbered: edits.some((edit) => edit.do !== 'replace') };
}

function faultOf(edit: CellEdit, { cells }: PlacedNotebook): string | undefined {
  const { cell, do: what, source } = edit;
  const first = what === 'insert' ? 0 : 1;
  if (cell < first || cell > cells.length)
    return `There is no cell ${cell}: the notebook has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, counted from 1.`;
  if (what !== 'delete' && source === undefined) return `To ${what} a cell, give source: its whole text.`;
  const isSame = what === 'replace' && source === cells[cell - 1]!.source;
  return isSame && kindAfter(edit, cells[cell - 1]!) === cells[cell - 1]!.kind
    ? `Cell ${cell} already contains exactly this.`
    : undefined;
}

/** Detects conflicting edits of one cell. */
function clashIn(edits: readonly CellEdit[]): string | undefined {
  const touched = edits.filter((edit) => edit.do !== 'insert').map(({ cell }) => cell);
  const twice = touched.find((cell, index) => touched.indexOf(cell) !== index);
  return twice === undefined ? undefined : `Two edits change cell ${twice}. Make one of them.`;
}

const kindAfter = ({ type }: CellEdit, cell: PlacedCell): string => type ?? cell.kind;

/** A cell of the edited notebook. */
interface Item {
  readonly text: string;
  readonly source: string;
  readonly kind: string;
  /** Previous index of an existing cell, from 0. */
  readonly was?: number;
  readonly edit?: CellEdit;
  readonly hasOldOutputs?: boolean;
}

function itemsAfter(text: string, notebook: PlacedNotebook, edits: readonly CellEdit[], style: Style): Item[] {
  const newIds = idsFor(text);
  const insertedAfter = (cell: number): Item[] =>
    edits
      .filter((edit) => edit.do === 'insert' && edit.cell === cell)
      .map((edit) => {
        const [kind, source] = [edit.type ?? 'code', edit.source!];
        const id = notebook.needsIds ? { id: newIds(source) } : {};
        return { text: serializeCell(newCell(kind, source, id), style), source, kind, edit };
      });
  const items = insertedAfter(0);
  for (const [index, cell] of notebook.cells.entries()) {
    const edit = edits.find((each) => each.do !== 'insert' && each.cell === index + 1);
    if (!edit) items.push({ text: text.slice(cell.from, cell.to), source: cell.source, kind: cell.kind, was: index });
    else if (edit.do === 'replace') items.push({ ...replaced(text, cell, edit, style), was: index, edit });
    items.push(...insertedAfter(index + 1));
  }
  return items;
}

function replaced(text: string, cell: PlacedCell, edit: CellEdit, style: Style): Omit<Item, 'was' | 'edit'> {
  const source = edit.source!;
  const kind = kindAfter(edit, cell);
  if (kind !== cell.kind) {
    const { id, metadata, attachments } = JSON.parse(text.slice(cell.from, cell.to)) as Record<string, unknown>;
    const kept = {
      ...(id !== undefined && { id }),
      metadata: isRecord(metadata) ? metadata : {},
      ...(attachments !== undefined && kind !== 'code' && { attachments }),
    };
    return { text: serializeCell(newCell(kind, source, kept), style), source, kind };
  }
  const { from, to } = cell.sourceAt;
  const value = sourceLike(text, cell.sourceAt, source, style);
  const whole = text.slice(cell.from, from) + value + text.slice(to, cell.to);
  return { text: whole, source, kind, hasOldOutputs: cell.outputs.length > 0 };
}

/** Creates a cell with the key order that Jupyter and VS Code write. */
function newCell(kind: string, source: string, kept: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const code = kind === 'code' ? { execution_count: null, outputs: [] } : {};
  const cell: Record<string, unknown> = {
    metadata: {},
    ...kept,
    ...code,
    cell_type: kind,
    source: sourceLines(source),
  };
  return Object.fromEntries(
    Object.keys(cell)
      .sort()
      .map((key) => [key, cell[key]]),
  );
}

/** Splits a source into lines with their line ends, as the format stores them. */
const sourceLines = (source: string): string[] => (source === '' ? [] : source.split(/(?<=\n)/));

/** Formatting style of the file. */
interface Style {
  /** One level of indentation; undefined if everything is on one line. */
  readonly indent: string | undefined;
  /** Text between the bracket and the first cell, between two cells, and after the last one. */
  readonly opening: string;
  readonly separator: string;
  readonly closing: string;
  /** True if non-ASCII characters are escaped as "\u00e9". */
  readonly isAscii: boolean;
}

function styleOf(text: string, { cells, listAt }: PlacedNotebook): Style {
  const indent = /^\s*\{\n([ \t]+)"/.exec(text)?.[1];
  const isAscii = !/[^\0-\x7f]/.test(text) && /\\u(?!00[01])[\da-f]{4}/i.test(text);
  const [first, last] = [cells[0], cells.at(-1)];
  const usual = indent === undefined ? ['', ''] : [`\n${indent.repeat(2)}`, `\n${indent}`];
  const opening = first ? text.slice(listAt.from + 1, first.from) : usual[0]!;
  const closing = last ? text.slice(last.to, listAt.to - 1) : usual[1]!;
  const separator = cells[1] ? text.slice(first!.to, cells[1].from) : `,${opening}`;
  return { indent, opening, separator, closing, isAscii };
}

/** Joins the list of cells. The text between two cells that are still neighbors is preserved. */
function joined(items: readonly Item[], text: string, { cells }: PlacedNotebook, style: Style): string {
  if (items.length === 0) return '[]';
  const parts: string[] = [];
  let before: number | undefined;
  for (const [index, item] of items.entries()) {
    const areNeighbours = before !== undefined && item.was === before + 1;
    const between = areNeighbours ? text.slice(cells[before!]!.to, cells[item.was!]!.from) : style.separator;
    parts.push(index === 0 ? style.opening : between, item.text);
    before = item.was;
  }
  return `[${parts.join('')}${style.closing}]`;
}

/** Serializes a cell as JSON for its place in the file. */
function serializeCell(cell: Readonly<Record<string, unknown>>, style: Style): string {
  const json = inStyle(cell, style);
  const margin = style.opening.slice(style.opening.lastIndexOf('\n') + 1);
  return style.indent === undefined ? json : json.replaceAll('\n', `\n${margin}`);
}

/** Formats a source like the one that it replaces: one string, a list on one line, or a list of lines. */
function sourceLike(text: string, at: TextSpan, source: string, style: Style): string {
  const before = text.slice(at.from, at.to);
  const flat = { ...style, indent: undefined };
  if (before.startsWith('"')) return inStyle(source, flat);
  const lines = sourceLines(source);
  const isOnOneLine = !before.includes('\n') && !/^\[\s*\]$/.test(before);
  if (lines.length === 0 || isOnOneLine) return inStyle(lines, flat);
  const [opening, closing] = marginsOf(before) ?? usualMargins(text, at.from, style);
  return `[${opening}${lines.map((line) => inStyle(line, flat)).join(`,${opening}`)}${closing}]`;
}

/** Returns the text between the brackets of a list of lines and its first and last line. */
function marginsOf(list: string): readonly [string, string] | undefined {
  const [first, last] = [list.indexOf('"'), list.lastIndexOf('"')];
  return first === -1 ? undefined : [list.slice(1, first), list.slice(last + 1, -1)];
}

function usualMargins(text: string, place: number, { indent }: Style): readonly [string, string] {
  if (indent === undefined) return ['', ''];
  const line = text.slice(text.lastIndexOf('\n', place - 1) + 1, place);
  const margin = /^[ \t]*/.exec(line)![0];
  return [`\n${margin}${indent}`, `\n${margin}`];
}

function inStyle(value: unknown, { indent, isAscii }: Style): string {
  const json = JSON.stringify(value, undefined, indent);
  if (!isAscii) return json;
  return json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Returns a generator of ids that do not occur in the file. The same edits produce the same ids. */
function idsFor(text: string): (source: string) => string {
  const usedIds = new Set<string>();
  return (source) => {
    for (let attempt = 0; ; attempt++) {
      const id = cellHash(`${usedIds.size} ${attempt} ${source}`);
      if (usedIds.has(id) || text.includes(`"${id}"`)) continue;
      usedIds.add(id);
      return id;
    }
  };
}

/** Returns eight hexadecimal digits. */
const cellHash = (text: string): string => fnv1a(text).toString(16).padStart(8, '0');

/** True if the new text parses to the intended cells. Guards against damaging unusual JSON unnoticed. */
function isAsIntended(text: string, items: readonly Item[], before: PlacedNotebook): boolean {
  const after = readNotebook(text);
  return (
    after?.cells.length === items.length &&
    after.needsIds === before.needsIds &&
    items.every(({ source, kind }, index) => {
      const cell = after.cells[index]!;
      return cell.source === source && cell.kind === kind;
    })
  );
}

function doneInWords(items: readonly Item[], edits: readonly CellEdit[]): string[] {
  const deleted = edits.filter((edit) => edit.do === 'delete').map(({ cell }) => `Deleted cell ${cell}.`);
  const others = items.flatMap(({ edit, kind, hasOldOutputs }, index) => {
    if (!edit) return [];
    if (edit.do === 'insert') return [`Inserted a ${kind} cell; it is cell ${index + 1} now.`];
    const outputs = hasOldOutputs ? ' Its outputs are those of its last run.' : '';
    return [`Replaced cell ${edit.cell}.${outputs}`];
  });
  return [...deleted, ...others];
}
