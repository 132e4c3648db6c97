import { strict as assert } from 'node:assert';
import { finish, run, until, useAgentWindow } from './support/agentWindow';

/** Which choice a mode of a started session comes to in the list of the header. */
const inHeader = { confirm: 'risky', auto: 'auto', plan: 'plan', human: 'human' } as const;

describe('a mode that is chosen before a task', function () {
  this.timeout(90_000);
  const agent = useAgentWindow();
  const byId = (id: string) => agent().view.getByTestId(id);
  const dialog = () => agent().page.locator('.monaco-dialog-box');
  const statusBar = () => agent().page.locator('.statusbar-item', { hasText: 'Auto' });
  const lastMode = (): string | undefined => agent().of('task_started').at(-1)?.mode;
  const shows = (choice: string) => until(`the mode ${choice} in the header`, async () => (await byId('mode').inputValue()) === choice);

  before(() => agent().window.openConversation());

  it('is for the next session alone, and no setting is written', async () => {
    await byId('mode').selectOption('plan');
    agent().model(finish('A plan.'));
    await agent().task('Plan it.');
    await agent().reaches('finished');
    assert.equal(lastMode(), 'plan');
    await shows('plan');
    await agent().command('Waymark: New Session');
    await shows(inHeader.confirm);
  });

  it('is Auto only after it was confirmed, once for the workspace; it is seen in the header and the status bar as long as it holds', async () => {
    await byId('mode').selectOption('auto');
    await dialog().getByText('Use Auto in this workspace?').waitFor();
    assert.match(await dialog().innerText(), /without asking[^]*protected files[^]*destroy this machine/);
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
    assert.match(await statusBar().getAttribute('class') ?? '', /warning-kind/);
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
