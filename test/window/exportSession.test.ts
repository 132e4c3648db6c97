import { strict as assert } from 'node:assert';
import { reply } from '../support/modelServer';
import { until, useAgentWindow } from './support/agentWindow';

describe('Export Session in a window', function () {
  this.timeout(90_000);
  const agent = useAgentWindow();
  const widget = () => agent().page.locator('.quick-input-widget:visible');

  it('asks for the format and the place, and writes the run there', async () => {
    agent().model(reply('It is done.'));
    await agent().task('Say that it is done.');
    await agent().reaches('agent_response');
    for (const [label, name, words] of [['HTML report', 'told.html', /Content-Security-Policy[\s\S]*It is done\./], ['mini-swe-agent', 'told.traj.json', /"trajectory_format": "mini-swe-agent-1\.1"/]] as const) {
      await agent().command('Waymark: Export Session…');
      await widget().getByText('Secrets are masked').or(widget().locator('input[placeholder*="Secrets are masked"]')).first().waitFor();
      if (label === 'HTML report') await agent().window.screenshot('export-session-formats');
      await agent().page.keyboard.type(label);
      await agent().page.keyboard.press('Enter');
      const input = widget().locator('input[type="text"]').first();
      await until('the place is asked for', async () => /\.(?:html|json)$/.test(await input.inputValue()));
      const offered = await input.inputValue();
      await input.fill(`${offered.slice(0, offered.lastIndexOf('/') + 1)}${name}`);
      await agent().page.keyboard.press('Enter');
      const text = await until(`${name} is written`, () => agent().file(name));
      assert.match(text, words);
      await agent().page.locator('.notification-toast', { hasText: `Exported to ${name}.` }).first().waitFor();
    }
    await agent().window.screenshot('export-session-done');
  });
});
