import { strict as assert } from 'node:assert';
import { extensionsLoaded } from '../../../scripts/host/drive.mjs';
import { useAgentWindow } from '../support/agentWindow';

describe('a window without a folder', function () {
  this.timeout(120_000);
  const agent = useAgentWindow();

  it('offers to open one when a task starts, and keeps what was typed', async () => {
    const reloaded = agent().page.waitForURL(/[?&]ew=true/, { timeout: 60_000 });
    await agent().window.runCommand('Workspaces: Close Workspace');
    await reloaded;
    await extensionsLoaded(agent().page);
    await agent().window.openConversation();
    await agent().command('Waymark: Run Agent on Task');
    await agent().answer('Fix the failing test.');
    const toast = agent().page.locator('.notifications-toasts .notification-list-item', {
      hasText: 'No folder is open',
    });
    await toast.waitFor();
    await agent().window.screenshot('no-folder');
    assert.equal(await agent().view.getByRole('textbox').first().inputValue(), 'Fix the failing test.');
    await toast.getByRole('button', { name: 'Open Folder' }).click();
    await agent().page.locator('.quick-input-widget', { hasText: 'Open Folder' }).waitFor();
  });
});
