// What a message can point at, in a real editor.
import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import * as vscode from 'vscode';
import { Sessions } from '../../src/adapters/sessions';
import type { Found } from '../../src/core/context/contextPart';
import { mentionsIn } from '../../src/core/context/mentions';
import { contextSources, type ContextSources } from '../../src/extension/context/contextSources';
import { openEditor } from '../../src/extension/context/editorMentions';
import { mentionKinds } from '../../src/extension/context/mentionKinds';
import { TerminalOutputs } from '../../src/extension/context/terminalOutputs';
import { until, workspace } from './support/session';

describe('what a message points at', () => {
  const written = ['my notes.md', 'left-out.ts', '.agentignore', 'deep/plain.ts', '.env.mention'];
  const place = (name: string, text: string): string => {
    fs.mkdirSync(path.dirname(path.join(workspace(), name)), { recursive: true });
    fs.writeFileSync(path.join(workspace(), name), text);
    return path.join(workspace(), name);
  };
  let sources: ContextSources;
  let terminals: TerminalOutputs;
  const found = async (text: string): Promise<Found | undefined> => {
    const [mention] = mentionsIn(text);
    assert.ok(mention, `there is no mention in ${text}`);
    return mentionKinds[mention.kind].resolve(mention, sources);
  };

  before(() => {
    place('my notes.md', 'one\ntwo\nthree\nfour\n');
    place('left-out.ts', 'export const leftOutValue = 1;\n');
    place('.agentignore', 'left-out.ts\n');
    place('deep/plain.ts', 'export function plainFunction(): number {\n  return 1;\n}\n');
    place('.env.mention', 'TOKEN=hidden\n');
    terminals = new TerminalOutputs();
    sources = contextSources(new Sessions(path.join(workspace(), '.sessions-of-test')), terminals)!;
  });
  after(async () => {
    terminals.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const name of [...written, 'deep', '.sessions-of-test']) fs.rmSync(path.join(workspace(), name), { recursive: true, force: true });
  });

  it('is lines of a file with a blank in its name, as the editor holds them', async () => {
    const document = await vscode.workspace.openTextDocument(path.join(workspace(), 'my notes.md'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit(edit => edit.replace(new vscode.Range(1, 0, 1, 3), 'changed, not saved'));
    const { label, text, trust } = (await found('See @"my notes.md":2-3, please.'))!;
    assert.equal(label, '@"my notes.md":2-3: lines 2-3 of 4 of my notes.md');
    assert.deepEqual(text.split('\n').map(line => line.trim()), ['2\tchanged, not saved', '3\tthree']);
    assert.equal(trust, 'prose');
    await assert.rejects(found('@"my notes.md":9'), /has 4 lines, so there is no line 9/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('is a folder by its names, without what is left out', async () => {
    const { text } = (await found('@folder:.'))!;
    assert.match(text, /deep\/plain\.ts/);
    assert.doesNotMatch(text, /left-out\.ts/);
  });

  it('is nothing where a bare word only looks like a file, and an error where it cannot be meant otherwise', async () => {
    assert.equal(await found('@angular/core'), undefined);
    await assert.rejects(found('@"no such file"'), /There is no file/);
    await assert.rejects(found('@deep/missing.ts'), /There is no file/);
  });

  for (const [what, mention] of [['that .agentignore names', '@left-out.ts'], ['that usually holds secrets', '@.env.mention'], ['outside, above the folder', '@"../outside.txt"']] as const) {
    it(`is no file ${what}`, () => assert.rejects(found(mention), /agentignore|usually holds secrets|outside/));
  }

  it('is what is selected, and the chip tells of it, but not of a file that is left out', async () => {
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(path.join(workspace(), 'deep/plain.ts')));
    await assert.rejects(found('@selection'), /Nothing is selected/);
    editor.selection = new vscode.Selection(0, 7, 1, 4);
    assert.match((await found('@selection'))!.text, /1\texport function plainFunction[\s\S]*2\t {2}return 1;/);
    assert.equal(openEditor(sources)?.words, 'deep/plain.ts:1-2');
    const hidden = await vscode.window.showTextDocument(vscode.Uri.file(path.join(workspace(), 'left-out.ts')));
    hidden.selection = new vscode.Selection(0, 0, 0, 5);
    await assert.rejects(found('@selection'), /agentignore/);
    assert.equal(openEditor(sources), undefined);
  });

  it('is what the Problems panel lists, all or of one file, without what is left out', async () => {
    const problems = vscode.languages.createDiagnosticCollection('mention-test');
    const problem = (message: string) => [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), message)];
    problems.set(vscode.Uri.file(path.join(workspace(), 'deep/plain.ts')), problem('This is plainly wrong.'));
    problems.set(vscode.Uri.file(path.join(workspace(), 'left-out.ts')), problem('This is secretly wrong.'));
    try {
      for (const mention of ['@problems', '@problems:deep/plain.ts', '@problems:deep']) {
        const { text } = (await found(mention))!;
        assert.match(text, /deep\/plain\.ts:1:1 error.*This is plainly wrong\./);
        assert.doesNotMatch(text, /secretly/);
      }
      assert.equal((await found('@problems:left-out.ts'))!.text, 'There are none.');
    } finally {
      problems.dispose();
    }
  });

  it('is a function by its name, to its end', async function () {
    this.timeout(60_000);
    await vscode.window.showTextDocument(vscode.Uri.file(path.join(workspace(), 'deep/plain.ts')));
    const symbol = await until('the language server knows the function', () => found('@symbol:plainFunction').catch(() => undefined), 45);
    assert.match(symbol.text, /1\texport function plainFunction\(\): number \{\n.*2\t {2}return 1;\n.*3\t\}/);
    await assert.rejects(found('@symbol:leftOutValue'), /agentignore|No symbol/);
    assert.deepEqual((await mentionKinds.symbol.complete!('leftOutValue', sources)).map(({ label }) => label), []);
  });

  it('is a page as a person reads it, and nobody vouches for it', async () => {
    const server = http.createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<title>t</title><script>no()</script><h1>Hello</h1><p>to you</p>'));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    try {
      const { text, trust } = (await found(`@http://127.0.0.1:${(server.address() as AddressInfo).port}/page`))!;
      assert.match(text, /# Hello\n+to you/);
      assert.doesNotMatch(text, /no\(\)/);
      assert.equal(trust, 'others');
    } finally {
      server.close();
    }
  });

  it('is offered by name while it is typed, without what may not be read', async () => {
    const labels = async (query: string): Promise<string[]> => (await mentionKinds.file.complete!(query, sources)).map(({ insert }) => insert);
    assert.ok((await labels('my no')).includes('@"my notes.md"'));
    assert.deepEqual((await labels('left-out')).filter(name => name.includes('left-out.ts')), []);
    assert.deepEqual((await labels('env.men')).filter(name => name.includes('.env.mention')), []);
  });
});
