import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { toolCall, type Answering, type RecordedRequest } from '../../support/modelServer';
import { eventsIn } from '../../support/loggedEvents';
import { finish, gate, goOnFromEachOther, pause, run, until, useAgentWindow } from '../support/agentWindow';
import { inLog, tasksByKeyboard } from '../support/tasksByKeyboard';

const lines = (fifth: string): string =>
  Array.from({ length: 9 }, (_, at) => `${at === 4 ? fifth : `line ${at + 1}`}\n`).join('');

/** A notebook formatted as VS Code writes it, so that saving changes only the cells. */
const notebook = (...sources: readonly string[]): string => {
  const cells = sources.map((source, index) => ({
    cell_type: 'code',
    execution_count: null,
    id: `given-${index}`,
    metadata: {},
    outputs: [],
    source: [source],
  }));
  const metadata = { language_info: { name: 'python' } };
  return `${JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }, undefined, 1)}\n`;
};

describe('worktrees, in a window', function () {
  this.timeout(240_000);
  goOnFromEachOther(this);
  const agent = useAgentWindow({
    files: { 'text.txt': lines('line 5'), 'cells.ipynb': notebook('a = 1', 'b = 2') },
    settings: {
      // Edits to the notebook stay unsaved until the user saves.
      'files.autoSave': 'off',
      'waymark.notifications.approval': true,
      'waymark.notifications.question': true,
      'waymark.notifications.end': true,
    },
  });
  const page = () => agent().page;
  const view = () => agent().view;
  const { place, git, say, choose } = tasksByKeyboard(agent);
  const toast = (words: string) => page().locator('.notification-toast', { hasText: words });

  it('are not offered in the composer for a folder without Git', async () => {
    await agent().command('Waymark: New Session');
    assert.equal(await place().inputValue(), 'workspace');
    assert.match((await place().getAttribute('aria-label')) ?? '', /not in a Git repository/);
    const offered = await place().locator('option:not([disabled])').allTextContents();
    assert.deepEqual(offered, ['Workspace']);
  });

  it('can be chosen by keyboard for a task', async () => {
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'First.');
    await choose('worktree');
    await agent().window.screenshot('composer-place');
    await agent().keeps('"waymark.nextPlace":"worktree"');
    await agent().window.reload();
    await agent().command('Waymark: New Session');
    await until('the choice outlives a reload', async () => (await place().inputValue()) === 'worktree');
    agent().model(run("sed -i 's/line 5/LINE 5/' text.txt"), finish('Did it.'));
    const log = await say('Shout.');
    const began = await inLog(log, 'task_started');
    assert.equal(began.worktree?.of, fs.realpathSync(agent().window.workspace));
    await inLog(log, 'finished');
    await view().getByTestId('in-worktree').waitFor();
    assert.equal(agent().file('text.txt'), lines('line 5'), 'the workspace is as it was');
    assert.equal(fs.readFileSync(path.join(began.cwd, 'text.txt'), 'utf8'), lines('LINE 5'));
  });

  it('open the merge editor for a conflict when changes are brought back, and overwrite nothing', async () => {
    fs.writeFileSync(path.join(agent().window.workspace, 'text.txt'), lines('line five'));
    await agent().command('Waymark: Bring All Changes Back to Workspace');
    const told = toast('you and the agent changed the same lines');
    await told.waitFor();
    assert.equal(agent().file('text.txt'), lines('line five'));
    await told.locator('.monaco-button', { hasText: 'Open Merge Editor' }).click();
    await page().locator('.merge-editor').waitFor();
    await agent().window.screenshot('bring-back-merge');
    assert.equal(agent().file('text.txt'), lines('line five'), 'nothing is written before the person decides');
    await agent().command('View: Close All Editors');
    fs.writeFileSync(path.join(agent().window.workspace, 'text.txt'), lines('line 5'));
  });

  it('bring back the edit of another notebook cell only after unsaved changes are saved', async () => {
    await choose('worktree');
    agent().model(
      toolCall('read_file', { path: 'cells.ipynb' }),
      toolCall('edit_notebook', { path: 'cells.ipynb', edits: [{ cell: 2, do: 'replace', source: 'b = 3' }] }),
      finish('Did it.'),
    );
    const log = await say('Count on.');
    await inLog(log, 'finished');
    await view().getByTestId('in-worktree').waitFor();
    await page().keyboard.press('Control+P');
    await page().locator('.quick-input-widget input[type="text"]').first().fill('cells.ipynb');
    await page().locator('.quick-input-list .monaco-list-row.focused', { hasText: 'cells.ipynb' }).waitFor();
    await page().keyboard.press('Enter');
    await page().locator('.notebookOverlay .view-line', { hasText: 'a = 1' }).first().click();
    await page().locator('.notebookOverlay .monaco-editor.focused').waitFor(); // Until then, keys reach the list of cells.
    await page().keyboard.press('End');
    await page().keyboard.type('0');
    await page().locator('.tab.active.dirty', { hasText: 'cells.ipynb' }).waitFor();
    await agent().command('Waymark: Bring All Changes Back to Workspace');
    await toast(
      'cells.ipynb has unsaved changes in the notebook editor. Save it first. Nothing was brought back.',
    ).waitFor();
    await agent().window.screenshot('bring-back-notebook');
    assert.equal(agent().file('cells.ipynb'), notebook('a = 1', 'b = 2'));
    await page().locator('.notebookOverlay .view-line', { hasText: 'a = 10' }).first().click();
    await page().keyboard.press('Control+S');
    await until('the notebook saved', () => agent().file('cells.ipynb') === notebook('a = 10', 'b = 2'));
    await agent().command('Waymark: Bring All Changes Back to Workspace');
    await until('the cell brought', () => agent().file('cells.ipynb') === notebook('a = 10', 'b = 3'));
    await page().locator('.notebookOverlay .view-line', { hasText: 'b = 3' }).first().waitFor();
    await agent().command('View: Close All Editors');
  });

  it('let several tasks run at once, each with its own folder, shell and approval', async () => {
    const risky = (name: string): Answering => run(`rm -rf old && pwd > ${name}`);
    const two = [gate(), gate()];
    const played = (number: number) => (request: RecordedRequest) => {
      const step = request.body.messages.filter(({ role }) => role === 'assistant').length;
      const answers = [risky(`${number}.txt`), finish(`Did ${number}.`)];
      return two[number]!.opened.then(() => answers[step] as never);
    };
    const byTask: Answering = (request) =>
      played(JSON.stringify(request.body.messages).includes('Task zero') ? 0 : 1)(request);
    agent().model(byTask, byTask, byTask, byTask);
    const logs: string[] = [];
    for (const words of ['Task zero.', 'Task one.']) {
      await choose('worktree');
      logs.push(await say(words));
    }
    await agent().command('Waymark: New Session');
    for (const each of two) each.open();
    for (const log of logs) await inLog(log, 'confirmation_requested');
    await page().locator('.statusbar-item', { hasText: '2 approvals elsewhere' }).waitFor();
    // A user who looks at another session gets a notification that leads here.
    await toast('“Task zero.” waits for your approval.').waitFor();
    await agent().window.screenshot('approval-toast');
    await toast('“Task one.” waits for your approval.').getByRole('button', { name: 'Show' }).click();
    await view().locator('[data-testid=approval]', { hasText: '1.txt' }).waitFor();
    const state = page().locator('.statusbar-item', { hasText: 'approval' });
    await state.filter({ hasText: /1\sapproval · step\s1 .*1\sapproval\selsewhere/ }).waitFor();
    await agent().command('Waymark: Approve Pending Action');
    await inLog(logs[1]!, 'finished');
    assert.equal(
      eventsIn(logs[0]!).some(({ type }) => type === 'confirmation_resolved'),
      false,
      'the other one waits',
    );
    const [zero, one] = await Promise.all(logs.map((log) => inLog(log, 'task_started')));
    assert.notEqual(zero!.cwd, one!.cwd);
    assert.equal(fs.readFileSync(path.join(one!.cwd, '1.txt'), 'utf8').trim(), one!.cwd);
    assert.equal(fs.existsSync(path.join(zero!.cwd, '1.txt')), false);
    await agent().command('Waymark: Show Pending Action');
    await view().locator('[data-testid=approval]', { hasText: '0.txt' }).waitFor();
    await agent().command('Waymark: Approve Pending Action');
    await inLog(logs[0]!, 'finished');
    assert.equal(agent().file('1.txt'), undefined);
  });

  it('ask before one is removed that holds only a commit, and Esc keeps it', async () => {
    await choose('worktree');
    agent().model(finish('There is nothing to do.'));
    const log = await say('Look around.');
    const { cwd } = await inLog(log, 'task_started');
    await inLog(log, 'finished');
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    execFileSync('git', [...author, 'commit', '-q', '--allow-empty', '-m', 'Only here.'], { cwd });
    const dialog = page().locator('.monaco-dialog-box', { hasText: 'Remove the worktree' });
    const remove = async (): Promise<void> => {
      await agent().command('Waymark: Worktrees…');
      const row = page().locator('.quick-input-list .monaco-list-row', { hasText: 'Look around.' });
      await row.hover();
      await row.locator('.codicon-trash').click();
      await dialog.waitFor();
    };
    await remove();
    await agent().inDialog('Escape');
    await dialog.waitFor({ state: 'detached' });
    await pause(300);
    assert.ok(fs.existsSync(cwd));
    await remove();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await until('the folder removed', () => !fs.existsSync(cwd));
  });

  it('are not compared if the list of sessions is closed with Esc', async () => {
    const tabs = () => page().locator('.tabs-container .tab').count();
    const before = await tabs();
    await agent().command('Waymark: Compare Results of Two Sessions…');
    const list = page().locator('.quick-input-widget');
    await list.locator('.quick-input-title', { hasText: 'Compare Results' }).waitFor();
    await list.locator('.monaco-list-row').first().click();
    await page().keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    await pause(300);
    assert.equal(await tabs(), before);
    assert.equal(await toast('Comparing results needs two sessions').count(), 0);
  });
});
