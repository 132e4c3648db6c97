import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { reply, startModelServer, toolCall, type ModelServer } from '../support/modelServer';
import { runTask, until, workspace } from './support/session';

describe('a lens above a change', function () {
  this.timeout(120_000);
  let server: ModelServer;
  const file = () => vscode.Uri.file(path.join(workspace(), 'reviewed.txt'));
  const text = (): string => fs.readFileSync(file().fsPath, 'utf8');
  const set = async (values: Record<string, unknown>) => {
    for (const [key, value] of Object.entries(values))
      await vscode.workspace.getConfiguration('waymark').update(key, value, vscode.ConfigurationTarget.Global);
  };
  const lens = (command: string): Promise<vscode.Command> =>
    until(`the lens of ${command}`, async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', file());
      return lenses.find((each) => each.command?.command === command)?.command;
    });
  const press = ({ command, arguments: given = [] }: vscode.Command): Thenable<unknown> =>
    vscode.commands.executeCommand(command, ...(given as unknown[]));
  const change = async (rest = 'three\n'): Promise<void> => {
    fs.writeFileSync(file().fsPath, `one\ntwo\n${rest}`);
    const session = await runTask('Shout.');
    await until('the end of the run', () => session.of('agent_response').length > 1);
    assert.equal(text(), `one\nTWO\n${rest}`);
  };

  before(async () => {
    server = await startModelServer((request) =>
      /"role":"tool"/.test(JSON.stringify(request.body))
        ? reply('Done.')
        : toolCall('run_command', { command: 'sed -i s/two/TWO/ reviewed.txt' }),
    );
    await set({
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
    await set({
      'model.provider': undefined,
      'model.baseUrl': undefined,
      'model.name': undefined,
      confirmation: undefined,
    });
    await server.stop();
  });

  it('acts on the session that it was drawn for, and on no other that changed the same lines', async () => {
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

  it('undoes in the editor where a person typed and did not save, writes nothing to the disk, and the editor takes it back', async () => {
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
});
