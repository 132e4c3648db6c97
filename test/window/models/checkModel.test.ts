import { strict as assert } from 'node:assert';
import { failure, reply, toolCall } from '../../support/modelServer';
import { until, useSharedWindow } from '../support/agentWindow';

const right = toolCall('report_word', { word: 'lighthouse' }, { reasoning: 'I call it.' });

describe('the command Waymark: Check Model', function () {
  this.timeout(240_000);
  const agent = useSharedWindow('asking');
  const rows = () => agent().page.locator('.quick-input-list .monaco-list-row');
  const shown = async (row: string): Promise<void> => rows().filter({ hasText: row }).first().waitFor();

  it('lists what the chosen model supports, and sends it a picture on request', async () => {
    agent().model(right, right, reply('It is red.'));
    await agent().command('Waymark: Check Model');
    await shown('It called the tool correctly.');
    await shown('It shows its reasoning.');
    assert.equal(agent().server.requests.length, 1, 'one small call');
    await agent().window.screenshot('check-model');
    await agent().page.keyboard.type('picture');
    await until('the row for pictures alone', async () => (await rows().count()) === 1);
    await agent().page.keyboard.press('Enter');
    await shown('saw the red square');
    assert.equal(agent().server.requests.length, 3);
    await agent().page.keyboard.press('Escape');
  });

  it('says why a model does not answer, and suggests what to do', async () => {
    const toasts = agent().page.locator('.notifications-toasts .notification-list-item');
    await until('no message of the last check', async () => (await toasts.count()) === 0);
    await agent().page.waitForTimeout(800); // in less time, VS Code shows only three messages
    agent().model(failure(401, 'no such key'));
    await agent().command('Waymark: Check Model');
    const message = toasts.filter({ hasText: 'The model server did not accept the key.' }).first();
    await message.waitFor();
    await agent().window.screenshot('check-model-refused');
    await message.getByText('Set API Key', { exact: true }).click();
    await agent().page.locator('.quick-input-title', { hasText: 'API Key for' }).waitFor();
    await agent().page.keyboard.press('Escape');
  });
});
