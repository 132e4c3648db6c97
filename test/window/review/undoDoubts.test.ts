import { strict as assert } from 'node:assert';
import { finish, run, until, useSharedWindow } from '../support/agentWindow';

describe('what undo does not know, in a window', function () {
  this.timeout(180_000);
  const agent = useSharedWindow('unattended', {
    files: { 'node_modules/kept/index.js': 'kept\n', 'text.txt': 'old\n' },
  });
  const dialog = () => agent().page.locator('.monaco-dialog-box');
  const dialogButton = (words: string) => dialog().locator('.monaco-button', { hasText: words });
  const isUndone = () => agent().file('text.txt') === 'old\n' && agent().file('kept/index.js') === 'kept\n';
  const known = /What to know about these steps:\s*step 1: Waymark had no copies of [\s\S]*Undo keeps them: kept\./;

  it('is said before all changes are undone, and files that were moved in stay', async () => {
    agent().model(run('mv node_modules/kept kept && echo new > text.txt'), finish('Done.'));
    await agent().task('Move a folder.');
    await agent().reaches('finished');
    await agent().view.getByTestId('review-list').waitFor();
    await agent().command('Waymark: Undo All Changes');
    await dialog().waitFor();
    assert.match(await dialog().innerText(), /Undo the changes that are known\?/);
    assert.match(await dialog().innerText(), known);
    await agent().window.screenshot('review-undo-doubts');
    assert.equal(agent().file('text.txt'), 'new\n');
    await dialogButton('Undo All').click();
    await until('the known changes are undone', isUndone);
  });

  it('is said before files are restored to a step', async () => {
    await agent().command('Waymark: Redo Undone Changes');
    await until('the change again', () => agent().file('text.txt') === 'new\n');
    await agent().view.getByTestId('restore-before').first().click();
    await dialog().waitFor();
    assert.match(await dialog().innerText(), known);
    await agent().window.screenshot('restore-doubts');
    await dialogButton('Restore Files').click();
    await until('the known changes are undone', isUndone);
  });
});
