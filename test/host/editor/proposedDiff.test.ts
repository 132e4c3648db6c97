import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { ChangeView } from '../../../src/extension/editor/changeView';
import { until, workspace } from '../support/session';

describe('the diff of an edit that waits for approval', () => {
  // The extension in this host may have its own view.
  const changes = new ChangeView('waymark-test-text');
  after(async () => {
    changes.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** Labels of the tabs that show proposed edits. */
  const waiting = (): string[] =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .map(({ label }) => label)
      .filter((label) => label.includes('waits for approval'));
  const edit = { before: null, after: 'new\n' };

  it('is closed when the edit is decided, but not that of another session with the same action id', async () => {
    const [mine, other] = [
      { sessionId: 's1', actionId: 'a' },
      { sessionId: 's2', actionId: 'a' },
    ] as const;
    await changes.showProposed(mine, 'proposed-mine.txt', edit, workspace());
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    await changes.showProposed(other, 'proposed-other.txt', edit, workspace());
    await until('both diffs', () => waiting().length === 2);
    await changes.closeProposed(mine);
    await until('one diff', () => waiting().length === 1);
    assert.match(waiting()[0]!, /proposed-other/);
    await changes.closeProposed(other);
    await until('no diff', () => waiting().length === 0);
  });

  it('is updated while it is open', async () => {
    const question = { sessionId: 's3', actionId: 'a' };
    await changes.showProposed(question, 'proposed-later.txt', edit, workspace());
    const shown = (): string | undefined =>
      vscode.workspace.textDocuments.find(({ uri }) => uri.query === 'proposed s3 a')?.getText();
    await until('the edit', () => shown() === 'new\n');
    changes.renewProposed(question, { path: 'proposed-later.txt', after: 'newer\n' }, workspace());
    await until('the edit as it is now', () => shown() === 'newer\n');
    await changes.closeProposed(question);
  });
});
