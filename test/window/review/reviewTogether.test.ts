import { strict as assert } from 'node:assert';
import { reply, toolCall } from '../../support/modelServer';
import { finish, goOnFromEachOther, run, until, useSharedWindow } from '../support/agentWindow';

const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`);

describe('restoring files and comments, in a window', function () {
  this.timeout(180_000);
  goOnFromEachOther(this);
  const agent = useSharedWindow('unattended', { files: { 'text.txt': lines.join(''), 'old.txt': 'old\n' } });
  const page = () => agent().page;
  const dialog = () => page().locator('.monaco-dialog-box');
  const dialogButton = (words: string) => dialog().locator('.monaco-button', { hasText: words });
  const picker = () => page().locator('.quick-input-widget:visible');
  const list = () => agent().view.getByTestId('review-list');
  const changed = lines.join('').replace('line 5\n', 'LINE 5\n').replace('line 25\n', 'LINE 25\n');
  const isAsBegun = () =>
    agent().file('text.txt') === lines.join('') &&
    agent().file('made.txt') === undefined &&
    agent().file('old.txt') === 'old\n';
  const isAsChanged = () =>
    agent().file('text.txt') === changed &&
    agent().file('made.txt') === 'one\nthree\n' &&
    agent().file('old.txt') === undefined;

  it('shows the net changes of tools and commands with one button at the end', async () => {
    agent().model(
      toolCall('write_file', { path: 'made.txt', content: 'one\ntwo\n' }),
      run("sed -i 's/two/three/' made.txt && sed -i 's/^line 5$/LINE 5/; s/^line 25$/LINE 25/' text.txt"),
      run('rm old.txt; true || psql -f nothing.sql'),
      finish('Done.'),
    );
    await agent().task('Change files.');
    await agent().reaches('finished');
    assert.ok(isAsChanged());
    await until('three files', async () => (await list().locator('li').count()) === 3);
    const words = (await list().innerText()).replaceAll(/\s+/g, ' ');
    assert.match(words, /3 files to review/);
    assert.match(words, /made\.txt \+2 −0/, 'net: a file of two lines, although it was written twice');
    assert.match(words, /old\.txt \+0 −1/);
    assert.match(words, /text\.txt \+2 −2/);
    assert.equal(await list().getByTestId('review').count(), 1);
    await agent().window.setPanelWidth(300);
    for (const theme of ['light', 'high-contrast-light', 'high-contrast-dark', 'dark'] as const) {
      await agent().window.setTheme(theme);
      await agent().window.screenshot(`review-finished-${theme}`);
    }
  });

  it('restores files from a message, and first says what changes and what does not', async () => {
    await agent().view.getByTestId('restore-before').first().click();
    await dialog().waitFor();
    const words = await dialog().innerText();
    assert.match(words, /Restore 3 files to how they were before the first step\?/);
    assert.match(words, /made\.txt[\s\S]*old\.txt[\s\S]*text\.txt/);
    assert.match(words, /Restoring files does not undo:[\s\S]*step 3: May have changed a database\./);
    await agent().window.screenshot('review-restore-question');
    assert.ok(isAsChanged(), 'nothing is done before the answer');
    await dialogButton('Restore Files').click();
    await until('the files as they began', isAsBegun);
    await agent().command('Waymark: Redo Undone Changes');
    await until('the files as they were changed', isAsChanged);
  });

  it('restores files to a step by keyboard, from the palette', async () => {
    await agent().command('Waymark: Restore Files to Step…');
    await until('the steps', async () => (await picker().locator('.monaco-list-row').count()) === 5);
    assert.match(await picker().innerText(), /Cannot be undone: May have changed a database\./);
    await agent().window.screenshot('review-restore-steps');
    await page().keyboard.type('step 1');
    await until('one step', async () => (await picker().locator('.monaco-list-row').count()) === 1);
    await page().keyboard.press('Enter');
    await agent().inDialog('Enter');
    const names = ['made.txt', 'text.txt', 'old.txt'];
    const wanted = ['one\ntwo\n', lines.join(''), 'old\n'];
    // Files are restored one after the other.
    await until('the files after step 1', () => names.every((name, at) => agent().file(name) === wanted[at]));
    await agent().command('Waymark: Redo Undone Changes');
    await until('the files as they were changed', isAsChanged);
    assert.equal(
      agent()
        .of('feedback')
        .filter(({ cause }) => cause === 'changes_undone').length,
      2,
    );
  });

  it('sends comments on several changes as one message', async () => {
    const comment = async (at: number, words: string): Promise<void> => {
      await agent().command('Waymark: Go to Next Change of Agent');
      await page()
        .locator('.statusbar-item', { hasText: new RegExp(`Ln ${at}\\b`) })
        .waitFor();
      await agent().command('Waymark: Comment on Change');
      await page().locator('.review-widget .monaco-editor.focused').waitFor();
      await page().keyboard.type(words);
      if (at === 5) await agent().window.screenshot('review-comment');
      await page().locator('.review-widget .monaco-button', { hasText: 'Add Comment' }).last().click();
      await page().locator('.review-widget', { hasText: words }).first().waitFor();
    };
    await agent().command('Waymark: Go to Next Change of Agent');
    await page().locator('.tab.active', { hasText: 'made.txt' }).waitFor();
    await comment(5, 'Why in capitals?');
    await comment(25, 'Not this one.');
    const before = agent().of('user_message').length;
    agent().model(reply('Understood.'));
    await agent().command('Waymark: Send Comments to Agent');
    const said = await agent().reaches('user_message', before + 1);
    assert.match(said.text, /^I reviewed your changes and have 2 comments:/);
    assert.match(said.text, /text\.txt, line 5 \(hunk [0-9a-f]+, \+1 −1\):\nWhy in capitals\?\n\ntext\.txt, line 25/);
    await until('the answer', () => agent().of('agent_response').at(-1)?.text === 'Understood.');
    await agent().view.getByTestId('card-review').getByTestId('review-list').waitFor();
    await agent().window.screenshot('review-text-ending');
  });

  it('goes on from a change whose comment is being written', async () => {
    await agent().command('Waymark: Go to Next Change of Agent');
    await page().locator('.tab.active', { hasText: 'made.txt' }).waitFor();
    await agent().command('Waymark: Comment on Change');
    await page().locator('.review-widget .monaco-editor.focused').waitFor();
    await agent().command('Waymark: Go to Next Change of Agent');
    await page().locator('.tab.active', { hasText: 'text.txt' }).waitFor();
    await page()
      .locator('.statusbar-item', { hasText: /Ln 5\b/ })
      .waitFor();
  });
});
