import { strict as assert } from 'node:assert';
import { finish, until, useAgentWindow } from '../support/agentWindow';

describe('pinned sessions', function () {
  this.timeout(240_000);
  const agent = useAgentWindow();
  const page = () => agent().page;
  const pane = () => page().locator('.pane', { hasText: 'Sessions' });
  const row = (words: string) => pane().locator('.monaco-list-row', { hasText: words });
  /** The first words of the rows for screen readers, in order. */
  const listed = (): Promise<string[]> =>
    pane()
      .locator('.monaco-list-row')
      .evaluateAll((all) =>
        all
          .toSorted((a, b) => Number(a.getAttribute('data-index')) - Number(b.getAttribute('data-index')))
          .map((each) => (each.getAttribute('aria-label') ?? '').split(',')[0]!.trim()),
      );
  const shows = (...words: string[]) =>
    until(`the rows ${words.join(' ')}`, async () => (await listed()).join() === words.join());

  before(async () => {
    for (const name of ['First.', 'Second.', 'Third.']) {
      agent().model(finish(`Done: ${name}`));
      await agent().command('Waymark: New Session');
      await agent().task(name);
      await agent().reaches('finished');
      await agent().view.getByText(`Done: ${name}`).first().waitFor();
    }
    await agent().command('Waymark: Focus on Sessions View');
    await row('Third.').waitFor();
  });

  it('are at the top of the list: the one on display by the command, another one by its menu', async () => {
    await shows('Today', 'Third.', 'Second.', 'First.');
    await agent().command('Waymark: Pin Session');
    await shows('Pinned', 'Third.', 'Today', 'Second.', 'First.');
    await row('First.').click({ button: 'right' });
    const item = page().getByRole('menuitem', { name: 'Pin Session', exact: true });
    await until('the menu took the click', async () => {
      await item.click({ timeout: 2000 }).catch(() => undefined);
      return item.waitFor({ state: 'hidden', timeout: 500 }).then(
        () => true,
        () => false,
      );
    });
    await shows('Pinned', 'Third.', 'First.', 'Today', 'Second.');
    assert.match((await row('First.').getAttribute('aria-label')) ?? '', /^First\., Finished, pinned, /);
    assert.doesNotMatch((await row('Second.').getAttribute('aria-label')) ?? '', /pinned/);
    for (const theme of ['dark', 'light', 'high-contrast-dark', 'high-contrast-light'] as const) {
      await agent().window.setTheme(theme);
      await row('First.').hover();
      await agent().window.screenshot(`pinned-sessions-${theme}`);
    }
    await agent().window.setTheme('dark');
  });

  it('stay there after a reload, until they are unpinned', async () => {
    await agent().window.reload();
    await agent().command('Waymark: Focus on Sessions View');
    await shows('Pinned', 'Third.', 'First.', 'Today', 'Second.');
    await row('Third.').hover();
    await row('Third.').getByRole('button', { name: 'Unpin Session' }).click();
    await shows('Pinned', 'First.', 'Today', 'Third.', 'Second.');
    await agent().command('Waymark: Unpin Session');
    const picker = page().locator('.quick-input-widget:visible');
    await picker.locator('.monaco-list-row', { hasText: 'First.' }).waitFor();
    assert.equal(await picker.locator('.monaco-list-row').count(), 1, 'only pinned ones can be unpinned');
    await page().keyboard.press('Enter');
    await shows('Today', 'Third.', 'Second.', 'First.');
  });
});
