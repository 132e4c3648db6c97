import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { createWorkspacePaths } from '../../../src/adapters/files/workspacePaths';
import type { CodeServices } from '../../../src/core/ports/codeServices';
import type { Environment } from '../../../src/core/ports/environment';
import type { Files } from '../../../src/core/ports/files';
import type { Tool, ToolResult } from '../../../src/core/ports/tool';
import { editPreview } from '../../../src/core/tools/files/editPreview';
import { applyCodeAction, renameSymbol } from '../../../src/core/tools/editor/codeChanges';
import { diagnostics } from '../../../src/core/tools/editor/diagnostics';
import { documentSymbols, findReferences, goToDefinition } from '../../../src/core/tools/editor/navigation';
import { editorCode } from '../../../src/extension/editor/editorCode';
import { editorFiles } from '../../../src/extension/editor/editorFiles';
import { until, workspace } from '../support/session';

const sources: Readonly<Record<string, string>> = {
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "noUnusedLocals": true }, "include": ["*.ts"] }\n',
  'sum.ts': 'export function total(prices: number[]): number {\n  return prices.reduce((a, b) => a + b, 0);\n}\n',
  'shop.ts':
    "import { total } from './sum';\n\nexport class Shop {\n  prices = [1, 2];\n  bill(): number {\n    return total(this.prices);\n  }\n}\n",
  'bill.ts': "import { total } from './sum';\r\nconsole.log(total([3]));\r\n",
  'notes.unknown': 'total of all\n',
};

describe('the language services of the editor', function () {
  this.timeout(120_000);
  let files: Files;
  let code: CodeServices;
  const at = (name: string) => path.join(workspace(), 'editor-code', name);
  const named = (name: string) => `editor-code/${name}`;
  const signal = new AbortController().signal;
  const environment = (): Environment => ({ root: workspace(), files, code }) as Partial<Environment> as Environment;
  const use = (tool: Tool, input: object): Promise<ToolResult> =>
    tool.bind(input).run({ environment: environment(), signal, progress() {}, versionSeen: () => undefined });
  const place = { path: named('sum.ts'), line: 1, symbol: 'total' };

  before(async () => {
    fs.mkdirSync(at('.'), { recursive: true });
    for (const [name, text] of Object.entries(sources)) fs.writeFileSync(at(name), text);
    const folders = [workspace()];
    const paths = createWorkspacePaths(folders);
    files = editorFiles(paths, diskFiles({ folders }));
    code = editorCode(paths, files);
    // TypeScript's service loads the project on the first request.
    await until('the project', async () => (await code.references(place, signal).catch(() => [])).length >= 5, 90);
  });
  after(() => fs.rmSync(at('.'), { recursive: true, force: true }));

  it('find every use of a name, as paths and lines', async () => {
    const { content, details } = await use(findReferences, place);
    assert.equal(
      content,
      [
        named('bill.ts'),
        "    1\timport { total } from './sum';",
        '    2\tconsole.log(total([3]));',
        named('shop.ts'),
        "    1\timport { total } from './sum';",
        '    6\t    return total(this.prices);',
        named('sum.ts'),
        '    1\texport function total(prices: number[]): number {',
      ].join('\n'),
    );
    assert.ok(details?.kind === 'search' && details.files === 3 && details.matches === 5);
  });

  it('find the declaration of a name, even outside the workspace', async () => {
    const inside = await use(goToDefinition, { path: named('shop.ts'), line: 6, symbol: 'total' });
    assert.match(inside.content, /^editor-code\/sum\.ts\n {4}1\t/);
    const outside = await use(goToDefinition, { path: named('sum.ts'), line: 2, symbol: 'reduce' });
    assert.match(outside.content, /lib\.es5\.d\.ts \(outside the workspace\)/);
  });

  it('return the outline of a file', async () => {
    const { content } = await use(documentSymbols, { path: named('shop.ts') });
    assert.deepEqual(
      content.split('\n'),
      ['class Shop (3-8)', '  method bill (5-7)', '  property prices (4)'].sort(
        (a, b) => content.indexOf(a) - content.indexOf(b),
      ),
    );
  });

  it('rename a symbol in all files as one change with a preview', async () => {
    const call = renameSymbol.bind({ ...place, new_name: 'sumOf' });
    const touched = await call.findTouches!(environment(), signal);
    assert.deepEqual([...touched.writes!].sort(), ['bill.ts', 'shop.ts', 'sum.ts'].map(named));
    const preview = await editPreview(renameSymbol, call, environment(), { versionSeen: () => undefined });
    assert.ok(preview && 'changes' in preview);
    assert.equal(preview.changes.length, 3);
    assert.equal(fs.readFileSync(at('sum.ts'), 'utf8'), sources['sum.ts'], 'a look changes nothing');

    const { content, details } = await use(renameSymbol, { ...place, new_name: 'sumOf' });
    assert.match(content, /^Renamed total to sumOf in 3 files/);
    assert.ok(details?.kind === 'edit' && details.changes.length === 3);
    for (const name of ['sum.ts', 'shop.ts', 'bill.ts'])
      assert.equal(fs.readFileSync(at(name), 'utf8'), sources[name]!.replaceAll('total', 'sumOf'), name);
  });

  it('report problems of a file and apply a quick fix', async () => {
    fs.writeFileSync(at('broken.ts'), 'export const area = sumOf([1]);\n');
    const uri = vscode.Uri.file(at('broken.ts'));
    await vscode.window.showTextDocument(uri, { preserveFocus: true });
    await until('what is wrong', () => vscode.languages.getDiagnostics(uri).length > 0, 60);
    const { content } = await use(diagnostics, { path: named('broken.ts') });
    assert.match(
      content,
      /^1 errors, 0 warnings\neditor-code\/broken\.ts:1:21 error ts\(2304\): Cannot find name 'sumOf'/,
    );

    const lines = { path: named('broken.ts'), line: 1 };
    const offered = await until(
      'the quick fix',
      async () => {
        const listed = (await use(applyCodeAction, lines)).content;
        return /^(Add import from "\.\/sum") \(quickfix/m.exec(listed)?.[1];
      },
      60,
    );
    const result = await use(applyCodeAction, { ...lines, title: offered });
    assert.match(result.content, /^Applied "Add import from/);
    assert.match(fs.readFileSync(at('broken.ts'), 'utf8'), /^import \{ sumOf \} from ["']\.\/sum["'];/);
    await assert.rejects(use(applyCodeAction, { ...lines, title: 'Nothing like it' }), /offers no action/);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('say that no extension serves a language, or that a name is not in the line', async () => {
    const unserved = { path: named('notes.unknown'), line: 1, symbol: 'total' };
    for (const [tool, input] of [
      [findReferences, unserved],
      [goToDefinition, unserved],
      [documentSymbols, { path: unserved.path }],
      [renameSymbol, { ...unserved, new_name: 'sum' }],
      [applyCodeAction, { path: unserved.path, line: 1 }],
    ] as const)
      await assert.rejects(use(tool, input), /no extension supports this kind of file|was not renamed: /i, tool.name);
    assert.match((await use(diagnostics, { path: unserved.path })).content, /shows no problems/);
    await assert.rejects(
      use(findReferences, { path: named('sum.ts'), line: 2, symbol: 'number' }),
      /"number" is not in line 2 of .*, but in line 1\./,
    );
    await assert.rejects(use(findReferences, { path: '../x.ts', line: 1, symbol: 'x' }), /outside the workspace/);
  });

  it('change no protected file', async () => {
    const guarded = { path: '.vscode/settings.json', text: '{}', expected: null };
    code = { ...code, rename: async () => [guarded] };
    const { failed, content } = await use(renameSymbol, { ...place, new_name: 'x' });
    assert.equal(failed, true);
    assert.match(content, /^Nothing was changed\. It would change \.vscode\/settings\.json/);
  });
});
