import { strict as assert } from 'node:assert';
import { finish, useSharedWindow } from '../support/agentWindow';

describe('the search for sessions', function () {
  this.timeout(240_000);
  const agent = useSharedWindow('asking');

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

  it('says that nothing was found, and finds a Chinese word of two characters', async () => {
    agent().model(finish('茶在柜子里。'));
    await agent().command('Waymark: New Session');
    await agent().task('Find the tea.');
    await agent().view.getByText('茶在柜子里。').first().waitFor();
    await agent().command('Waymark: Search Sessions…');
    const picker = agent().page.locator('.quick-input-widget:visible');
    const rows = picker.locator('.monaco-list-row');
    await picker.getByText('Look for breakfast.').first().waitFor();
    await agent().page.keyboard.type('nothing like this');
    await rows.filter({ hasText: 'No session matches' }).waitFor();
    await agent().window.screenshot('search-sessions-none');
    await agent().page.keyboard.press('Enter');
    assert.equal(await rows.count(), 1, 'the row does nothing');
    await picker.locator('input').first().fill('柜子');
    await rows.filter({ hasText: '茶在柜子里。' }).waitFor();
    assert.equal(await rows.count(), 1);
    await picker.locator('input').first().fill('the tea');
    await rows.filter({ hasText: 'Find the tea.' }).filter({ hasText: 'Finished · 1 step' }).waitFor();
    await agent().page.keyboard.press('Escape');
  });
});
