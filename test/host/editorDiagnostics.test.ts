import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { diskFiles } from '../../src/adapters/diskFiles';
import { createWorkspacePaths } from '../../src/adapters/workspacePaths';
import type { Diagnostics, Files, NewProblems } from '../../src/core/tools/environment';
import { editorDiagnostics } from '../../src/extension/editorDiagnostics';
import { editorFiles } from '../../src/extension/editorFiles';
import { pause, workspace } from './support/session';

/** A language service that minds one word, a moment after it was written. */
function startMinding(): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('minding');
  const timers = new Set<NodeJS.Timeout>();
  const look = (document: vscode.TextDocument): void => {
    if (!document.uri.path.endsWith('.minded')) return;
    const found = document.getText().split('\n').flatMap((line, at) => (line.includes('oops') ? [new vscode.Diagnostic(new vscode.Range(at, line.indexOf('oops'), at, line.length), `"${line}" says oops.`)] : []));
    const timer = setTimeout(() => { timers.delete(timer); collection.set(document.uri, found); }, 100);
    timers.add(timer);
  };
  return vscode.Disposable.from(collection, { dispose: () => timers.forEach(clearTimeout) }, vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)), vscode.workspace.onDidOpenTextDocument(look));
}

describe('what language services say after an edit', function () {
  this.timeout(60_000);
  let files: Files;
  let diagnostics: Diagnostics;
  let service: vscode.Disposable;
  const name = 'diagnostics/a.minded';

  async function edit(text: string, signal = new AbortController().signal): Promise<NewProblems> {
    const watch = diagnostics.watch();
    try {
      const { version } = await files.read(name);
      await files.write([{ path: name, text, expected: version }]);
      return await watch.since([name], signal);
    } finally {
      watch.dispose();
    }
  }

  before(async () => {
    fs.mkdirSync(path.join(workspace(), 'diagnostics'), { recursive: true });
    fs.writeFileSync(path.join(workspace(), name), 'fine\noops already\n');
    const paths = createWorkspacePaths([workspace()]);
    files = editorFiles(paths, diskFiles({ folders: [workspace()] }));
    diagnostics = editorDiagnostics(paths);
    service = startMinding();
    await vscode.workspace.openTextDocument(path.join(workspace(), name));
    await pause(400);
  });
  after(() => service.dispose());

  it('is what is new, with its place, and not what was there before and only moved', async () => {
    assert.deepEqual(await edit('one more\nfine\noops already\nnow oops too\n'), { lines: [`${name}:4:5 error: "now oops too" says oops.`], more: 0, gone: 0 });
  });

  it('is also that something is gone', async () => {
    assert.deepEqual(await edit('fine\nnow oops too\n'), { lines: [], more: 0, gone: 1 });
  });

  it('is nothing where nothing changed for the better or worse', async () => {
    assert.deepEqual(await edit('fine again\nnow oops too\n'), { lines: [], more: 0, gone: 0 });
  });

  it('names a few of many', async () => {
    const { lines, more } = await edit(Array.from({ length: 50 }, (_, line) => `oops ${line}`).join('\n'));
    assert.deepEqual([lines.length, more], [20, 30]);
  });

  it('is not waited for after a stop', async () => {
    const stop = new AbortController();
    stop.abort();
    assert.deepEqual((await edit('fine\n', stop.signal)).lines, []);
  });
});
