import { strict as assert } from 'node:assert';
import { reply } from '../../support/modelServer';
import { alive, finish, pause, pressOnCard, run, until, useSharedWindow } from '../support/agentWindow';

const risky = (name: string) => run(`rm -rf ${name} && echo ran >> ${name}.times`);

describe('an approval in a window', function () {
  this.timeout(240_000);
  const agent = useSharedWindow('asking');
  const approval = () => agent().view.getByTestId('approval');

  it('is never given by Enter, wherever the focus is', async () => {
    agent().model(risky('a'), finish('Did a.'));
    await agent().task('Do a.');
    await approval().waitFor();
    await alive(agent().view, 'run-once').waitFor();
    for (let times = 0; times < 3; times++) await agent().page.keyboard.press('Enter');
    await agent().view.getByTestId('run-once').focus();
    await agent().page.keyboard.press('Enter');
    await agent().view.getByText('Enter does not approve').waitFor();
    await agent().window.screenshot('approval-enter-350');
    await pause(300);
    assert.deepEqual(
      [agent().of('confirmation_resolved').length, agent().of('action_started').length, agent().file('a.times')],
      [0, 0, undefined],
    );
  });

  it('is given by Alt+Enter in the conversation, using only the keyboard', async () => {
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
    await agent()
      .page.locator('.pane', { hasText: 'Pending Approvals' })
      .locator('.monaco-list:focus-within')
      .waitFor();
    await agent().window.screenshot('approval-tree-350');
    const headline = (await agent().view.getByTestId('headline').innerText()).replace(/\s+/g, ' ').trim();
    assert.equal(
      (await row.locator('.label-description').innerText()).trim(),
      headline,
      'the row says what the card says',
    );
    assert.match((await row.getAttribute('aria-label')) ?? '', /^Waiting for approval\. Run rm -rf b/);
    await row.hover();
    await row.getByRole('button', { name: 'Refuse Pending Action' }).waitFor();
    await agent().page.keyboard.press('Alt+Enter');
    await agent().reaches('finished');
    assert.equal(agent().file('b.times'), 'ran\n');
    await row.waitFor({ state: 'detached' });
  });

  it('is given by Alt+Enter in the tree to the focused row, not to the visible action', async () => {
    agent().model(risky('g'), risky('h'), finish('Did one.'), finish('Left the other.'));
    await agent().task('Do g.');
    await approval().waitFor();
    await agent().task('Do h.');
    await approval().getByText('rm -rf h').first().waitFor();
    const pane = agent().page.locator('.pane', { hasText: 'Pending Approvals' });
    const rows = pane.locator('.monaco-list-row');
    await until('both in the tree', async () => (await rows.count()) === 2);
    await until('the other one has the focus', async () => {
      await agent().command('Waymark: Focus on Pending Approvals View');
      await agent().page.keyboard.press('Home');
      return (await pane.locator('.monaco-list:focus .monaco-list-row.focused', { hasText: 'rm -rf g' }).count()) === 1;
    });
    await agent().page.keyboard.press('Alt+Enter');
    await until('the one that has the focus', () => agent().file('g.times') === 'ran\n');
    await until('the other alone', async () => (await rows.count()) === 1);
    assert.equal(agent().file('h.times'), undefined);
    await approval().getByText('rm -rf h').first().waitFor({ timeout: 3000 });
    await agent().command('Waymark: Focus on Pending Approvals View');
    await agent().page.keyboard.press('Alt+Backspace');
    await until('none', async () => (await rows.count()) === 0);
    assert.equal(agent().file('h.times'), undefined);
  });

  it('can be given from the palette', async () => {
    agent().model(risky('c'), finish('Did c.'));
    await agent().task('Do c.');
    await approval().waitFor();
    await agent().command('Waymark: Approve Pending Action');
    await agent().reaches('finished');
    assert.equal(agent().file('c.times'), 'ran\n');
  });

  it('that is refused with a note sends the note to the model and runs nothing', async () => {
    const before = agent().server.requests.length;
    agent().model(risky('d'), finish('Left d alone.'));
    await agent().task('Do d.');
    await approval().waitFor();
    await pressOnCard(agent().view, 'refuse-note');
    await agent().page.keyboard.type('Keep it, rename it instead.');
    await agent().window.screenshot('approval-note-350');
    await agent().page.keyboard.press('Enter');
    await agent().reaches('finished');
    assert.equal(agent().file('d.times'), undefined);
    const told = agent().server.requests[before + 1]!.body.messages.at(-1)!;
    assert.equal(told.role, 'tool');
    assert.match(String(told.content), /Keep it, rename it instead\./);
  });

  it('stays open if "Always allow…" is canceled; allowed for the session, exactly this command runs again', async () => {
    agent().model(risky('e'), risky('e'), risky('f'), finish('Did e.'));
    await agent().task('Do e twice and f once.');
    await approval().waitFor();
    await pressOnCard(agent().view, 'always-allow');
    await agent().view.getByTestId('allow').getByText('Allow rm -rf e && echo ran >> e.times in this folder').waitFor();
    await agent().window.screenshot('approval-always-allow-350');
    const around = agent().page.locator('iframe.webview.ready').first();
    assert.equal(await around.evaluate((frame) => frame.parentElement!.scrollTop), 0, 'the whole panel was scrolled');
    await agent().page.keyboard.press('Escape');
    await pause(300);
    assert.equal(agent().of('action_started').length, 0);
    await agent().view.getByTestId('always-allow').click({ timeout: 2000 });
    await agent().view.getByTestId('allow').waitFor({ timeout: 3000 });
    await alive(agent().view, 'allow-session').waitFor();
    await agent().page.keyboard.press('Enter');
    await pause(300);
    assert.equal(agent().of('action_started').length, 0, 'Enter consents to nothing');
    await agent().page.keyboard.press('Tab');
    await agent().page.keyboard.press('Space');
    await agent().reaches('confirmation_requested', 2);
    assert.equal(agent().file('e.times'), 'ran\nran\n');
    assert.deepEqual(
      agent()
        .of('confirmation_resolved')
        .map(({ by }) => by),
      ['person', 'rule'],
    );
    assert.equal(agent().file('f.times'), undefined);
    await alive(agent().view, 'refuse').click();
    await agent().reaches('finished');
  });

  it('is counted in the status bar while it waits', async () => {
    agent().model(risky('g'), finish('Left g.'), reply('Hello.'));
    await agent().task('Do g.');
    await approval().waitFor();
    await agent().page.locator('.statusbar-item', { hasText: '1 approval' }).waitFor();
    await agent().command('Waymark: Refuse Pending Action');
    await agent().reaches('finished');
    await agent().page.locator('.statusbar-item', { hasText: '1 approval' }).waitFor({ state: 'detached' });
  });
});
