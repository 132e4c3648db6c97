import { strict as assert } from 'node:assert';
import { entersInQuickInput, finish, run, until, useSharedWindow } from '../support/agentWindow';

describe('the tab of a file that a command moves', function () {
  this.timeout(240_000);
  const agent = useSharedWindow('unattended', { files: { 'first.txt': 'one\ntwo\nthree\nfour\n' } });
  const tabs = () => agent().page.locator('.part.editor .tab');
  const tabIs = (name: string) =>
    until(`a tab ${name} alone`, async () => {
      const [one, ...others] = await tabs().evaluateAll((all) =>
        all.map((tab) => tab.getAttribute('data-resource-name')),
      );
      return one === name && others.length === 0;
    });

  it('follows the file, also when the move is undone and redone', async () => {
    const input = agent().page.locator('.quick-input-widget input[type="text"]').first();
    await until('the file in the palette', async () => {
      await agent().page.keyboard.press('F1');
      const isTyped = await input.fill('first.txt', { timeout: 3000 }).then(
        () => true,
        () => false,
      );
      await agent().page.locator('.quick-input-list .monaco-list-row', { hasText: 'first.txt' }).first().waitFor();
      return isTyped && entersInQuickInput(agent().page);
    });
    await tabIs('first.txt');
    agent().model(run('mv first.txt second.txt'), finish('Moved.'));
    await agent().task('Move the file.');
    await agent().reaches('finished');
    await tabIs('second.txt');
    await agent().command('Waymark: Undo All Changes');
    const dialog = agent().page.locator('.monaco-dialog-box');
    await until('the file to be back', async () => {
      if (await dialog.isVisible()) await agent().page.keyboard.press('Enter');
      return agent().file('first.txt') !== undefined;
    });
    await tabIs('first.txt');
    assert.equal(await agent().page.locator('.part.editor .tab .strikethrough').count(), 0);
    await agent().window.screenshot('moved-tab-undone');
    await agent().command('Waymark: Redo Undone Changes');
    await tabIs('second.txt');
  });
});
