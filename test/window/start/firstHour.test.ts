import { strict as assert } from 'node:assert';
import { failure, reply, toolCall } from '../../support/modelServer';
import { finish, gate, newestLog, until, useAgentWindow } from '../support/agentWindow';

const files = {
  'README.md': '# Ferries\n\nWhen they leave.\n',
  'src/times.test.js': '// TODO: ask the port\n',
};

describe('the first hour in a window', function () {
  this.timeout(240_000);
  const agent = useAgentWindow({ files, settings: { 'waymark.confirmation': 'never' } });
  const byId = (id: string) => agent().view.getByTestId(id);
  const page = () => agent().page;
  const composerIs = (words: string): Promise<unknown> =>
    until(`"${words}" in the message`, async () => (await byId('composer').inputValue()) === words);
  /** Sends a message by keyboard. A command opens the list of commands, which would receive the Enter key. */
  const send = async (words: string): Promise<void> => {
    await byId('composer').fill(words);
    if (/^\/[a-z]+$/.test(words)) {
      await byId('completions').waitFor();
      await byId('composer').press('Escape'); // without a list, Esc would move the focus to the editor
      await byId('completions').waitFor({ state: 'detached' });
    }
    await byId('composer').press('Enter');
  };

  it('suggests tasks that fit the folder; one fills the message and starts only when it is sent', async () => {
    await agent().window.openConversation();
    const starters = byId('starter');
    await starters.filter({ hasText: 'Run the tests and fix what fails' }).waitFor();
    const labels = await until('the TODO that a search finds', async () => {
      const texts = await starters.allInnerTexts();
      return texts.some((text) => text.includes('TODO')) && texts.map((text) => text.trim());
    });
    assert.deepEqual(labels, ['Run the tests and fix what fails', 'List the TODO comments', 'Explain this project']);
    await agent().window.screenshot('starters');
    await starters.filter({ hasText: 'Explain this project' }).click();
    await composerIs('Explain this project from @README.md and its code: what it does, and where to start.');
    assert.equal(newestLog(agent().window), undefined, 'nothing began by itself');
    agent().model(finish('It lists ferries.'));
    await byId('send').click();
    await agent().finished();
    assert.deepEqual(
      (await agent().reaches('task_started')).context?.map(({ source }) => source),
      ['README.md'],
    );
  });

  it('retries the model at once if the person does not want to wait', async () => {
    agent().model(failure(429, 'Slow down.', { 'retry-after': '600' }), finish('Second try.'));
    await agent().task('Ask twice.');
    await byId('retry-now').waitFor();
    await agent().window.screenshot('retry-now');
    await byId('retry-now').click();
    assert.equal((await agent().reaches('finished')).summary, 'Second try.');
    const [wait] = agent().of('retry_scheduled');
    assert.ok(wait!.delayMs >= 600_000, 'the server asked for ten minutes');
  });

  it('lists a running session as Working until it ends', async () => {
    const held = gate();
    agent().model(() => held.opened.then(() => finish('Worked.') as never));
    await agent().task('Work for a while.');
    const inTitle = (name: RegExp) => agent().window.page.locator('.part.sidebar').getByRole('button', { name });
    await inTitle(/^Stop/).waitFor();
    await agent().command('Waymark: New Session');
    await inTitle(/^Stop/).waitFor({ state: 'detached' });
    await inTitle(/^Run Agent on Task/).waitFor();
    const row = byId('recent').filter({ hasText: 'Work for a while.' });
    await row.filter({ hasText: 'Working' }).waitFor();
    await agent().window.screenshot('recent-working');
    held.open();
    await row.filter({ hasText: 'Finished' }).waitFor();
    assert.equal(await row.filter({ hasText: 'Working' }).count(), 0);
  });

  it('continues from an earlier message with new text and with the files of that time', async () => {
    agent().model(toolCall('write_file', { path: 'wrong.txt', content: 'wrong\n' }), finish('Wrong file.'));
    await agent().task('Make a file.');
    await agent().reaches('finished');
    await byId('review-list').waitFor();
    const first = newestLog(agent().window);
    await byId('edit-message').first().click();
    await composerIs('Make a file.');
    agent().model(finish('No file.'));
    await send('Make no file.');
    const dialog = page().locator('.monaco-dialog-box');
    await dialog.waitFor();
    assert.match(await dialog.innerText(), /Restore 1 file to how it was before the first step\?[\s\S]*wrong\.txt/);
    await agent().inDialog('Enter');
    await until('another session', () => newestLog(agent().window) !== first);
    assert.equal((await agent().reaches('task_started')).task, 'Make no file.');
    await agent().reaches('finished');
    assert.equal(agent().file('wrong.txt'), undefined);
  });

  it('keeps the text of an edited message if the person does not restore the files', async () => {
    agent().model(toolCall('write_file', { path: 'kept.txt', content: 'kept\n' }), finish('Kept.'));
    await agent().task('Make what stays.');
    await agent().reaches('finished');
    await byId('review-list').waitFor();
    const before = newestLog(agent().window);
    await byId('edit-message').first().click();
    await composerIs('Make what stays.');
    await send('Make something else.');
    await agent().inDialog('Escape');
    await agent().view.getByRole('alert').getByText('Not sent: the files were not restored.').waitFor();
    await composerIs('Make something else.');
    assert.equal(newestLog(agent().window), before);
    assert.equal(agent().file('kept.txt'), 'kept\n');
    await byId('composer').fill('');
  });

  it('completes its own commands after a slash, and runs them', async () => {
    await agent().command('Waymark: New Session');
    await page().keyboard.type('/');
    const offered = byId('completions').getByRole('option');
    await offered.filter({ hasText: '/export' }).waitFor();
    const names = (await offered.allInnerTexts()).map((text) => /\/([a-z]+)/.exec(text)?.[1]);
    // Shortest names first, as in every completion list.
    assert.deepEqual(names.sort(), ['compact', 'export', 'help', 'mode', 'model', 'new', 'plan', 'review', 'undo']);
    await agent().window.screenshot('slash-commands');
    await send('/mode');
    const picker = page().locator('.quick-input-widget:visible');
    await picker.waitFor();
    await until('the modes', async () => (await picker.locator('.monaco-list-row').count()) > 2);
    await page().keyboard.press('Escape');
    await picker.waitFor({ state: 'hidden' });
    await until('the composer to have the focus again', () =>
      byId('composer').evaluate((box) => box.ownerDocument.hasFocus() && box.ownerDocument.activeElement === box),
    );
    await send('/help');
    const help = agent().view.getByRole('dialog');
    await help.waitFor();
    await help.press('Escape');
    await help.waitFor({ state: 'detached' });
    agent().model(reply('First this, then that.'));
    await send('/plan Plan the harbour.');
    await agent().view.getByText('First this, then that.').waitFor();
    const { task, mode } = await agent().reaches('task_started');
    assert.deepEqual([task, mode], ['Plan the harbour.', 'plan']);
    await byId('implement-plan').waitFor();
    await send('/new');
    await byId('empty').waitFor();
    assert.equal(await byId('composer').inputValue(), '');
  });

  it('opens its settings in the settings editor', async () => {
    await agent().command('Waymark: Open Settings');
    const editor = page().locator('.settings-editor');
    await editor.locator('.setting-item-contents').first().waitFor();
    await until('the settings of Waymark', async () =>
      /Waymark/.test(await editor.locator('.settings-tree-container').innerText()),
    );
    assert.equal(await editor.getByText('No Settings Found').isVisible(), false);
    await agent().window.screenshot('open-settings');
  });
});
