// VS Code may move the focus to an editor while a list or box of Waymark opens. It would close an ordinary list then.
import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { askText, pickOne } from '../../src/extension/common/quickInput';
import { until } from './support/session';

describe('a list or box that loses the focus while it opens', () => {
  before(async () => {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'An editor.\n' }));
  });
  after(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));

  /** Moves the focus to the editor, then accepts what is on display. */
  async function acceptedLater<Value>(given: Thenable<Value>): Promise<Value> {
    let isAnswered = false;
    const answer = Promise.resolve(given).finally(() => (isAnswered = true));
    await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    await until('an answer', async () => {
      if (!isAnswered) await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return isAnswered;
    });
    return answer;
  }

  it('stays open as a list', async () => {
    const items = [{ label: 'one' }, { label: 'two' }];
    assert.equal((await acceptedLater(pickOne(items, { title: 'Count' })))?.label, 'one');
  });

  it('stays open as a box, with its text', async () => {
    assert.equal(await acceptedLater(askText({ title: 'Name', value: 'Ada' })), 'Ada');
  });
});
