import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { finish, goOnFromEachOther, run, until, useAgentWindow } from '../support/agentWindow';

describe('the mode of a session', function () {
  this.timeout(240_000);
  goOnFromEachOther(this);
  const agent = useAgentWindow({ files: { 'a.txt': 'one\n' } });
  const byId = (id: string) => agent().view.getByTestId(id);
  const dialog = () => agent().page.locator('.monaco-dialog-box');
  const picker = () => agent().page.locator('.quick-input-widget:visible');
  const statusBar = (words: string) => agent().page.locator('.statusbar-item', { hasText: words });
  const shows = (choice: string) =>
    until(`the mode ${choice} in the header`, async () => (await byId('mode').inputValue()) === choice);
  const machineSettings = (): Record<string, unknown> => {
    const file = path.join(agent().window.server.userData, 'Machine', 'settings.json');
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>;
  };
  const say = async (words: string): Promise<void> => {
    await byId('composer').fill(words);
    await byId('composer').press('Enter');
  };
  const offered = (): string => JSON.stringify(agent().server.requests.at(-1)!.body.tools ?? []);

  before(() => agent().window.openConversation());

  it('stays the same for a follow-up and after the window is reopened', async () => {
    await byId('mode').selectOption('plan');
    agent().model(finish('A plan.'), finish('Another plan.'), finish('A third plan.'));
    await agent().task('Plan it.');
    await agent().reaches('finished');
    await say('Plan it better.');
    await agent().reaches('finished', 2);
    await shows('plan');
    await agent().window.reload();
    await agent().window.openConversation();
    await shows('plan');
    await say('And once more.');
    await agent().reaches('finished', 3);
    assert.equal(agent().of('task_started')[0]!.mode, 'plan');
    assert.deepEqual(
      agent()
        .of('settings_changed')
        .filter(({ mode }) => mode !== undefined),
      [],
      'nothing changed the mode',
    );
    assert.doesNotMatch(offered(), /"write_file"/, 'the model is offered nothing that writes');
  });

  it('stays the same in a fork, but does not apply to the next new session', async () => {
    agent().model(finish('From the fork.'));
    const before = agent().of('task_started').length;
    await agent().command('Waymark: Fork from Step…');
    await until('the steps', async () => (await picker().locator('.monaco-list-row').count()) > 1);
    await picker().locator('.monaco-list-row', { hasText: 'Plan it.' }).first().click();
    await until('what to do from there', async () => (await picker().innerText()).includes('Continue as Before'));
    await picker().locator('.monaco-list-row', { hasText: 'Continue as Before' }).first().click();
    await until('the fork', () => agent().of('task_started').length < before);
    await until('its end', () =>
      agent()
        .of('finished')
        .some(({ summary }) => summary === 'From the fork.'),
    );
    await shows('plan');
    await agent().command('Waymark: New Session');
    await shows('risky');
    assert.equal(machineSettings()['waymark.mode'], undefined);
  });

  it('becomes the default only by Set Default Mode, which explains the effect', async () => {
    await agent().command('Waymark: Set Default Mode…');
    await until('the list', async () => (await picker().innerText()).includes('Auto: rarely ask'));
    const placeholder = (await picker().locator('input[type="text"]').getAttribute('placeholder')) ?? '';
    assert.match(placeholder, /Every new session on this machine starts in this mode, in every folder/);
    await agent().window.screenshot('default-mode-350');
    await picker().locator('.monaco-list-row', { hasText: 'Auto: rarely ask' }).click();
    await dialog().getByText('Make Auto the default mode?').waitFor();
    assert.match(
      await dialog().innerText(),
      /Every new session on this machine[^]*without asking[^]*Each workspace still asks once/,
    );
    await agent().window.screenshot('default-auto-350');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    assert.equal(machineSettings()['waymark.mode'], undefined);
    await shows('risky');
    await agent().command('Waymark: Set Default Mode…');
    await picker().locator('.monaco-list-row', { hasText: 'Auto: rarely ask' }).click();
    await dialog().getByRole('button', { name: 'Make Auto the Default' }).click();
    await shows('auto');
    agent().model(finish('Not done.'));
    const log = agent().events().length;
    await say('Do it.');
    await dialog().getByText('Use Auto in this workspace?').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await agent().view.getByText('Auto is not confirmed for this workspace').first().waitFor();
    assert.equal(agent().events().length, log, 'no session began');
    await byId('composer').fill('');
    await agent().command('Waymark: Set Default Mode…');
    await picker().locator('.monaco-list-row', { hasText: 'Ask if risky' }).click();
    await shows('risky');
  });

  it('is in the status bar while a hidden session runs in Auto; Auto is confirmed once, even after reopening the window', async () => {
    await byId('mode').selectOption('auto');
    await dialog().getByRole('button', { name: 'Use Auto' }).click();
    await shows('auto');
    await agent().keeps('"waymark.autoConfirmed":true');
    await agent().window.reload();
    await agent().window.openConversation();
    await agent().command('Waymark: New Session');
    await byId('mode').selectOption('auto');
    await shows('auto');
    assert.equal(await dialog().count(), 0, 'it was confirmed before');
    agent().model(run('until [ -e go.txt ]; do sleep 0.1; done'), finish('Done out of sight.'));
    await agent().task('Wait for a file.');
    await agent().reaches('action_started');
    await agent().command('Waymark: New Session');
    await shows('risky');
    const elsewhere = statusBar('Auto in 1 other session');
    await elsewhere.waitFor();
    assert.match((await elsewhere.getAttribute('class')) ?? '', /warning-kind/);
    await agent().window.screenshot('auto-elsewhere-350');
    fs.writeFileSync(path.join(agent().window.workspace, 'go.txt'), '');
    await agent().reaches('finished');
    await elsewhere.waitFor({ state: 'detached' });
  });
});
