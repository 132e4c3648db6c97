import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Sessions } from '../../src/adapters/sessions/sessions';
import { contextSources, type ContextSources } from '../../src/extension/context/contextSources';
import { startersFor } from '../../src/extension/context/starters';
import { TerminalOutputs } from '../../src/extension/context/terminalOutputs';
import { workspace } from './support/session';

describe('suggested tasks', () => {
  let folder: string;
  let sources: ContextSources;
  const ends: vscode.Disposable[] = [];
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-starters-'));
    const terminals = new TerminalOutputs();
    ends.push(terminals);
    sources = contextSources(new Sessions(folder), terminals)!;
  });
  after(async () => {
    for (const end of ends) end.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('are found without searching all files if there are four without it', async () => {
    const file = path.join(workspace(), 'starters.txt');
    fs.writeFileSync(file, 'words\n');
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
    const collection = vscode.languages.createDiagnosticCollection('starters');
    ends.push(collection);
    let searches = 0;
    const from: ContextSources = {
      ...sources,
      names: () => Promise.resolve(['README.md', 'test/a.test.ts', 'starters.txt']),
      activeEditor: () => editor,
      fileWithTodo: () => {
        searches++;
        return Promise.resolve('starters.txt');
      },
    };
    const error = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), 'wrong', vscode.DiagnosticSeverity.Error);
    collection.set(editor.document.uri, [error]);
    assert.equal((await startersFor(from)).length, 4);
    assert.equal(searches, 0);
    await startersFor({ ...from, names: () => Promise.resolve(['starters.txt']), activeEditor: () => undefined });
    assert.equal(searches, 1);
  });

  it('search a folder for a comment only once, not each time a panel is shown', async () => {
    const file = path.join(workspace(), 'starters-todo.ts');
    fs.writeFileSync(file, '// TODO: first\n');
    const found = await sources.fileWithTodo();
    assert.notEqual(found, undefined);
    fs.rmSync(file);
    // Another search would not find that file again.
    assert.equal(sources.fileWithTodo(), sources.fileWithTodo());
    assert.equal(await sources.fileWithTodo(), found);
  });
});
