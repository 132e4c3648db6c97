import { strict as assert } from 'node:assert';
import { finish, run, until, useSharedWindow } from '../support/agentWindow';

/** The choice in the header's list for each mode of a started session. */
const inHeader = { confirm: 'risky' } as const;

describe('a mode chosen before a task', function () {
  this.timeout(240_000);
  const agent = useSharedWindow('asking');
  const byId = (id: string) => agent().view.getByTestId(id);
  const dialog = () => agent().page.locator('.monaco-dialog-box');
  const statusBar = () => agent().page.locator('.statusbar-item', { hasText: 'Auto' });
  const lastMode = (): string | undefined => agent().of('task_started').at(-1)?.mode;
  const shows = (choice: string) =>
    until(`the mode ${choice} in the header`, async () => (await byId('mode').inputValue()) === choice);

  before(() => agent().window.openConversation());

  it('applies only to the next session, and changes no setting', async () => {
    await byId('mode').selectOption('plan');
    agent().model(finish('A plan.'));
    await agent().task('Plan it.');
    await agent().reaches('finished');
    assert.equal(lastMode(), 'plan');
    await shows('plan');
    await agent().command('Waymark: New Session');
    await shows(inHeader.confirm);
  });

  it('is Auto only after confirmation, once per workspace, and Auto is shown in header and status bar', async () => {
    await byId('mode').selectOption('auto');
    await dialog().getByText('Use Auto in this workspace?').waitFor();
    assert.match(await dialog().innerText(), /without asking[^]*protected files[^]*destroy this machine/);
    await shows(inHeader.confirm);
    await agent().window.screenshot('auto-confirm-350');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await shows(inHeader.confirm);
    await byId('mode').selectOption('auto');
    await dialog().getByRole('button', { name: 'Use Auto' }).click();
    await shows('auto');
    await statusBar().waitFor();
    agent().model(run('rm -rf nothing-there'), finish('Done.'));
    await agent().task('Do it.');
    await agent().reaches('finished');
    assert.equal(lastMode(), 'auto');
    assert.equal(agent().of('confirmation_requested').length, 0);
    await statusBar().waitFor();
    assert.match((await statusBar().getAttribute('class')) ?? '', /warning-kind/);
    await agent().window.screenshot('auto-350');
    await agent().command('Waymark: New Session');
    await shows(inHeader.confirm);
    await statusBar().waitFor({ state: 'hidden' });
    await byId('mode').selectOption('auto');
    await shows('auto');
    await statusBar().waitFor();
    assert.equal(await dialog().count(), 0, 'it is asked once');
    await byId('mode').selectOption('risky');
    await statusBar().waitFor({ state: 'hidden' });
  });
});
