// Editor features for writing skills and instruction files, requested the way VS Code does.
import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { until, workspace } from '../support/session';

describe('an instruction file in the editor', function () {
  this.timeout(180_000);
  const made: string[] = [];
  before(() => vscode.extensions.getExtension('waymark.waymark')!.activate());
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const file of made.splice(0)) fs.rmSync(file, { force: true, recursive: true });
  });

  async function opened(file: string, text: string): Promise<vscode.TextDocument> {
    const place = path.join(workspace(), file);
    made.push(place);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.writeFileSync(place, text);
    const document = await vscode.workspace.openTextDocument(place);
    await vscode.window.showTextDocument(document);
    return document;
  }
  const told = ({ uri }: vscode.TextDocument): string[] =>
    vscode.languages
      .getDiagnostics(uri)
      .filter(({ source }) => source === 'Waymark')
      .map(({ code, range: { start } }) => `${String(code)} ${start.line + 1}:${start.character + 1}`);
  const labelOf = ({ label }: vscode.CompletionItem): string => (typeof label === 'string' ? label : label.label);
  const offered = async (
    { uri }: vscode.TextDocument,
    line: number,
    column: number,
  ): Promise<vscode.CompletionItem[]> =>
    (
      await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        uri,
        new vscode.Position(line, column),
      )
    ).items;

  it('is Markdown even if its name ends with .agent', async () => {
    assert.equal((await opened('one.agent', '# One')).languageId, 'markdown');
  });

  it('gets completions for its fields and their values', async () => {
    const document = await opened(
      '.agent/agents/helped.md',
      '---\r\nname: helped\r\nto\r\nconfirmation: \r\n---\r\nlimits\r\n',
    );
    const items = await until('the fields', async () => {
      const found = await offered(document, 2, 2);
      return found.some((item) => labelOf(item) === 'tools') && found;
    });
    assert.deepEqual(
      ['limits', 'name', 'confirmation', 'paths'].map((name) => items.some((item) => labelOf(item) === name)),
      [true, false, false, false],
    );
    const { insertText, range } = items.find((item) => labelOf(item) === 'tools')!;
    assert.match(insertText instanceof vscode.SnippetString ? insertText.value : '', /^tools: \$\{1:/);
    assert.deepEqual(
      range instanceof vscode.Range && [range.start.line, range.start.character, range.end.character],
      [2, 0, 2],
    );
    const values = (await offered(document, 3, 14)).map(labelOf);
    assert.deepEqual(
      ['always', 'risky', 'never'].filter((value) => !values.includes(value)),
      [],
    );
    assert.ok(
      !(await offered(document, 5, 6)).some((item) => labelOf(item) === 'tools'),
      'nothing is offered in the text',
    );
  });

  it('explains a field on hover', async () => {
    const document = await opened('.agent/hovered.md', '---\ntriggers: [hovered]\n---\nText.\n');
    const words = async (line: number, column: number): Promise<string> =>
      (
        await vscode.commands.executeCommand<vscode.Hover[]>(
          'vscode.executeHoverProvider',
          document.uri,
          new vscode.Position(line, column),
        )
      )
        .flatMap(({ contents }) => contents)
        .map((content) => (typeof content === 'string' ? content : content.value))
        .join('\n')
        .replaceAll('&nbsp;', ' ');
    await until('the words', async () => /if a message contains one of them/.test(await words(1, 3)));
    assert.doesNotMatch(await words(3, 2), /a message contains/);
  });

  const mended: [what: string, file: string, text: string, problem: string, fix: string, fixed: string][] = [
    [
      'a glob without quotes',
      '.agent/fixed.md',
      '---\npaths:\n  - "**/*.ts"\n  - !*.d.ts\n---\nText.\n',
      'yaml-quotes 4:5',
      'Put the value in quotes',
      '---\npaths:\n  - "**/*.ts"\n  - "!*.d.ts"\n---\nText.\n',
    ],
    [
      'front matter without an end',
      'fixed.agent',
      '---\ntriggers: [fixed]\n',
      'front-matter-open 1:1',
      'Close the front matter',
      '---\ntriggers: [fixed]\n---\n',
    ],
    [
      'a skill whose name differs from its folder',
      '.agent/skills/fixed/SKILL.md',
      '---\nname: other\ndescription: d\n---\nText.\n',
      'name-folder 2:7',
      'Change it to "fixed"',
      '---\nname: fixed\ndescription: d\n---\nText.\n',
    ],
    [
      'a hook matcher that matches no tool',
      '.agent/hooks.json',
      '{"hooks": {"PreToolUse": [\n  {"matcher": "Bash, Write", "hooks": []}\n]}}\n',
      'hook-matcher-fits-nothing 2:15',
      'Change it to "Bash|Write"',
      '{"hooks": {"PreToolUse": [\n  {"matcher": "Bash|Write", "hooks": []}\n]}}\n',
    ],
    [
      'a skill without a name',
      '.agent/skills/nameless/SKILL.md',
      '---\r\ndescription: d\r\n---\r\nText.\r\n',
      'name-missing 1:1',
      'Add "name: nameless"',
      '---\r\nname: nameless\r\ndescription: d\r\n---\r\nText.\r\n',
    ],
  ];
  for (const [what, file, text, problem, fix, fixed] of mended) {
    it(`shows a problem at its place and a quick fix: ${what}`, async () => {
      const document = await opened(file, text);
      await until(problem, () => told(document)[0] === problem);
      const [diagnostic] = vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'Waymark');
      const actions = async (): Promise<vscode.CodeAction[]> =>
        vscode.commands.executeCommand<vscode.CodeAction[]>(
          'vscode.executeCodeActionProvider',
          document.uri,
          diagnostic!.range,
          vscode.CodeActionKind.QuickFix.value,
        );
      const edit = await until(
        `the fix "${fix}"`,
        async () => (await actions()).find(({ title, isPreferred }) => title === fix && isPreferred)?.edit,
      );
      assert.ok(await vscode.workspace.applyEdit(edit));
      assert.equal(document.getText(), fixed);
      assert.ok(await document.save());
      await until('the problem gone', () => !told(document).includes(problem));
    });
  }

  it('is created by New Skill with the cursor at the end, and an existing one is opened unchanged', async () => {
    const place = path.join(workspace(), '.agent/skills/made-here/SKILL.md');
    made.push(path.dirname(place));
    const make = (): Thenable<vscode.Uri | undefined> =>
      vscode.commands.executeCommand('waymark.newSkill', { kind: 'skill', name: 'Made Here' });
    assert.equal((await make())?.fsPath, place);
    const editor = vscode.window.activeTextEditor!;
    assert.equal(editor.document.uri.fsPath, place);
    assert.match(editor.document.getText(), /^---\nname: made-here\ndescription: .+\n---\n\n# made-here\n\n$/);
    assert.equal(editor.selection.active.line, editor.document.lineCount - 1);
    fs.writeFileSync(place, '---\nname: made-here\ndescription: Mine.\n---\nMine.\n');
    await make();
    assert.match(fs.readFileSync(place, 'utf8'), /Mine\.\n$/);
  });
});
