import { strict as assert } from 'node:assert';
import { toolCall } from '../../support/modelServer';
import { finish, goOnFromEachOther, until, useSharedWindow } from '../support/agentWindow';

describe('going back to a step, in a window', function () {
  this.timeout(240_000);
  goOnFromEachOther(this);
  const agent = useSharedWindow('asking', { files: { 'a.txt': 'one\n', 'b.txt': 'other\n' } });
  const sessions = () =>
    agent().page.locator('.pane', { has: agent().page.locator('.pane-header', { hasText: 'Sessions' }) });
  /** Rows of these sessions, which are below the row of their day. */
  const rows = () => sessions().locator('.monaco-list-row:not([aria-level="1"])', { hasText: 'Make a file.' });
  const picker = () => agent().page.locator('.quick-input-widget:visible');
  /** Picks the row with this text in the open list. */
  const pick = async (title: string, words: string): Promise<void> => {
    await until(`the list "${title}"`, async () =>
      (
        await picker()
          .locator('.quick-input-title')
          .textContent()
          .catch(() => '')
      )?.includes(title),
    );
    await picker().locator('.monaco-list-row', { hasText: words }).first().click();
  };
  const type = async (words: string): Promise<void> => {
    await until('the box for the instruction', async () =>
      (await picker().innerText()).includes('What should the agent do from here?'),
    );
    await agent().page.keyboard.type(words);
    await agent().page.keyboard.press('Enter');
  };

  it('works from the palette: a new session continues with another instruction', async () => {
    agent().model(
      toolCall('read_file', { path: 'a.txt' }),
      toolCall('write_file', { path: 'made.txt', content: 'made\n' }),
      finish('It is made.'),
    );
    await agent().task('Make a file.');
    await agent().reaches('finished');
    agent().model(finish('Said in other words.'));
    await agent().command('Waymark: Fork from Step…');
    await until('the steps', async () => (await picker().locator('.monaco-list-row').count()) === 4);
    assert.match(
      (await picker().locator('input[type="text"]').getAttribute('placeholder')) ?? '',
      /Files are not restored/,
    );
    await agent().window.screenshot('fork-steps');
    await pick('Fork from Step', 'Read a.txt');
    await pick('Fork after', 'With Different Instructions…');
    await type('Only say what is in it.');
    await until('the words in the new session', () =>
      agent()
        .events()
        .some((event) => event.type === 'user_message' && event.text === 'Only say what is in it.'),
    );
    await agent().reaches('finished');
    assert.equal(agent().events()[0]!.type, 'settings_changed', 'the log of the fork begins after what both have');
    assert.equal(agent().of('finished')[0]!.summary, 'Said in other words.');
    await agent().view.getByText('Files are not restored').first().waitFor();
    assert.equal(agent().file('made.txt'), 'made\n', 'files stay as they are');
  });

  it('lists the fork below its original session', async () => {
    if ((await rows().count()) === 0) await sessions().locator('.pane-header').click();
    await until('both in the list', async () => (await rows().count()) === 2);
    const [first, second] = await Promise.all([0, 1].map((index) => rows().nth(index).getAttribute('aria-level')));
    assert.deepEqual([first, second], ['2', '3']);
    assert.match(await rows().nth(1).innerText(), /Make a file\. · from step 1[\s\S]*fork/);
    assert.equal(await rows().nth(1).locator('.codicon-repo-forked').count(), 1);
    await agent().window.screenshot('fork-tree');
  });

  it('works from the step itself, by its button', async () => {
    agent().model(finish('From the step.'));
    await agent().view.getByTestId('step-row').first().click();
    await agent().view.getByTestId('fork').first().click();
    await pick('Fork after', 'Continue as Before');
    await until('a third session', async () => (await rows().count()) === 3);
    await until('its end', () => agent().of('finished')[0]?.summary === 'From the step.');
  });

  it('can be replayed in a copy, with a report of the same actions', async () => {
    await agent().command('Waymark: Replay Session…');
    await pick('Replay Session', 'current session');
    await until('the folders', async () => (await picker().innerText()).includes('Another folder…'));
    await agent().page.keyboard.press('Enter');
    await until('the report', async () =>
      /actions?: \d+ the same/.test(
        (
          await agent()
            .page.locator('.editor-instance .view-lines')
            .first()
            .innerText()
            .catch(() => '')
        ).replaceAll('\u00a0', ' '),
      ),
    );
    await agent().window.screenshot('replay-report');
  });
});
