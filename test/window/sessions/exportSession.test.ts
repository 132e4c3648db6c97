import { strict as assert } from 'node:assert';
import { formatNamed } from '../../../src/core/trajectory/formats/formats';
import { reply } from '../../support/modelServer';
import { fullRun } from '../../support/trajectory';
import { entersInQuickInput, until, useSharedWindow } from '../support/agentWindow';
import { writeAtOnce } from '../../../src/core/trajectory/format';

describe('Export Session in a window', function () {
  this.timeout(240_000);
  const [other] = writeAtOnce(formatNamed('mini'), fullRun(), { version: '0', session: 'other' });
  const agent = useSharedWindow('asking', { files: { 'runs/other.traj.json': other!.text } });
  const widget = () => agent().page.locator('.quick-input-widget:visible');

  async function exportsAs(command: string, label: string, name: string, words: RegExp): Promise<void> {
    await agent().command(command);
    await widget()
      .getByText('Secrets are masked')
      .or(widget().locator('input[placeholder*="Secrets are masked"]'))
      .first()
      .waitFor();
    if (label === 'HTML report') await agent().window.screenshot('export-session-formats');
    const input = widget().locator('input[type="text"]').first();
    // The editor tab may take the focus once more. The list stays open. Like a click, `fill` focuses it.
    await until(`${label} is chosen`, async () => {
      await input.fill(label);
      await widget().locator('.monaco-list-row.focused', { hasText: label }).waitFor();
      return entersInQuickInput(agent().page);
    });
    await until('the place is asked for', async () => /\.(?:html|jsonl?)$/.test(await input.inputValue()));
    const offered = await input.inputValue();
    await input.fill(`${offered.slice(0, offered.lastIndexOf('/') + 1)}${name}`);
    await agent().page.keyboard.press('Enter');
    const text = await until(`${name} is written`, () => agent().file(name));
    assert.match(text, words);
    await agent()
      .page.locator('.notification-toast', { hasText: `Exported to ${name}.` })
      .first()
      .waitFor();
  }

  it('asks for format and place, and writes the run there', async () => {
    agent().model(reply('It is done.'));
    await agent().task('Say that it is done.');
    await agent().reaches('agent_response');
    await exportsAs(
      'Waymark: Export Session…',
      'HTML report',
      'told.html',
      /Content-Security-Policy[\s\S]*It is done\./,
    );
    await exportsAs(
      'Waymark: Export Session…',
      'mini-swe-agent',
      'told.traj.json',
      /"trajectory_format": "mini-swe-agent-1\.1"/,
    );
    await agent().window.screenshot('export-session-done');
  });

  it('exports the trajectory in the inspector', async () => {
    await agent().page.keyboard.press('ControlOrMeta+P');
    await widget().locator('input[type="text"]').first().fill('runs/other.traj.json');
    await agent().page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'other.traj.json' }).waitFor();
    await agent().page.keyboard.press('Enter');
    await agent().page.locator('.tabs-container .tab.active[data-resource-name="other.traj.json"]').waitFor();
    // The inspector takes the focus after reading the run, which would close a list opened earlier.
    await agent().window.inspector().locator('.row-line:focus').waitFor();
    await exportsAs(
      'Waymark: Export Trajectory…',
      'OpenAI messages',
      'told.messages.jsonl',
      /^\{"messages":\[.*AssertionError/,
    );
  });
});
