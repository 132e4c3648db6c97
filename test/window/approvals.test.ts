import { strict as assert } from 'node:assert';
import { reply } from '../support/modelServer';
import { finish, pause, run, useAgentWindow } from './support/agentWindow';

const risky = (name: string) => run(`rm -rf ${name} && echo ran >> ${name}.times`);

describe('an approval in a window', function () {
  this.timeout(60_000);
  const agent = useAgentWindow();
  const approval = () => agent().view.getByTestId('approval');

  it('is never given by Enter, wherever the keyboard is', async () => {
    agent().model(risky('a'), finish('Did a.'));
    await agent().task('Do a.');
    await approval().waitFor();
    await pause(600); // buttons are dead for a moment after they appear
    for (let times = 0; times < 3; times++) await agent().page.keyboard.press('Enter');
    await agent().view.getByTestId('run-once').focus();
    await agent().page.keyboard.press('Enter');
    await agent().view.getByText('Enter does not approve').waitFor();
    await agent().window.screenshot('approval-enter-350');
    await pause(300);
    assert.deepEqual([agent().of('confirmation_resolved').length, agent().of('action_started').length, agent().file('a.times')], [0, 0, undefined]);
  });

  it('is given by Alt+Enter in the conversation, from palette to end without the mouse', async () => {
    await agent().page.keyboard.press('Alt+Enter');
    await agent().reaches('finished');
    await agent().finished();
    assert.equal(agent().file('a.times'), 'ran\n');
    await agent().window.screenshot('finished-350');
  });

  it('is given by Alt+Enter in the tree of pending approvals', async () => {
    agent().model(risky('b'), finish('Did b.'));
    await agent().task('Do b.');
    await approval().waitFor();
    await agent().command('Waymark: Focus on Pending Approvals View');
    const tree = agent().page.locator('.pane', { hasText: 'Pending Approvals' }).locator('.monaco-list');
    const row = tree.locator('.monaco-list-row', { hasText: 'rm -rf b' });
    await row.waitFor();
    await agent().page.locator('.pane', { hasText: 'Pending Approvals' }).locator('.monaco-list:focus-within').waitFor();
    await agent().window.screenshot('approval-tree-350');
    await agent().page.keyboard.press('Alt+Enter');
    await agent().reaches('finished');
    assert.equal(agent().file('b.times'), 'ran\n');
    await row.waitFor({ state: 'detached' });
  });

  it('is given by the palette', async () => {
    agent().model(risky('c'), finish('Did c.'));
    await agent().task('Do c.');
    await approval().waitFor();
    await agent().command('Waymark: Approve the Waiting Action');
    await agent().reaches('finished');
    assert.equal(agent().file('c.times'), 'ran\n');
  });

  it('that is refused with a note takes the note to the model and runs nothing', async () => {
    const before = agent().server.requests.length;
    agent().model(risky('d'), finish('Left d alone.'));
    await agent().task('Do d.');
    await approval().waitFor();
    await pause(600);
    await agent().view.getByTestId('refuse-note').click();
    await agent().page.keyboard.type('Keep it, rename it instead.');
    await agent().window.screenshot('approval-note-350');
    await agent().page.keyboard.press('Enter');
    await agent().reaches('finished');
    assert.equal(agent().file('d.times'), undefined);
    const told = agent().server.requests[before + 1]!.body.messages.at(-1)!;
    assert.equal(told.role, 'tool');
    assert.match(String(told.content), /Keep it, rename it instead\./);
  });

  it('stays when "Always allow…" is backed out of, and given for the session it lets exactly this command run again', async () => {
    agent().model(risky('e'), risky('e'), risky('f'), finish('Did e.'));
    await agent().task('Do e twice and f once.');
    await approval().waitFor();
    await pause(600);
    await agent().view.getByTestId('always-allow').click();
    await agent().view.getByTestId('allow').getByText('Exactly this command').waitFor();
    await agent().window.screenshot('approval-always-allow-350');
    await agent().page.keyboard.press('Escape');
    await pause(300);
    assert.equal(agent().of('action_started').length, 0);
    await agent().view.getByTestId('always-allow').click({ timeout: 2000 });
    await agent().view.getByTestId('allow').waitFor({ timeout: 3000 });
    await pause(600);
    await agent().page.keyboard.press('Enter');
    await pause(300);
    assert.equal(agent().of('action_started').length, 0, 'Enter consents to nothing');
    await agent().page.keyboard.press('Tab');
    await agent().page.keyboard.press('Space');
    await agent().reaches('confirmation_requested', 2);
    assert.equal(agent().file('e.times'), 'ran\nran\n');
    assert.deepEqual(agent().of('confirmation_resolved').map(({ by }) => by), ['person', 'rule']);
    assert.equal(agent().file('f.times'), undefined);
    await pause(600);
    await agent().view.getByTestId('refuse').click();
    await agent().reaches('finished');
  });

  it('is not needed for words alone, and a waiting one says so outside the view too', async () => {
    agent().model(risky('g'), finish('Left g.'), reply('Hello.'));
    await agent().task('Do g.');
    await approval().waitFor();
    await agent().page.locator('.statusbar-item', { hasText: '1 approval' }).waitFor();
    await agent().command('Waymark: Refuse the Waiting Action');
    await agent().reaches('finished');
    await agent().page.locator('.statusbar-item', { hasText: '1 approval' }).waitFor({ state: 'detached' });
  });
});
