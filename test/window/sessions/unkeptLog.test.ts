import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { newestLog, run, until, useSharedWindow } from '../support/agentWindow';

describe('a window whose log folder is not writable', function () {
  this.timeout(240_000);
  const agent = useSharedWindow('asking');

  /** The folder of the workspace's sessions. It exists once the window has started. */
  const sessionsFolder = (): Promise<string> => {
    const parent = path.join(agent().window.server.userData, 'User/globalStorage/waymark.waymark/workspaces');
    return until('the storage of the window', () => {
      const [found] = fs.existsSync(parent) ? fs.readdirSync(parent) : [];
      return found && path.join(parent, found, 'sessions');
    });
  };

  it('says so at once, runs nothing, and offers to stop the run or open the folder', async () => {
    // A first task creates the storage.
    agent().model(run('true'), run('sleep 61.5'));
    await agent().task('Make the storage.');
    await agent().reaches('action_started', 2);
    await agent().command('Waymark: Stop');
    await agent().reaches('finished');
    const sessions = await sessionsFolder();
    const known = newestLog(agent().window);
    // A file in place of the folder makes writes fail for everyone, including root.
    fs.renameSync(sessions, `${sessions}-aside`);
    fs.writeFileSync(sessions, '');

    agent().model(run('touch effect'));
    await agent().command('Waymark: Run Agent on Task');
    await agent().answer('Leave an effect.');

    const told = agent().page.locator('.notification-toast', { hasText: "The session's log cannot be written" });
    await told.first().waitFor();
    const words = await told.first().innerText();
    assert.match(words, /Nothing else runs until it can/);
    assert.match(words, /Check the write permissions of the folder/);
    await told.getByText('Show Folder').first().waitFor();
    await agent().view.getByTestId('unkept').waitFor();
    assert.equal(agent().file('effect'), undefined, 'nothing happens that no log tells of');
    await told.getByText('Stop Run').first().click();
    await told.first().waitFor({ state: 'hidden' });
    assert.equal(agent().file('effect'), undefined);

    // Once the folder is writable, pending events are saved and shown.
    fs.rmSync(sessions);
    fs.renameSync(`${sessions}-aside`, sessions);
    await until('the log of the task', () => newestLog(agent().window) !== known, 60);
    const { status } = await agent().reaches('finished');
    // A run whose log cannot be written fails by itself after a while. On a slow machine that may happen first.
    assert.ok(['stopped', 'failed'].includes(status), status);
    // A start may be noted before the first write fails. The action itself waits for the disk, and never ran.
    const outcomes = agent()
      .of('observation')
      .map(({ outcome }) => outcome);
    assert.ok(
      outcomes.every((outcome) => outcome === 'skipped'),
      outcomes.join(', '),
    );
    assert.equal(agent().file('effect'), undefined);
    await agent().view.getByTestId('unkept').waitFor({ state: 'hidden' });
  });
});
