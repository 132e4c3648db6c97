import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { reply, startModelServer, toolCall, type ModelServer } from '../support/modelServer';
import { runTask, until, workspace, type Session, setSettings } from './support/session';

describe('a code lens above a change', function () {
  this.timeout(120_000);
  let server: ModelServer;
  let command = 'sed -i s/two/TWO/ reviewed.txt';
  let edit: object | undefined;
  const file = () => vscode.Uri.file(path.join(workspace(), 'reviewed.txt'));
  const text = (): string => fs.readFileSync(file().fsPath, 'utf8');
  const lens = (command: string): Promise<vscode.Command> =>
    until(`the lens of ${command}`, async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', file());
      return lenses.find((each) => each.command?.command === command)?.command;
    });
  const press = ({ command, arguments: given = [] }: vscode.Command): Thenable<unknown> =>
    vscode.commands.executeCommand(command, ...(given as unknown[]));
  const change = async (rest = 'three\n'): Promise<Session> => {
    fs.writeFileSync(file().fsPath, `one\ntwo\n${rest}`);
    const session = await runTask('Shout.');
    await until('the end of the run', () => session.of('agent_response').length > 1);
    assert.equal(text(), `one\nTWO\n${rest}`);
    return session;
  };

  before(async () => {
    server = await startModelServer((request) => {
      if (/"role":"tool"/.test(JSON.stringify(request.body))) return reply('Done.');
      return edit ? toolCall('edit_file', edit) : toolCall('run_command', { command });
    });
    await setSettings({
      'model.provider': 'openai',
      'model.baseUrl': server.baseUrl,
      'model.name': 'test-model',
      confirmation: 'never',
    });
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('waymark.newSession');
    fs.rmSync(file().fsPath, { force: true });
    await setSettings({
      'model.provider': undefined,
      'model.baseUrl': undefined,
      'model.name': undefined,
      confirmation: undefined,
    });
    await server.stop();
  });

  it('acts only on the session that it was drawn for, even if another changed the same lines', async () => {
    await change();
    await vscode.window.showTextDocument(file());
    const [undo, keep] = [await lens('waymark.undoChange'), await lens('waymark.keepChange')];
    await change();
    await lens('waymark.undoChange');
    await press(undo);
    assert.equal(text(), 'one\nTWO\nthree\n', 'the change of the other session stays');
    await press(keep);
    await press(await lens('waymark.undoChange'));
    assert.equal(
      text(),
      'one\ntwo\nthree\n',
      'its own lens undoes it: it was not kept by the lens of the other session',
    );
  });

  it('undoes in the editor if it has unsaved changes, without saving; Undo in the editor reverts it', async () => {
    const rest = 'three\nfour\nfive\nsix\nseven\n';
    const typed = rest.replace('seven', 'seven and mine');
    await change(rest);
    const document = await vscode.workspace.openTextDocument(file());
    const editor = await vscode.window.showTextDocument(document);
    await until('the editor shows what the agent wrote', () => document.getText() === text());
    await editor.edit((builder) => builder.insert(document.lineAt(6).range.end, ' and mine'));
    await press(await lens('waymark.undoChange'));
    assert.equal(document.getText(), `one\ntwo\n${typed}`);
    assert.equal(text(), `one\nTWO\n${rest}`, 'neither what the person did not save is on the disk, nor the undo');
    assert.ok(document.isDirty);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), `one\nTWO\n${typed}`);
    assert.equal(text(), `one\nTWO\n${rest}`);
    await press(await lens('waymark.undoChange'));
    assert.ok(await document.save());
    assert.equal(text(), `one\ntwo\n${typed}`);
  });

  it('leaves text that the user had not saved when the agent edited the file', async () => {
    fs.writeFileSync(file().fsPath, 'one\r\ntwo\r\nthree\r\n');
    const editor = await vscode.window.showTextDocument(file());
    await until('the editor shows the file', () => editor.document.getText() === text());
    await editor.edit((builder) => builder.insert(new vscode.Position(3, 0), 'mine\n'));
    edit = { path: 'reviewed.txt', edits: [{ old_text: 'two', new_text: 'TWO' }] };
    const session = await runTask('Shout.');
    await until('the end of the run', () => session.of('agent_response').length > 1);
    edit = undefined;
    assert.equal(text(), 'one\r\nTWO\r\nthree\r\nmine\r\n', 'an edit saves the file');
    await vscode.commands.executeCommand('waymark.undoAllChanges');
    assert.equal(text(), 'one\r\ntwo\r\nthree\r\nmine\r\n');
  });

  it('changes nothing in an editor in which a person types at that moment, and does not tell the model', async () => {
    const rest = 'three\nfour\nfive\nsix\nseven\n';
    const session = await change(rest);
    const document = await vscode.workspace.openTextDocument(file());
    const editor = await vscode.window.showTextDocument(document);
    await until('the editor shows what the agent wrote', () => document.getText() === text());
    await editor.edit((builder) => builder.insert(document.lineAt(6).range.end, ' and mine'));
    editor.selection = new vscode.Selection(document.lineAt(6).range.end, document.lineAt(6).range.end);
    const undo = await lens('waymark.undoChange');
    // VS Code processes one thing after the other: with key presses always queued, one is typed before the edit of the
    // undo arrives.
    let isTyping = true;
    let typed = 0;
    const typeOn = async (): Promise<void> => {
      while (isTyping) {
        typed++;
        await vscode.commands.executeCommand('type', { text: 'x' });
      }
    };
    const typing = Array.from({ length: 10 }, typeOn);
    await press(undo);
    isTyping = false;
    await Promise.all(typing);
    const wanted = `one\nTWO\n${rest.replace('seven', `seven and mine${'x'.repeat(typed)}`)}`;
    await until('all that was typed', () => document.getText().length === wanted.length);
    assert.equal(document.getText(), wanted);
    assert.deepEqual(
      session.of('feedback').filter(({ cause }) => cause === 'changes_undone'),
      [],
    );
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await press(await lens('waymark.undoChange'));
    assert.equal(text(), `one\ntwo\n${rest}`, 'it is undone once nobody types');
  });

  it('keeps no changes of another selected session', async () => {
    const first = await change('three\nfour\nfive\nsix\n');
    // A line of its own: whether the first session lost a line that was reverted meanwhile depends on who looked when.
    command = 'sed -i s/six/SIX/ reviewed.txt';
    const second = await runTask('Shout at the end.');
    await until('the end of the second run', () => second.of('agent_response').length > 1);
    command = 'sed -i s/two/TWO/ reviewed.txt';
    const both = 'one\nTWO\nthree\nfour\nfive\nSIX\n';
    assert.equal(text(), both);
    await vscode.window.showTextDocument(file());
    await vscode.commands.executeCommand('waymark.openSession', first.id);
    await lens('waymark.undoChange');
    const done = vscode.commands.executeCommand('waymark.keepAllChanges');
    await vscode.commands.executeCommand('waymark.openSession', second.id);
    await done;
    assert.equal(text(), both);
    await press(await lens('waymark.undoChange'));
    assert.equal(text(), both.replace('SIX', 'six'), 'it was not kept: its lens still undoes it');
  });

  it('sends comments only to the session whose change they are about', async () => {
    const first = await change();
    const controller = vscode.comments.createCommentController('test', 'Test');
    const thread = controller.createCommentThread(file(), new vscode.Range(1, 0, 1, 0), []);
    await lens('waymark.undoChange');
    await vscode.commands.executeCommand('waymark.addComment', { thread, text: 'Not so loud.' });
    assert.equal(thread.comments.length, 1);
    const second = await change();
    await lens('waymark.undoChange');
    assert.equal(await vscode.commands.executeCommand('waymark.sendComments'), false);
    await vscode.commands.executeCommand('waymark.addAndSendComments', { thread, text: 'And shorter.' });
    assert.deepEqual(
      [first.of('user_message').length, second.of('user_message').length, thread.comments.length],
      [0, 0, 2],
    );
    await vscode.commands.executeCommand('waymark.openSession', first.id);
    await lens('waymark.undoChange');
    assert.equal(await vscode.commands.executeCommand('waymark.sendComments'), true);
    const { text: words } = await first.reaches('user_message');
    assert.match(words, /Not so loud\.[^]*And shorter\./);
    assert.equal(second.of('user_message').length, 0);
    controller.dispose();
  });

  it('restores a file that a command deleted, and keeps unsaved text in its editor', async () => {
    fs.writeFileSync(file().fsPath, 'one\n');
    const document = await vscode.workspace.openTextDocument(file());
    const editor = await vscode.window.showTextDocument(document);
    await until('the editor shows the file', () => document.getText() === 'one\n');
    assert.ok(await editor.edit((builder) => builder.insert(new vscode.Position(1, 0), 'mine\n')));
    command = 'rm reviewed.txt';
    const session = await runTask('Delete it.');
    await until('the end of the run', () => session.of('agent_response').length > 1);
    assert.ok(!fs.existsSync(file().fsPath));
    await vscode.commands.executeCommand('waymark.undoAllChanges');
    assert.equal(text(), 'one\n');
    assert.equal(document.getText(), 'one\nmine\n');
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
});
