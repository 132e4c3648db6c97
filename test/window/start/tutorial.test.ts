import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { typeAnswer } from '../../../scripts/host/drive.mjs';
import { runExampleTests } from '../../../scripts/start/exampleTests.mjs';
import { type Theme, useWindow } from '../support/window';

describe('the tutorial in a window', function () {
  this.timeout(240_000);
  const window = useWindow({ workspaceCopyOf: 'examples/first-run', size: { width: 1280, height: 900 } });

  it('offers models in the panel if none is chosen, and keeps the given task', async () => {
    await window().runCommand('Waymark: Run Agent on Task');
    await typeAnswer(window().page, 'Repair the ferry times.');
    const view = window().webview();
    await view.getByTestId('offer-tutorial').waitFor();
    await window().screenshot('tutorial-offers');
    await view.getByTestId('offer-tutorial').click();
    await view.getByTestId('approval').waitFor({ timeout: 60_000 });
  });

  it('asks before the folder is deleted, and deletes nothing before that', async () => {
    const approval = window().webview().getByTestId('approval');
    assert.match(await approval.innerText(), /rm -rf \.kept/);
    assert.ok(fs.existsSync(path.join(window().workspace, '.kept')));
  });

  for (const theme of ['light', 'high-contrast-dark', 'high-contrast-light', 'dark'] satisfies Theme[]) {
    it(`shows the approval in the theme ${theme}, at 280 and 600 pixels`, async () => {
      await window().setTheme(theme);
      for (const width of [280, 600]) {
        await window().setPanelWidth(width);
        assert.ok(await window().webview().getByTestId('approval').isVisible());
        await window().screenshot(`tutorial-approval-${theme}-${width}`);
      }
    });
  }

  it('deletes nothing after a refusal, says so, and asks again after a message', async () => {
    const view = window().webview();
    await view.getByTestId('refuse').click();
    await view.getByText('Not deleted.').waitFor({ timeout: 60_000 });
    assert.ok(fs.existsSync(path.join(window().workspace, '.kept')));
    await view.getByTestId('composer').fill('Then delete it.');
    await view.getByTestId('composer').press('Enter');
    await view.locator('[data-testid="run-once"][aria-disabled="false"]').waitFor({ timeout: 60_000 });
  });

  it('finishes after the approval, and the tests of the project pass', async () => {
    assert.ok(runExampleTests(window().workspace).failed > 0);
    await window().webview().getByTestId('run-once').click();
    const finished = window().webview().getByTestId('finished');
    await finished.waitFor({ timeout: 60_000 });
    assert.equal(await finished.getAttribute('data-status'), 'submitted');
    await window().screenshot('tutorial-finished');
    const { passed, failed } = runExampleTests(window().workspace);
    assert.deepEqual({ passed: passed > 0, failed }, { passed: true, failed: 0 });
  });

  it('checks finished steps in the walkthrough, even if it is opened twice at once', async () => {
    const { page } = window();
    for (let times = 0; times < 2; times++) await window().runCommand('Waymark: Get Started');
    for (const step of ['model', 'task', 'approval'])
      await page.locator(`[data-done-step-id$="#${step}"][aria-checked="true"]`).waitFor();
    await window().screenshot('tutorial-walkthrough');
    await window().runCommand('View: Close All Editors');
  });

  it('shows its changes as one diff', async () => {
    const { page } = window();
    await window().runCommand('Waymark: Review Changes');
    await page.locator('.multiDiffEditor .view-line', { hasText: '% 12' }).first().waitFor();
    await page.locator('.editor-actions').getByRole('button', { name: 'Undo All Changes' }).first().waitFor();
    await window().runCommand('Waymark: Focus on Changes View');
    await page.locator('.pane', { hasText: 'Changes' }).locator('.monaco-list-row', { hasText: 'clock.js' }).waitFor();
    await window().screenshot('tutorial-review');
    await window().runCommand('View: Close All Editors');
  });

  it('shows the end of the conversation after the window is reloaded', async () => {
    await window().reload();
    await window().openConversation();
    await window().webview().getByTestId('finished').waitFor();
  });
});
