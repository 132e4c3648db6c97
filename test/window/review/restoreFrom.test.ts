import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { toolCall } from '../../support/modelServer';
import { finish, goOnFromEachOther, run, until, useSharedWindow } from '../support/agentWindow';

/** "Restore to here" from the conversation, the inspector and a fork. Each first says what it will change. */
describe('restoring files of a step, in a window', function () {
  this.timeout(240_000);
  goOnFromEachOther(this);
  const agent = useSharedWindow('unattended');
  const page = () => agent().page;
  const dialog = () => page().locator('.monaco-dialog-box');
  const picker = () => page().locator('.quick-input-widget:visible');
  const pick = async (words: string): Promise<void> => {
    await picker().locator('.monaco-list-row', { hasText: words }).first().click();
  };
  const bothFiles = () => agent().file('first.txt') === '1\n' && agent().file('second.txt') === '2\n';
  const firstAlone = () => agent().file('first.txt') === '1\n' && agent().file('second.txt') === undefined;

  it('is offered by the key r on a row of the conversation', async () => {
    agent().model(
      toolCall('write_file', { path: 'first.txt', content: '1\n' }),
      toolCall('write_file', { path: 'second.txt', content: '2\n' }),
      finish('Done.'),
    );
    await agent().task('Make two files.');
    await agent().reaches('finished');
    await agent().view.getByTestId('review-list').waitFor();
    const row = agent().view.getByTestId('step-row').first();
    await row.click();
    await row.press('r');
    await dialog().waitFor();
    const words = await dialog().innerText();
    assert.match(words, /Restore 1 file to how it was after step 1\?[\s\S]*second\.txt/);
    await agent().window.screenshot('restore-by-key');
    await agent().inDialog('Enter');
    await until('the files of step 1', firstAlone);
    await agent().command('Waymark: Redo Undone Changes');
    await until('both files', bothFiles);
  });

  it('works from a step in the inspector', async () => {
    await agent().command('Waymark: Inspect Trajectory…');
    await pick('Make two files.');
    const inspector = agent().window.inspector();
    await inspector.getByTestId('row').first().waitFor();
    await inspector.getByTestId('row').filter({ hasText: 'first.txt' }).first().click();
    await inspector.getByTestId('restore').first().click();
    await dialog().waitFor();
    assert.match(await dialog().innerText(), /after step 1\?[\s\S]*second\.txt/);
    await agent().inDialog('Enter');
    await until('the files of step 1', firstAlone);
    await agent().window.screenshot('restore-from-inspector');
    await agent().command('Waymark: Redo Undone Changes');
    await until('both files', bothFiles);
  });

  it('works for a fork, which starts with the files of its step', async () => {
    agent().model(finish('From the first file.'));
    await agent().command('Waymark: Fork from Step…');
    await until('the steps', async () => (await picker().locator('.monaco-list-row').count()) >= 3);
    await pick('first.txt');
    await picker().locator('.monaco-list-row', { hasText: 'Restore the Files of That Step First…' }).waitFor();
    await pick('Restore the Files of That Step First…');
    await until('the same with files', async () => (await picker().innerText()).includes('with its files'));
    await pick('With Different Instructions…');
    await until('the box for the instruction', async () =>
      (await picker().innerText()).includes('Files are first restored to the end of that step.'),
    );
    await page().keyboard.type('Go on from the first.');
    await page().keyboard.press('Enter');
    await dialog().waitFor();
    assert.ok(bothFiles(), 'nothing is done before the answer');
    await agent().inDialog('Enter');
    await until('the end of the fork', () => agent().of('finished')[0]?.summary === 'From the first file.');
    assert.ok(firstAlone());
  });

  it('says of a fork which files its shared steps changed, because these are undone in the other session', async () => {
    await agent().command('Waymark: Restore Files to Step…');
    await until('the steps', async () => (await picker().innerText()).includes('Before the first step'));
    await pick('Before the first step');
    await dialog().waitFor();
    const words = await dialog().innerText();
    assert.match(words, /No recorded changes can be restored\./);
    assert.match(words, /shares with “Make two files\.” changed first\.txt\. Undo them in that session\./);
    await agent().window.screenshot('restore-shared-steps');
    await page().keyboard.press('Escape');
    assert.ok(firstAlone());
  });

  it('names what is only moved back', async () => {
    const { workspace } = agent().window;
    const folder = path.join(workspace, 'app', 'node_modules', 'left');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'index.js'), 'x\n');
    fs.writeFileSync(path.join(workspace, 'app', 'a.txt'), 'a\n');
    await agent().command('Waymark: New Session');
    agent().model(run('mv app lib'), run('mv first.txt moved.txt'), finish('Moved.'));
    await agent().task('Move things.');
    await until('the end', () => agent().of('finished')[0]?.summary === 'Moved.');
    await agent().view.getByTestId('restore-before').first().click();
    await dialog().waitFor();
    const words = await dialog().innerText();
    await agent().window.screenshot('restore-moves');
    assert.match(words, /moved\.txt → first\.txt/);
    assert.match(words, /These are moved back:\s*lib\/node_modules → app\/node_modules/);
    await agent().inDialog('Enter');
    await until('everything where it was', () => fs.existsSync(folder) && agent().file('first.txt') === '1\n');
  });
});
