import { strict as assert } from 'node:assert';
import { finish, run, useAgentWindow } from '../support/agentWindow';

describe('a window whose folder is the home folder', function () {
  this.timeout(120_000);
  const agent = useAgentWindow({ isHome: true, files: { 'notes.txt': 'one\n' } });

  it('warns in every session, before the agent does anything, and asks before it changes the account', async () => {
    await agent().window.openConversation();
    agent().model(run('echo "alias ls=ls" >> .bashrc'), finish('Done.'), finish('Done again.'));
    await agent().task('Add an alias.');
    const notice = agent().view.getByTestId('card-notice');
    const words = /This workspace contains your home folder\. .*Open a project folder instead\./;
    await notice.filter({ hasText: words }).waitFor();
    assert.equal(await notice.count(), 1);
    const types = agent()
      .events()
      .map(({ type }) => type);
    assert.ok(types.indexOf('notice') < types.indexOf('agent_response') || !types.includes('agent_response'));
    for (const theme of ['light', 'high-contrast-dark', 'dark'] as const) {
      await agent().window.setTheme(theme);
      await agent().window.screenshot(`home-folder-${theme}`);
    }
    await agent().reaches('confirmation_requested');
    assert.equal(agent().file('.bashrc'), undefined);
    await agent().command('Waymark: Approve Pending Action');
    await agent().finished();
    await agent().task('Once more.');
    await notice.filter({ hasText: words }).waitFor();
  });
});
