import * as vscode from 'vscode';
import { readNotebook, type PlacedCell } from '../../core/tools/notebook/notebookCells';
import { editorUri } from './editorUri';

/** The API of VS Code's own notebook extension: it returns what it would save. */
interface NotebookExtension {
  exportNotebook?(notebook: vscode.NotebookData): Promise<string>;
}

const notebookExtension = 'vscode.ipynb';
const jupyter = 'jupyter-notebook';
/** The language of cells that are neither code nor Markdown. */
const rawLanguage = 'raw';

/** The Jupyter notebook that an editor of this window holds for a file; undefined where none does. */
export function openNotebookAt(absolute: string): vscode.NotebookDocument | undefined {
  const { fsPath } = editorUri(absolute);
  return vscode.workspace.notebookDocuments.find(
    ({ uri, isClosed, notebookType }) =>
      !isClosed && notebookType === jupyter && uri.scheme === 'file' && uri.fsPath === fsPath,
  );
}

/** The text that saving the notebook now would write; undefined where nobody can tell. */
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
 * Makes the cells of an open notebook those of `after`, as a person would: cells that stay keep their outputs, and the
 * editor can undo it. `before` is the text that the notebook holds. Undefined where the texts differ in more than cells
 * can say, or the editor holds other cells; then nothing is changed.
 */
export async function editOpenNotebook(
  notebook: vscode.NotebookDocument,
  before: string,
  after: string,
): Promise<boolean | undefined> {
  const [old, now] = [cellsIn(before), cellsIn(after)];
  if (!old || !now || frameOf(before) !== frameOf(after) || !holds(notebook, old)) return undefined;
  const language = languageOf(notebook);
  const edit = new vscode.WorkspaceEdit();
  const notebookEdits: vscode.NotebookEdit[] = [];
  for (const change of await changesBetween(old, now)) {
    if (change.kind === 'retype') {
      retype(edit, notebook.cellAt(change.at).document, change.source);
      continue;
    }
    const cells = change.cells.map((cell) => cellData(cell, language));
    const made = cells.filter((cell) => cell !== undefined);
    if (made.length < cells.length) return undefined;
    notebookEdits.push(vscode.NotebookEdit.replaceCells(new vscode.NotebookRange(change.from, change.to), made));
  }
  // From the end on, so that no edit moves the cells of another one.
  if (notebookEdits.length > 0) edit.set(notebook.uri, notebookEdits.reverse());
  return vscode.workspace.applyEdit(edit);
}

/** A cell of a text; `rest` is all of it but its source, and two cells with the same rest may be the same cell. */
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

/** Whether the editor shows the cells of the text: it follows a file that others write a moment later. */
function holds(notebook: vscode.NotebookDocument, cells: readonly CellInText[]): boolean {
  const sources = notebook.getCells().map(({ document }) => document.getText().replaceAll('\r\n', '\n'));
  return sources.length === cells.length && sources.every((source, index) => source === cells[index]!.cell.source);
}

type CellChange =
  | { readonly kind: 'retype'; readonly at: number; readonly source: string }
  /** The cells [from, to) give way to others. */
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

/** Between cells that are equal: a new cell whose rest is that of an old one is that cell, with another text. */
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
      changes.push({ kind: 'retype', at: from, source: cell.cell.source });
      from++;
    }
  }
  replaceUpTo(range.to);
  return changes;
}

/** All that a notebook says beside its cells. */
function frameOf(text: string): string {
  const { cells: _cells, ...rest } = JSON.parse(text) as Record<string, unknown>;
  return inOrder(rest);
}

/** JSON with the names of every object in order, so that equal values have equal texts. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}

/** As typing does: the cell stays the one that it is, with its outputs. */
function retype(edit: vscode.WorkspaceEdit, document: vscode.TextDocument, source: string): void {
  const whole = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
  edit.replace(document.uri, whole, source);
}

/** The language of the code cells, which a new one gets. VS Code holds raw cells as code in a language "raw". */
function languageOf(notebook: vscode.NotebookDocument): string {
  const languages = notebook
    .getCells()
    .filter(({ kind }) => kind === vscode.NotebookCellKind.Code)
    .map(({ document }) => document.languageId);
  return languages.find((language) => language !== rawLanguage) ?? 'python';
}

/** A cell as VS Code holds it; undefined for one with outputs, which only its own reader can give it. */
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
