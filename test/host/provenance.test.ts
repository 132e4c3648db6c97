import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { WindowProvenance } from '../../src/extension/editor/windowProvenance';
import { failure, startModelServer, toolCall, type Answering, type ModelServer } from '../support/modelServer';
import { decided, pause, runTask, type Session, until, workspace, command } from './support/session';

const at = (name: string): string => path.join(workspace(), 'provenance', name);
const put = (name: string, text: string): void => {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), text);
};
const show = async (name: string) => vscode.window.showTextDocument(await vscode.workspace.openTextDocument(at(name)));

describe('the lines of a file in the editor', function () {
  this.timeout(180_000);
  let server: ModelServer;
  let answers: Answering[] = [];
  const set = (key: string, value: unknown) =>
    vscode.workspace.getConfiguration('waymark').update(key, value, vscode.ConfigurationTarget.Global);

  before(async () => {
    server = await startModelServer((request, index) => {
      const next = answers.shift() ?? failure(400, 'The test has no answer left.');
      return typeof next === 'function' ? next(request, index) : next;
    });
    for (const [key, value] of [
      ['model.provider', 'openai'],
      ['model.baseUrl', server.baseUrl],
      ['model.name', 'test-model'],
    ] as const)
      await set(key, value);
  });
  after(async () => {
    for (const key of ['model.provider', 'model.baseUrl', 'model.name', 'provenance']) await set(key, undefined);
    await server.stop();
  });
  afterEach(async () => {
    await command('waymark.stop');
    await command('workbench.action.revertAndCloseActiveEditor');
    await command('workbench.action.closeAllEditors');
  });

  /** Returns the hover of a line as Markdown, or "" if the agent provides none there. */
  const hover = async (name: string, line: number): Promise<string> => {
    const found = await command<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      vscode.Uri.file(at(name)),
      new vscode.Position(line, 0),
    );
    return found
      .flatMap(({ contents }) => contents)
      .map((content) => (typeof content === 'string' ? content : content.value))
      .filter((text) => text.includes('Waymark') || text.includes('waymark.'))
      .join('\n');
  };
  const says = (name: string, line: number, words: RegExp) =>
    until(`line ${line} of ${name} to say ${words}`, async () => words.test(await hover(name, line)));
  const plain = (markdown: string): string => markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1');
  const finish = toolCall('finish', { summary: 'Done.' });
  const write = (name: string, content: string): Answering =>
    toolCall('write_file', { path: `provenance/${name}`, content });

  const written = async (name: string, content: string): Promise<Session> => {
    answers = [write(name, content), finish];
    const session = await runTask('Write the file.');
    await session.reaches('finished');
    return session;
  };

  it('link to the step of an edit and show its task, model and approval', async () => {
    const session = await written('edit.ts', 'export const first = 1;\nexport const second = 2;\n');
    const editor = await show('edit.ts');
    await says('edit.ts', 1, /Waymark/);
    const words = plain(await hover('edit.ts', 1));
    assert.match(words, /step 1 of “Write the file\.”/);
    assert.match(words, /Model: test-model/);
    assert.match(words, /Not asked: its risk is low\./);
    editor.selection = new vscode.Selection(1, 3, 1, 3);
    const found = await command<{ sessionId: string; seq: number }>('waymark.showStepForLine');
    assert.equal(found.sessionId, session.id);
    assert.equal(found.seq, session.of('agent_response')[0]!.seq);
  });

  it('show that a command wrote them and who approved it', async () => {
    put('command.ts', 'const one = 1;\nconst two = 2;\nconst three = 3;\n');
    await pause(300);
    answers = [
      toolCall('run_command', {
        command: `cd ${path.dirname(at('x'))} && rm -rf nothing-there && echo "const byCommand = 4;" >> command.ts && sed -i "s/two = 2/two = 22/" command.ts`,
      }),
      finish,
    ];
    const session = await runTask('Run it.');
    await session.reaches('confirmation_requested');
    await decided('waymark.approve');
    await session.reaches('finished');
    await show('command.ts');
    await says('command.ts', 3, /Approved by you/);
    assert.match(plain(await hover('command.ts', 1)), /echo "const byCommand/);
    assert.equal(await hover('command.ts', 0), '');
    assert.equal(await hover('command.ts', 2), '');
  });

  it('move when a person types, and lose their mark where the person changed them', async () => {
    await written('typed.ts', 'export const first = 1;\nexport const second = 2;\nexport const third = 3;\n');
    const editor = await show('typed.ts');
    await says('typed.ts', 2, /Waymark/);
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(0, 0), '// typed above\n');
      edit.replace(new vscode.Range(1, 13, 1, 19), 'other');
    });
    await says('typed.ts', 3, /Waymark/);
    assert.equal(await hover('typed.ts', 0), '');
    assert.equal(await hover('typed.ts', 2), '', 'the changed line');
    await editor.document.save();
    await says('typed.ts', 3, /Waymark/);
    assert.equal(await hover('typed.ts', 2), '');
    editor.selection = new vscode.Selection(2, 0, 2, 0);
    assert.equal(await command('waymark.showStepForLine'), undefined, 'no step wrote it');
  });

  it('are recognized again after the agent changes a file with unsaved changes', async () => {
    put('both.ts', 'const first = 1;\nconst second = 2;\nconst third = 3;\n');
    const editor = await show('both.ts');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'const typed = 0;\n'));
    answers = [
      toolCall('read_file', { path: 'provenance/both.ts' }),
      toolCall('edit_file', {
        path: 'provenance/both.ts',
        edits: [{ old_text: 'const third = 3;', new_text: 'const third = 33;' }],
      }),
      finish,
    ];
    const session = await runTask('Edit it.');
    await session.reaches('finished');
    await says('both.ts', 3, /Waymark/);
    for (const line of [0, 1, 2]) assert.equal(await hover('both.ts', line), '');
  });

  it('keep their marks when the file is renamed', async () => {
    await written('old-name.ts', 'export const first = 1;\nexport const second = 2;\nexport const third = 3;\n');
    await show('old-name.ts');
    await says('old-name.ts', 0, /Waymark/);
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(vscode.Uri.file(at('old-name.ts')), vscode.Uri.file(at('new-name.ts')));
    await vscode.workspace.applyEdit(edit);
    await show('new-name.ts');
    await says('new-name.ts', 2, /Waymark/);
    fs.renameSync(at('new-name.ts'), at('third-name.ts'));
    await show('third-name.ts');
    await says('third-name.ts', 2, /Waymark/);
  });

  it('escape everything in the reason that the agent wrote', async () => {
    answers = [
      toolCall(
        'write_file',
        { path: 'provenance/hostile.ts', content: 'const first = 1;\n' },
        {
          text: 'See [this](command:workbench.action.quit) and <a href="command:waymark.stop">that</a> ![x](https://example.org/x.png) \u202eevil',
        },
      ),
      finish,
    ];
    const session = await runTask('Write it.');
    await session.reaches('finished');
    await show('hostile.ts');
    await says('hostile.ts', 0, /Waymark/);
    const found = await command<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      vscode.Uri.file(at('hostile.ts')),
      new vscode.Position(0, 0),
    );
    const texts = found
      .flatMap(({ contents }) => contents as vscode.MarkdownString[])
      .filter(({ value }) => /Waymark|waymark\./.test(value));
    assert.equal(texts.length, 2);
    const [words, link] = texts;
    assert.ok(!words!.isTrusted && !words!.supportHtml);
    assert.doesNotMatch(words!.value, /[^\\][\](<>!&]|[^\\]:|\u202e/);
    assert.ok(
      plain(words!.value).includes(
        'See [this](command:workbench.action.quit) and <a href="command:waymark.stop">that</a>',
      ),
      'the words are shown as they are',
    );
    assert.deepEqual(link!.isTrusted, { enabledCommands: ['waymark.showStepForLine'] });
    assert.doesNotMatch(link!.value, /example|quit|evil/);
    // A command cannot break out of its code block.
    answers = [
      toolCall('run_command', {
        command: `cd ${path.dirname(at('x'))} && echo 'const last = 2; // \`\`\`' >> hostile.ts # \n\`\`\`\n[x](command:workbench.action.quit)`,
      }),
      finish,
    ];
    const running = await runTask('Run it.');
    await running.reaches('confirmation_requested');
    await decided('waymark.approve');
    await running.reaches('finished');
    await says('hostile.ts', 1, /Waymark/);
    const shown = await hover('hostile.ts', 1);
    const fence = /^`{4,}/m.exec(shown)?.[0];
    assert.ok(fence !== undefined && shown.split(new RegExp(`^${fence}`, 'm')).length === 3, shown);
    assert.ok(shown.split(new RegExp(`^${fence}`, 'm'))[1]!.includes('command:workbench'), shown);
  });

  it('are listed by Agent Blame, and Enter there opens the step', async () => {
    await written('listed.ts', 'export const first = 1;\nexport const second = 2;\n');
    const editor = await show('listed.ts');
    await says('listed.ts', 0, /Waymark/);
    await editor.edit((edit) => edit.insert(new vscode.Position(1, 0), '// by a person\n'));
    const chosen = command<{ sessionId: string; seq: number } | undefined>('waymark.agentBlame');
    await until('an answer to the list', async () => {
      await command('workbench.action.acceptSelectedQuickOpenItem');
      return Promise.race([chosen.then((found) => found ?? false), pause(200).then(() => undefined)]);
    });
    assert.ok((await chosen)!.seq > 0);
  });

  it('show nothing if the setting is off', async () => {
    await written('quiet.ts', 'export const first = 1;\n');
    await show('quiet.ts');
    await says('quiet.ts', 0, /Waymark/);
    await set('provenance', 'off');
    assert.equal(await hover('quiet.ts', 0), '');
    await set('provenance', undefined);
  });
});

describe('the records of who wrote the lines of a folder', () => {
  it('are freed once the folder is removed from the workspace, and found again when it returns', async () => {
    const [first] = vscode.workspace.workspaceFolders!;
    const real = Object.getOwnPropertyDescriptor(vscode.workspace, 'workspaceFolders')!;
    const open = (...folders: vscode.WorkspaceFolder[]): void =>
      void Object.defineProperty(vscode.workspace, 'workspaceFolders', { value: folders, configurable: true });
    const places = ['storage', 'second'].map((name) => fs.mkdtempSync(path.join(os.tmpdir(), `waymark-${name}-`)));
    const [storage, folder] = places as [string, string];
    const second = { uri: vscode.Uri.file(folder), name: 'second', index: 1 };
    const problems: unknown[] = [];
    const provenance = new WindowProvenance(vscode.Uri.file(storage), (problem) => problems.push(problem));
    const file = path.join(folder, 'a.txt');
    const recordsOf = (name: string) => provenance.provenanceOf(name)?.provenance;
    try {
      open(first!, second);
      const [kept, before] = [recordsOf(at('a.txt')), recordsOf(file)];
      fs.writeFileSync(file, 'by the agent\n');
      before!.writing('a.txt')({
        before: null,
        after: 'by the agent\n',
        by: { session: 's', action: 'a' },
        typed: false,
      });
      open(first!);
      assert.equal(recordsOf(file), undefined);
      await provenance.settled();
      open(first!, second);
      assert.equal(recordsOf(at('a.txt')), kept, 'the other folder keeps its records');
      assert.notEqual(recordsOf(file), before, 'the removed folder was kept in memory');
      assert.ok(await recordsOf(file)!.marksOf('a.txt', 'by the agent\n', false), 'what was stored is lost');
      assert.deepEqual(problems, []);
    } finally {
      Object.defineProperty(vscode.workspace, 'workspaceFolders', real);
      provenance.dispose();
      for (const place of places) fs.rmSync(place, { recursive: true, force: true });
    }
  });
});
