import { strict as assert } from 'node:assert';
import { useSharedWindow } from '../support/agentWindow';

describe('Explain Command in a window', function () {
  this.timeout(240_000);
  const agent = useSharedWindow('asking');
  const widget = () => agent().page.locator('.quick-input-widget');

  it('asks for a command and shows its risk, the deciding part and the rule, without running it', async () => {
    await agent().command('Waymark: Explain Command…');
    await widget().getByText('The shell command to explain').waitFor();
    await agent().page.keyboard.type('echo ok > made.txt && rm -rf src');
    await agent().page.keyboard.press('Enter');
    await widget().getByText('High risk').waitFor();
    const shown = await widget().innerText();
    for (const words of ['Reasons', 'Deletes ', 'The deciding part', 'rm -rf src', 'Effects'])
      assert.ok(shown.includes(words), `${words} is missing in: ${shown}`);
    await agent().window.screenshot('explain-command-high');
    await agent().page.keyboard.press('Escape');
    assert.equal(agent().file('made.txt'), undefined);
  });

  it('says that a harmless command only reads', async () => {
    await agent().command('Waymark: Explain Command…');
    await widget().getByText('The shell command to explain').waitFor();
    await agent().page.keyboard.type('ls -la');
    await agent().page.keyboard.press('Enter');
    await widget().getByText('Low risk').waitFor();
    await agent().window.screenshot('explain-command-low');
    await agent().page.keyboard.press('Escape');
  });
});
