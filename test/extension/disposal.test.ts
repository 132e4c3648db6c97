import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { undisposed } from './support/registrations';

const folder = path.join(process.env.REPOSITORY!, 'src/extension');

describe('registrations of the extension', () => {
  it('are disposed with their owner', () => {
    const texts = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => ({ file, text: fs.readFileSync(path.join(folder, file), 'utf8') }));
    assert.ok(texts.length > 100);
    assert.deepEqual(undisposed(texts), []);
  });

  const leaks: Readonly<Record<string, string>> = {
    'a listener whose disposable is dropped': 'vscode.workspace.onDidSaveTextDocument(() => undefined);',
    'a listener on another part': 'function f(skills) { skills.onDidChange(() => undefined); }',
    'an emitter of a class without dispose': 'class A { private readonly changes = new vscode.EventEmitter<void>(); }',
    'a registration that dispose misses':
      'class A { private readonly a = vscode.lm.registerTool("a", {}); dispose() { this.b.dispose(); } }',
    'a local object that is never disposed':
      'function f() { const view = vscode.window.createTreeView("a", {}); view.badge = 1; }',
    'a part that its owner keeps and never disposes':
      'class Part { dispose() {} } class Whole { readonly part = new Part(); dispose() {} }',
    'a list that is never emptied':
      'class A { private readonly all = []; constructor() { this.all.push(vscode.lm.registerTool("a", {})); } }',
  };
  for (const [what, text] of Object.entries(leaks))
    it(`are reported if they leak: ${what}`, () => {
      assert.equal(undisposed([{ file: 'leak.ts', text }]).length, 1);
    });

  const kept: Readonly<Record<string, string>> = {
    'in a list':
      'class A { private readonly all = [vscode.lm.registerTool("a", {})]; dispose() { for (const one of this.all) one.dispose(); } }',
    'by its caller': 'const f = () => vscode.lm.registerTool("a", {});',
    'in a disposable store':
      'function f() { const a = vscode.lm.registerTool("a", {}); return vscode.Disposable.from(a, vscode.workspace.onDidSaveTextDocument(g)); }',
    'until it is no longer needed':
      'async function f() { const a = vscode.workspace.onDidSaveTextDocument(g); await h(); a.dispose(); }',
  };
  for (const [where, text] of Object.entries(kept))
    it(`are not reported if they are kept ${where}`, () => {
      assert.deepEqual(undisposed([{ file: 'kept.ts', text }]), []);
    });
});
