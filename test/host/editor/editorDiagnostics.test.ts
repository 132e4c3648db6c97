import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { createWorkspacePaths } from '../../../src/adapters/files/workspacePaths';
import type { Diagnostics, NewProblems } from '../../../src/core/ports/diagnostics';
import type { Files } from '../../../src/core/ports/files';
import { editorDiagnostics } from '../../../src/extension/editor/editorDiagnostics';
import type { AnsweringServices } from '../../../src/extension/editor/languageAnswers';
import { editorFiles } from '../../../src/extension/editor/editorFiles';
import { until, workspace } from '../support/session';

/** Starts a language service that reports one word, a moment after it was written. */
function startMinding(delay: () => number): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('minding');
  const timers = new Set<NodeJS.Timeout>();
  const look = (document: vscode.TextDocument): void => {
    if (!document.uri.path.endsWith('.minded')) return;
    const found = document
      .getText()
      .split('\n')
      .flatMap((line, at) =>
        line.includes('oops')
          ? [
              new vscode.Diagnostic(
                new vscode.Range(at, line.indexOf('oops'), at, line.length),
                line.includes('twice') ? `It said oops before, at line ${at}.` : `"${line}" says oops.`,
              ),
            ]
          : [],
      );
    const timer = setTimeout(() => {
      timers.delete(timer);
      collection.set(document.uri, found);
    }, delay());
    timers.add(timer);
  };
  return vscode.Disposable.from(
    collection,
    { dispose: () => timers.forEach(clearTimeout) },
    vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
    vscode.workspace.onDidOpenTextDocument(look),
  );
}

describe('diagnostics after an edit', function () {
  this.timeout(180_000);
  let files: Files;
  let diagnostics: Diagnostics;
  let service: vscode.Disposable;
  let delay = 100;
  const name = 'diagnostics/a.minded';

  async function edit(
    text: string,
    signal = new AbortController().signal,
    from = { name, files, diagnostics },
  ): Promise<NewProblems> {
    const { name, files, diagnostics } = from;
    const watch = diagnostics.watch();
    try {
      const { version } = await files.read(name);
      await files.write([{ path: name, text, expected: version }]);
      return await watch.since([name], signal);
    } finally {
      watch.dispose();
    }
  }

  const services: AnsweringServices = new Map();
  /** On a busy machine a service takes longer than a user would wait. */
  const patience = { first: 1500, quiet: 300, most: 4000, silent: 200, end: 4000 };
  before(async () => {
    fs.mkdirSync(path.join(workspace(), 'diagnostics'), { recursive: true });
    fs.writeFileSync(path.join(workspace(), name), 'fine\noops already\n');
    const paths = createWorkspacePaths([workspace()]);
    files = editorFiles(paths, diskFiles({ folders: [workspace()] }));
    diagnostics = editorDiagnostics(paths, services, patience);
    service = startMinding(() => delay);
    await vscode.workspace.openTextDocument(path.join(workspace(), name));
    const uri = vscode.Uri.file(path.join(workspace(), name));
    await until('the problems of the open file', () => vscode.languages.getDiagnostics(uri).length > 0);
  });
  after(() => service.dispose());

  it('contain only new problems, not those that moved', async () => {
    assert.deepEqual(await edit('one more\nfine\noops already\nnow oops too\n'), {
      lines: [`${name}:4:5 error: "now oops too" says oops.`],
      more: 0,
      gone: 0,
    });
  });

  it('count resolved problems', async () => {
    assert.deepEqual(await edit('fine\nnow oops too\n'), { lines: [], more: 0, gone: 1 });
  });

  it('are empty if no problem was added or removed', async () => {
    assert.deepEqual(await edit('fine again\nnow oops too\n'), { lines: [], more: 0, gone: 0 });
  });

  it('list a few of many problems', async () => {
    const { lines, more } = await edit(Array.from({ length: 50 }, (_, line) => `oops ${line}`).join('\n'));
    assert.deepEqual([lines.length, more], [20, 30]);
  });

  it('are not new if only a place mentioned in the message changed', async () => {
    await edit('oops twice\n');
    assert.deepEqual(await edit('fine\nfine\noops twice\n'), { lines: [], more: 0, gone: 0 });
  });

  it('contain only the new problem of a file with thousands', async () => {
    const many = Array.from({ length: 3000 }, (_, line) => `oops ${line}`);
    await edit(many.join('\n'));
    assert.deepEqual(await edit(['oops first', ...many].join('\n')), {
      lines: [`${name}:1:1 error: "oops first" says oops.`],
      more: 0,
      gone: 0,
    });
  });

  it('are reported with the next edit if they come too late', async () => {
    await edit('fine\n');
    delay = 6_000; // longer than any wait
    assert.deepEqual((await edit('oops late\n')).lines, []);
    await until(
      'what the service says',
      () => vscode.languages.getDiagnostics(vscode.Uri.file(path.join(workspace(), name))).length > 0,
    );
    delay = 100;
    assert.deepEqual((await edit('oops late\noops again\n')).lines, [
      `${name}:1:1 error: "oops late" says oops.`,
      `${name}:2:1 error: "oops again" says oops.`,
    ]);
    assert.deepEqual((await edit('oops late\noops again\nfine\n')).lines, []);
  });

  it('are reported once with a later result if they come too late', async () => {
    await edit('fine\n');
    const { signal } = new AbortController();
    assert.equal(await diagnostics.late!({ atEnd: false }, signal), undefined);
    delay = 6_000;
    assert.deepEqual((await edit('oops later\n')).lines, []);
    await until(
      'what the service says',
      () => vscode.languages.getDiagnostics(vscode.Uri.file(path.join(workspace(), name))).length > 0,
    );
    delay = 100;
    assert.deepEqual((await diagnostics.late!({ atEnd: false }, signal))?.lines, [
      `${name}:1:1 error: "oops later" says oops.`,
    ]);
    assert.equal(await diagnostics.late!({ atEnd: true }, signal), undefined);
  });

  it('name files of another workspace folder as tools do', async () => {
    const folders = ['diagnostics', 'second'].map((folder) => path.join(workspace(), folder));
    fs.mkdirSync(folders[1]!, { recursive: true });
    fs.writeFileSync(path.join(folders[1]!, 'b.minded'), 'fine\n');
    const paths = createWorkspacePaths(folders);
    const from = {
      name: 'second/b.minded',
      files: editorFiles(paths, diskFiles({ folders })),
      diagnostics: editorDiagnostics(paths, services, patience),
    };
    assert.deepEqual((await edit('oops there\n', undefined, from)).lines, [
      'second/b.minded:1:1 error: "oops there" says oops.',
    ]);
  });

  it('are not waited for after the service was slow, until it is fast again', async () => {
    const spoken = 'diagnostics/c.spoken';
    const file = path.join(workspace(), spoken);
    fs.writeFileSync(file, 'fine\n');
    const collection = vscode.languages.createDiagnosticCollection('spoken');
    const problems: vscode.Diagnostic[] = [];
    const uri = vscode.Uri.file(file);
    /** Resolves once all listeners were notified. */
    const say = (words: string): Promise<void> => {
      problems.push(new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), words));
      return new Promise((resolve) => {
        const listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
          if (!uris.some((each) => each.toString() === uri.toString())) return;
          listening.dispose();
          resolve();
        });
        collection.set(uri, [...problems]);
      });
    };
    const paths = createWorkspacePaths([workspace()]);
    const slow: AnsweringServices = new Map();
    const waiting = (ms: number) => {
      const diagnostics = editorDiagnostics(paths, slow, { first: ms, quiet: 10, most: ms, silent: 0, end: 0 });
      return { name: spoken, files, diagnostics };
    };
    const { signal } = new AbortController();
    const lateOf = async ({ diagnostics: { late } }: { diagnostics: Diagnostics }) =>
      (await late!({ atEnd: false }, signal))?.lines;
    try {
      const hasty = waiting(50);
      for (const words of ['one', 'two']) {
        assert.deepEqual((await edit(`${words}\n`, signal, hasty)).lines, []);
        await say(words);
        assert.deepEqual(await lateOf(hasty), [`${spoken}:1:1 error: ${words}`]);
      }
      // An edit that waited for diagnostics at this point would exceed the timeout of this test.
      const patient = waiting(10 * 60_000);
      assert.deepEqual((await edit('three\n', signal, patient)).lines, []);
      await say('three');
      assert.deepEqual(await lateOf(patient), [`${spoken}:1:1 error: three`]);
      // The answer came in time to be waited for, so the next edit waits.
      await until('the service to count as fast', () => [...slow.values()].some(({ late }) => late === 0));
      const edited = edit('four\n', signal, patient);
      await until('the file to be written', () => fs.readFileSync(file, 'utf8') === 'four\n');
      await say('four');
      assert.deepEqual((await edited).lines, [`${spoken}:1:1 error: four`]);
      // The diagnostics may have been about the previous edit, so later ones are reported as well.
      await say('five');
      assert.deepEqual(await lateOf(patient), [`${spoken}:1:1 error: five`]);
      assert.equal(await lateOf(patient), undefined);
    } finally {
      collection.dispose();
    }
  });

  it('are not waited for after a stop', async () => {
    const stop = new AbortController();
    stop.abort();
    assert.deepEqual((await edit('fine\n', stop.signal)).lines, []);
  });
});
