import { strict as assert } from 'node:assert';
import { toast } from '../../../scripts/host/drive.mjs';
import { failure, reply, startModelServer, type ModelServer } from '../../support/modelServer';
import { until, useAgentWindow } from '../support/agentWindow';

describe('the key of a fallback model at another address', function () {
  this.timeout(240_000);
  const agent = useAgentWindow();
  const rows = () => agent().page.locator('.quick-input-list .monaco-list-row');
  const host = (address: string): string => new URL(address).host;
  let other: ModelServer;
  before(async () => {
    other = await startModelServer(({ headers }) =>
      headers.authorization === 'Bearer sk-of-the-other' ? reply('The spare model answers.') : failure(401, 'no key'),
    );
    await agent().window.changeSettings({ 'waymark.model.fallbacks': [`${other.baseUrl} spare`, 'same-server'] });
  });
  after(() => other.stop());

  it('is asked for, stored and sent only to that address', async () => {
    await agent().window.openConversation();
    await agent().command('Waymark: Set API Key…');
    await rows()
      .filter({ hasText: host(other.baseUrl) })
      .first()
      .waitFor();
    const hosts = [agent().server.baseUrl, other.baseUrl].map(host);
    const labels = await rows().locator('.label-name').allTextContents();
    assert.deepEqual(
      labels.filter((label) => label.includes(':')),
      hosts,
      'one row for each server',
    );
    await rows().filter({ hasText: 'spare' }).filter({ hasText: 'no key saved' }).waitFor();
    await agent().window.screenshot('key-of-fallback');
    await until('the other server has the focus', async () => {
      await agent().page.keyboard.press('ArrowDown');
      return rows().and(agent().page.locator('.focused')).filter({ hasText: 'spare' }).isVisible();
    });
    await agent().page.keyboard.press('Enter');
    await agent()
      .page.locator('.quick-input-title', { hasText: `API Key for ${host(other.baseUrl)}` })
      .waitFor();
    const box = agent().page.locator('.quick-input-widget input[type="password"]');
    await box.fill('sk-of-the-other');
    await box.press('Enter');
    await box.waitFor({ state: 'hidden' });
    await toast(agent().page, `The key for ${host(other.baseUrl)} is saved.`).waitFor();
    agent().model(...Array.from({ length: 8 }, () => failure(402, 'no credit left')));
    await agent().task('Say something.');
    await agent().view.getByText('The spare model answers.', { exact: true }).waitFor();
    assert.ok(agent().server.requests.length > 0);
    assert.ok(agent().server.requests.every(({ headers }) => !String(headers.authorization).includes('of-the-other')));
    assert.equal(other.requests.at(-1)!.headers.authorization, 'Bearer sk-of-the-other');
  });
});
