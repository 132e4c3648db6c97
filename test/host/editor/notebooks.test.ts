import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { createWorkspacePaths } from '../../../src/adapters/files/workspacePaths';
import { FileProblem, type Files } from '../../../src/core/ports/files';
import type { Environment } from '../../../src/core/ports/environment';
import type { ToolContext, ToolResult } from '../../../src/core/ports/tool';
import { editNotebook } from '../../../src/core/tools/native/editNotebook';
import { editorFiles } from '../../../src/extension/editor/editorFiles';
import { until, workspace } from '../support/session';

const outputs = [{ name: 'stdout', output_type: 'stream', text: ['printed\n'] }];

/** A notebook formatted as VS Code writes it, so that saving changes only the cells. */
const notebook = (sources: readonly string[]): string => {
  const cells = sources.map((source, index) => ({
    cell_type: 'code',
    execution_count: null,
    id: `given-${index}`,
    metadata: {},
    outputs,
    source: source.split(/(?<=\n)/),
  }));
  const metadata = { language_info: { name: 'python' } };
  return `${JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }, undefined, 1)}\n`;
};

interface SavedCell {
  readonly id: string;
  readonly source: readonly string[];
  readonly outputs: readonly unknown[];
}

describe('notebooks through the editor', () => {
  let files: Files;
  /** A separate file for each test, because VS Code closes a notebook a moment after its editor. */
  let name = '';
  let tests = 0;
  const at = (): string => path.join(workspace(), name);
  const saved = (): SavedCell[] => (JSON.parse(fs.readFileSync(at(), 'utf8')) as { cells: SavedCell[] }).cells;
  const sources = (cells: readonly SavedCell[]): string[] => cells.map(({ source }) => source.join(''));

  before(() => {
    fs.mkdirSync(path.join(workspace(), 'notebooks'), { recursive: true });
    const folders = [workspace()];
    files = editorFiles(createWorkspacePaths(folders), diskFiles({ folders }));
  });
  beforeEach(() => {
    tests++;
    name = `notebooks/${tests}.ipynb`;
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const open = async (cells: readonly string[]): Promise<vscode.NotebookDocument> => {
    fs.writeFileSync(at(), notebook(cells));
    const document = await vscode.workspace.openNotebookDocument(vscode.Uri.file(at()));
    await vscode.window.showNotebookDocument(document);
    return document;
  };

  /** Types into a cell without saving. */
  const type = async (document: vscode.NotebookDocument, cell: number, text: string): Promise<void> => {
    const typed = new vscode.WorkspaceEdit();
    typed.insert(document.cellAt(cell).document.uri, new vscode.Position(0, 0), text);
    assert.ok(await vscode.workspace.applyEdit(typed));
    await until('unsaved changes', () => document.isDirty);
  };

  /** Makes the agent edit a notebook that it has just read. */
  const edit = async (...edits: object[]): Promise<ToolResult> => {
    const { version } = await files.read(name);
    const context: ToolContext = {
      environment: { root: workspace(), files } as Environment,
      signal: new AbortController().signal,
      progress: () => undefined,
      versionSeen: () => version,
    };
    return editNotebook.bind({ path: name, edits }).run(context);
  };

  it('an unsaved notebook is read from its editor, and typed text survives an edit of a cell', async () => {
    const document = await open(['one', 'two', 'three']);
    await type(document, 0, 'typed_');
    const { text } = await files.read(name);
    assert.deepEqual(sources((JSON.parse(text) as { cells: SavedCell[] }).cells), ['typed_one', 'two', 'three']);
    const { failed, content } = await edit({ cell: 2, do: 'replace', source: 'TWO\nmore' });
    assert.equal(failed, undefined, content);
    assert.deepEqual(sources(saved()), ['typed_one', 'TWO\nmore', 'three']);
    assert.equal(document.isDirty, false);
    assert.equal(document.cellAt(1).document.getText(), 'TWO\nmore');
  });

  it('unchanged cells keep their identity and outputs, and the focus stays', async () => {
    const document = await open(['one', 'two', 'three']);
    const [first, , third] = document.getCells();
    const editor = vscode.window.activeNotebookEditor;
    await edit(
      { cell: 0, do: 'insert', source: '# begin', type: 'markdown' },
      { cell: 1, do: 'replace', source: 'ONE' },
      { cell: 2, do: 'delete' },
      { cell: 3, do: 'insert', source: 'four' },
    );
    assert.deepEqual(sources(saved()), ['# begin', 'ONE', 'three', 'four']);
    assert.deepEqual(
      saved().map((cell) => cell.outputs),
      [undefined, outputs, outputs, []],
    );
    assert.equal(document.cellAt(1), first);
    assert.equal(document.cellAt(2), third);
    assert.equal(vscode.window.activeNotebookEditor, editor);
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 1);
  });

  it('a code cell inserted into a notebook that starts with a raw cell is code', async () => {
    const front = { cell_type: 'raw', id: 'front', metadata: {}, source: ['title: x'] };
    const whole = JSON.parse(notebook(['one'])) as { cells: object[] };
    whole.cells.unshift(front);
    fs.writeFileSync(at(), `${JSON.stringify(whole, undefined, 1)}\n`);
    const document = await vscode.workspace.openNotebookDocument(vscode.Uri.file(at()));
    await vscode.window.showNotebookDocument(document);
    const { failed, content } = await edit({ cell: 2, do: 'insert', source: 'x = 1' });
    assert.equal(failed, undefined, content);
    const cells = saved() as unknown as { readonly cell_type: string }[];
    assert.deepEqual(
      cells.map((cell) => cell.cell_type),
      ['raw', 'code', 'code'],
    );
  });

  it('saving an edit of a notebook written by VS Code changes only the edited lines', async () => {
    await open(['one', 'two']);
    await edit({ cell: 2, do: 'replace', source: 'TWO' });
    assert.equal(fs.readFileSync(at(), 'utf8'), notebook(['one', 'TWO']));
  });

  it('a notebook that is not open is changed on disk, byte for byte', async () => {
    const before = notebook(['one', 'two']).replaceAll('\n ', '\n    ').trimEnd();
    fs.writeFileSync(at(), before);
    await edit({ cell: 1, do: 'replace', source: 'ONE' });
    assert.equal(fs.readFileSync(at(), 'utf8'), before.replace('"one"', '"ONE"'));
  });

  it('a change outside the cells is refused if the notebook has unsaved changes', async () => {
    const document = await open(['one']);
    await type(document, 0, 'typed_');
    const { text, version } = await files.read(name);
    const other = text.replace('"python"', '"julia"');
    assert.notEqual(other, text);
    await assert.rejects(files.write([{ path: name, text: other, expected: version }]), (thrown) => {
      assert.ok(thrown instanceof FileProblem);
      assert.match(thrown.message, /unsaved changes, and the edit changes more than its cells/);
      return true;
    });
    assert.deepEqual(sources(saved()), ['one']);
    assert.equal(document.cellAt(0).document.getText(), 'typed_one');
  });

  it('a change outside the cells reaches the editor if there are no unsaved changes', async () => {
    const document = await open(['one']);
    const { text, version } = await files.read(name);
    await files.write([{ path: name, text: text.replace('"given-0"', '"other-0"'), expected: version }]);
    assert.deepEqual(
      saved().map(({ id }) => id),
      ['other-0'],
    );
    assert.deepEqual(sources(saved()), ['one']);
    assert.equal(document.isDirty, false);
  });
});
