import * as vscode from 'vscode';
import { readNotebook, type PlacedCell } from '../../core/tools/notebook/notebookCells';
import { editorUri } from './editorUri';

/** API of VS Code's built-in notebook extension. It returns the text that it would save. */
interface NotebookExtension {
  exportNotebook?(notebook: vscode.NotebookData): Promise<string>;
}

const notebookExtension = 'vscode.ipynb';
const jupyter = 'jupyter-notebook';
/** Language of cells that are neither code nor Markdown. */
const rawLanguage = 'raw';

/** Returns the open Jupyter notebook of a file, or undefined if it is not open. */
export function openNotebookAt(absolute: string): vscode.NotebookDocument | undefined {
  const { fsPath } = editorUri(absolute);
  return vscode.workspace.notebookDocuments.find(
    ({ uri, isClosed, notebookType }) =>
      !isClosed && notebookType === jupyter && uri.scheme === 'file' && uri.fsPath === fsPath,
  );
}

/** Returns the text that saving the notebook would write, or undefined if the notebook extension cannot be asked. */
export async function unsavedText(notebook: vscode.NotebookDocument): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<NotebookExtension | undefined>(notebookExtension);
  const api = await extension?.activate();
  if (!api?.exportNotebook) return undefined;
  const data = new vscode.NotebookData(notebook.getCells().map(dataOf));
  data.metadata = notebook.metadata;
  return api.exportNotebook(data);
}

function dataOf(cell: vscode.NotebookCell): vscode.NotebookCellData {
  const { languageId } = cell.document;
  const data = new vscode.NotebookCellData(cell.kind, cell.document.getText(), languageId);
  data.outputs = [...cell.outputs];
  data.metadata = cell.metadata;
  if (cell.executionSummary) data.executionSummary = cell.executionSummary;
  return data;
}

/**
 * Changes the cells of an open notebook to those of `after`, as a user would: unchanged cells keep their outputs, and
 * the edit can be undone. `before` is the current text of the notebook. Returns undefined, without changing anything,
 * if the texts differ in more than cells, or the editor shows other cells.
 */
export async function editOpenNotebook(
  notebook: vscode.NotebookDocument,
  before: string,
  after: string,
): Promise<boolean | undefined> {
  const [old, now] = [cellsIn(before), cellsIn(after)];
  if (!old || !now || frameOf(before) !== frameOf(after) || !showsCells(notebook, old)) return undefined;
  const language = languageOf(notebook);
  const edit = new vscode.WorkspaceEdit();
  const notebookEdits: vscode.NotebookEdit[] = [];
  for (const change of await changesBetween(old, now)) {
    if (change.kind === 'retype') {
      retype(edit, notebook.cellAt(change.index).document, change.source);
      continue;
    }
    const cells = change.cells.map((cell) => cellData(cell, language));
    const made = cells.filter((cell) => cell !== undefined);
    if (made.length < cells.length) return undefined;
    notebookEdits.push(vscode.NotebookEdit.replaceCells(new vscode.NotebookRange(change.from, change.to), made));
  }
  // From the end, so that no edit shifts the cells of another.
  if (notebookEdits.length > 0) edit.set(notebook.uri, notebookEdits.reverse());
  return vscode.workspace.applyEdit(edit);
}

/**
 * A cell in the text of a notebook. `rest` is everything but its source; two cells with the same rest may be the same
 * cell.
 */
interface CellInText {
  readonly cell: PlacedCell;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly rest: string;
}

function cellsIn(text: string): CellInText[] | undefined {
  return readNotebook(text)?.cells.map((cell) => {
    const fields = JSON.parse(text.slice(cell.from, cell.to)) as Record<string, unknown>;
    const { source: _source, ...others } = fields;
    return { cell, fields, rest: inOrder(others) };
  });
}

/** Returns whether the editor shows the cells of the text. It picks up changes on disk with a delay. */
function showsCells(notebook: vscode.NotebookDocument, cells: readonly CellInText[]): boolean {
  const sources = notebook.getCells().map(({ document }) => document.getText().replaceAll('\r\n', '\n'));
  return sources.length === cells.length && sources.every((source, index) => source === cells[index]!.cell.source);
}

type CellChange =
  | { readonly kind: 'retype'; readonly index: number; readonly source: string }
  /** Replaces the cells [from, to). */
  | { readonly kind: 'replace'; readonly from: number; readonly to: number; readonly cells: readonly CellInText[] };

async function changesBetween(old: readonly CellInText[], now: readonly CellInText[]): Promise<CellChange[]> {
  const { diffArrays } = await import('diff');
  const parts = diffArrays([...old], [...now], {
    comparator: (one, other) => one.rest === other.rest && one.cell.source === other.cell.source,
  });
  const changes: CellChange[] = [];
  let [oldAt, nowAt] = [0, 0];
  let [oldFrom, nowFrom] = [0, 0];
  const closeBlock = (): void => {
    changes.push(...changesWithin(old, { from: oldFrom, to: oldAt }, now.slice(nowFrom, nowAt)));
  };
  for (const { added, removed, value } of parts) {
    if (!added && !removed) closeBlock();
    if (!added) oldAt += value.length;
    if (!removed) nowAt += value.length;
    if (!added && !removed) [oldFrom, nowFrom] = [oldAt, nowAt];
  }
  closeBlock();
  return changes;
}

/**
 * Returns the changes between two unchanged parts. A new cell with the same rest as an old one is that cell with
 * another source.
 */
function changesWithin(
  old: readonly CellInText[],
  range: { readonly from: number; readonly to: number },
  fresh: readonly CellInText[],
): CellChange[] {
  const changes: CellChange[] = [];
  let [from, cells] = [range.from, [] as CellInText[]];
  const replaceUpTo = (to: number): void => {
    if (to > from || cells.length > 0) changes.push({ kind: 'replace', from, to, cells });
    [from, cells] = [to, []];
  };
  for (const cell of fresh) {
    const same = old.slice(from, range.to).findIndex(({ rest }) => rest === cell.rest);
    if (same === -1) cells.push(cell);
    else {
      replaceUpTo(from + same);
      changes.push({ kind: 'retype', index: from, source: cell.cell.source });
      from++;
    }
  }
  replaceUpTo(range.to);
  return changes;
}

/** Returns everything in a notebook except its cells. */
function frameOf(text: string): string {
  const { cells: _cells, ...rest } = JSON.parse(text) as Record<string, unknown>;
  return inOrder(rest);
}

/** Returns JSON with sorted object keys, so that equal values have equal texts. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}

/** Replaces the text of a cell. The cell itself stays, with its outputs. */
function retype(edit: vscode.WorkspaceEdit, document: vscode.TextDocument, source: string): void {
  const whole = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
  edit.replace(document.uri, whole, source);
}

/**
 * Returns the language of the code cells, which new ones get. VS Code represents raw cells as code in the language
 * "raw".
 */
function languageOf(notebook: vscode.NotebookDocument): string {
  const languages = notebook
    .getCells()
    .filter(({ kind }) => kind === vscode.NotebookCellKind.Code)
    .map(({ document }) => document.languageId);
  return languages.find((language) => language !== rawLanguage) ?? 'python';
}

/** Returns a cell for VS Code, or undefined if it has outputs: only the notebook extension can convert those. */
function cellData({ cell, fields }: CellInText, language: string): vscode.NotebookCellData | undefined {
  if (cell.outputs.length > 0) return undefined;
  const { id, metadata, attachments } = fields;
  const isMarkdown = cell.kind === 'markdown';
  const kind = isMarkdown ? vscode.NotebookCellKind.Markup : vscode.NotebookCellKind.Code;
  const languages: Readonly<Record<string, string>> = { markdown: 'markdown', raw: rawLanguage };
  const data = new vscode.NotebookCellData(kind, cell.source, languages[cell.kind] ?? language);
  data.metadata = {
    ...(id !== undefined && { id }),
    metadata: metadata ?? {},
    ...(attachments !== undefined && { attachments }),
    ...(cell.kind === 'code' && { execution_count: null }),
  };
  return data;
}
