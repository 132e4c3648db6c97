import { strict as assert } from 'node:assert';
import { finish, useAgentWindow } from '../support/agentWindow';

describe('the search for sessions', function () {
  this.timeout(240_000);
  const agent = useAgentWindow();

  it('finds a session by what was said in it, and shows the passage', async () => {
    agent().model(finish('The marmalade is in the larder.'), finish('Nothing to do.'));
    await agent().task('Look for breakfast.');
    await agent().reaches('finished');
    await agent().command('Waymark: New Session');
    await agent().task('Do nothing.');
    await agent().view.getByText('Nothing to do.').first().waitFor();
    await agent().command('Waymark: Search Sessions…');
    const picker = agent().page.locator('.quick-input-widget:visible');
    await picker.getByText('Look for breakfast.').first().waitFor();
    await agent().page.keyboard.type('marmalade');
    const row = picker.locator('.monaco-list-row', { hasText: 'The marmalade is in the larder.' });
    await row.waitFor();
    assert.equal(await picker.locator('.monaco-list-row').count(), 1);
    await agent().window.screenshot('search-sessions-350');
    await agent().page.keyboard.press('Enter');
    await agent().view.getByText('The marmalade is in the larder.').first().waitFor();
  });
});
