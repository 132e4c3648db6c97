import { strict as assert } from 'node:assert';
import { toolCall } from '../../support/modelServer';
import { finish, gate, goOnFromEachOther, panelIn, pause, until, useSharedWindow } from '../support/agentWindow';

describe('changes of several visible sessions', function () {
  this.timeout(240_000);
  goOnFromEachOther(this);
  const agent = useSharedWindow('unattended', { size: { width: 1400, height: 800 } });
  const page = () => agent().page;
  const listed = async (place: 'side bar' | 'tab'): Promise<string[]> =>
    (await panelIn(page(), place)).getByTestId('review-list').locator('li .file').allInnerTexts();
  const lists = (place: 'side bar' | 'tab', ...names: string[]): Promise<unknown> =>
    until(`the ${place} lists ${names.join(', ')}`, async () => {
      const found = await listed(place).catch(() => undefined);
      return JSON.stringify(found) === JSON.stringify(names);
    });
  const use = async (place: 'side bar' | 'tab') => (await panelIn(page(), place)).getByTestId('composer').click();
  const hasFocus = (place: 'side bar' | 'tab') =>
    until(`the ${place} has the focus`, async () =>
      (await panelIn(page(), place)).locator('body').evaluate((body) => body.ownerDocument.hasFocus()),
    );
  const statusBar = () => page().locator('.statusbar-item', { hasText: 'to review' });
  const lens = (words: string) => page().locator('.codelens-decoration a', { hasText: words });

  it('are listed in each place, and stay current while the person works in another one', async () => {
    agent().model(toolCall('write_file', { path: 'a.txt', content: 'one\n' }), finish('Did a.'));
    await agent().task('Task a.');
    await lists('side bar', 'a.txt');
    await agent().command('Waymark: Open Session in Editor');
    await lists('tab', 'a.txt');
    agent().model(toolCall('write_file', { path: 'b.txt', content: 'one\n' }), finish('Did b.'));
    await agent().task('Task b.');
    await lists('side bar', 'b.txt');
    const held = gate();
    agent().model(
      () => held.opened.then(() => toolCall('write_file', { path: 'a2.txt', content: 'two\n' }) as never),
      finish('Did more.'),
    );
    const asked = agent().server.requests.length;
    const tab = await panelIn(page(), 'tab');
    await tab.getByTestId('composer').fill('Go on.');
    await tab.getByTestId('composer').press('Enter');
    await until('the model is asked', () => agent().server.requests.length > asked);
    await use('side bar');
    held.open();
    await lists('tab', 'a.txt', 'a2.txt');
    await lists('side bar', 'b.txt');
    await until('the window counts those of the place that was used last', async () =>
      (await statusBar().textContent())?.includes('1 file to review'),
    );
    await agent().window.screenshot('review-several');
  });

  it('are counted for the place used last, even if a closing palette focuses the tab', async () => {
    const counts = (words: string) =>
      until(`the window counts ${words}`, async () => (await statusBar().textContent())?.includes(words));
    await use('side bar');
    await page().keyboard.press('F1');
    const palette = page().locator('.quick-input-widget input[type="text"]').first();
    await palette.waitFor();
    await palette.press('Escape');
    await hasFocus('tab');
    await pause(800); // A focus without key or pointer would count after 500 ms.
    assert.match((await statusBar().textContent())!, /1 file to review/);
    await use('side bar');
    await agent().command('File: New Untitled Text File');
    await page().locator('.tab.active', { hasText: 'Untitled' }).waitFor();
    await counts('1 file to review');
    await page().locator('.tab', { hasText: 'Task a.' }).click();
    await counts('2 files to review');
    await page().locator('.tab', { hasText: 'Untitled' }).click();
    await agent().command('View: Close Editor');
    await page().locator('.tab', { hasText: 'Untitled' }).waitFor({ state: 'detached' });
  });

  it('are decided only for the session of the place that was used last', async () => {
    await use('side bar');
    await agent().command('Waymark: Undo All Changes');
    await until('b.txt is gone', () => agent().file('b.txt') === undefined);
    await lists('side bar');
    await lists('tab', 'a.txt', 'a2.txt');
    assert.deepEqual([agent().file('a.txt'), agent().file('a2.txt')], ['one\n', 'two\n']);
    await use('tab');
    await agent().command('Waymark: Keep All Changes');
    await lists('tab');
    await hasFocus('tab'); // The palette gives it back a moment later, which would undo an earlier click elsewhere.
    await use('side bar');
    // The command is offered a moment later, which nothing shows. A palette opened before would give the focus to the tab.
    await pause(1000);
    await agent().command('Waymark: Redo Undone Changes');
    await lists('side bar', 'b.txt');
    await lists('tab');
  });

  it('are shown in an editor for the session of the place that was used last', async () => {
    await (await panelIn(page(), 'side bar')).getByTestId('composer').click();
    await agent().command('Waymark: Go to Next Change of Agent');
    await until('the lenses of b.txt', async () => (await lens('Undo').count()) > 0);
    await agent().command('View: Split Editor Right');
    await page().locator('.tab', { hasText: 'Task a.' }).first().click();
    await use('tab');
    await until('no lens of the other session', async () => (await lens('Undo').count()) === 0);
    await use('side bar');
    await until('the lenses again', async () => (await lens('Undo').count()) > 0);
    await lens('Undo').first().click();
    await until('b.txt is gone', () => agent().file('b.txt') === undefined);
    for (const theme of ['light', 'high-contrast-dark', 'high-contrast-light', 'dark'] as const) {
      await agent().window.setTheme(theme);
      await agent().window.screenshot(`review-several-${theme}`);
    }
  });
});
