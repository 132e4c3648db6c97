import { strict as assert } from 'node:assert';
import { conversation, extensionsLoaded, openConversation, openFolder } from '../../../scripts/host/drive.mjs';
import { reply, toolCall } from '../../support/modelServer';
import { finish, run, until, useSharedWindow } from '../support/agentWindow';

const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join('');

describe('changes of a session open in another window', function () {
  this.timeout(180_000);
  const agent = useSharedWindow('unattended', { files: { 'text.txt': lines } });

  it('are undone in one window, and the window with the session tells the model', async () => {
    agent().model(
      toolCall('write_file', { path: 'made.txt', content: 'one\n' }),
      run("sed -i 's/^line 5$/LINE 5/; s/^line 25$/LINE 25/' text.txt"),
      finish('Done.'),
    );
    await agent().task('Shout.');
    await agent().reaches('finished');
    await agent().view.getByTestId('review-list').waitFor();
    const second = await agent().page.context().newPage();
    try {
      second.setDefaultTimeout(60_000);
      await openFolder(second, agent().window.server);
      await extensionsLoaded(second);
      await openConversation(second);
      await conversation(second).getByText('This session is open in another window').waitFor();
      await second.locator('.statusbar-item', { hasText: '2 files to review' }).waitFor();
      await second.keyboard.press('F1');
      await second.locator('.quick-input-widget input[type="text"]').first().fill('>Waymark: Undo All Changes');
      await second.locator('.quick-input-list .monaco-list-row', { hasText: 'Undo All Changes' }).first().waitFor();
      await second.keyboard.press('Enter');
      await until('all undone', () => agent().file('text.txt') === lines && agent().file('made.txt') === undefined);
      await second.screenshot({ path: await agent().window.screenshot('review-second-window') });
    } finally {
      await second.close();
    }
    agent().model(reply('Understood.'));
    await agent().view.getByTestId('composer').fill('Go on.');
    await agent().view.getByTestId('composer').press('Enter');
    await until('the answer', () => agent().of('agent_response').at(-1)?.text === 'Understood.');
    const told = agent()
      .of('feedback')
      .filter(({ cause }) => cause === 'changes_undone');
    assert.equal(told.length, 1);
    assert.match(JSON.stringify(agent().server.requests.at(-1)!.body), /The user undid these 3 changes of yours/);
  });
});
