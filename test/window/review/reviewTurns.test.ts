import { strict as assert } from 'node:assert';
import { toolCall } from '../../support/modelServer';
import { finish, goOnFromEachOther, run, until, useSharedWindow } from '../support/agentWindow';

const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join('');
const withLines = (...numbers: readonly number[]): string =>
  numbers.reduce((text, number) => text.replace(`line ${number}\n`, `LINE ${number}\n`), lines);

describe('changes of several turns, in a window', function () {
  this.timeout(240_000);
  goOnFromEachOther(this);
  const agent = useSharedWindow('unattended', { files: { 'text.txt': lines } });
  const page = () => agent().page;
  const pane = () => page().locator('.pane', { has: page().locator('.pane-header', { hasText: 'Changes' }) });
  const rows = () => pane().locator('.monaco-list-row');
  /** The rows as shown to the user. */
  const listed = async (): Promise<string[]> =>
    (await rows().allInnerTexts()).map((words) => words.replaceAll(/\s+/g, ' ').trim());
  const lists = (...wanted: readonly RegExp[]): Promise<true> =>
    until(
      String(wanted),
      async () => {
        const now = await listed();
        return now.length === wanted.length && wanted.every((words, at) => words.test(now[at]!));
      },
      20,
    );
  const goTo = (words: string) =>
    until(words, async () => {
      await agent().command('Waymark: Focus on Changes View');
      await page().keyboard.press('Home');
      for (let row = 0; row < (await rows().count()); row++) {
        if ((await pane().locator('.monaco-list-row.focused', { hasText: words }).count()) > 0) return true;
        await page().keyboard.press('ArrowDown');
      }
      return false;
    });
  const say = async (words: string): Promise<void> => {
    // An editor that is still opening takes the focus once more, so each action gives it to the composer.
    const composer = agent().view.getByTestId('composer');
    await composer.fill(words);
    await composer.press('Enter');
  };
  /** The multi-file diff editor. */
  const multiDiff = () => page().locator('.multiDiffEditor:visible').first();

  it('are listed by turn on request, each under the turn that changed it last', async () => {
    agent().model(
      toolCall('write_file', { path: 'made.txt', content: 'one\n' }),
      run("sed -i 's/^line 5$/LINE 5/' text.txt"),
      finish('Done.'),
    );
    await agent().task('Shout in line 5.');
    await agent().reaches('finished');
    agent().model(run("sed -i 's/^line 25$/LINE 25/' text.txt"), finish('Done, too.'));
    await say('And in line 25.');
    await agent().reaches('finished', 2);
    await agent().command('Waymark: Focus on Changes View');
    await lists(/^made\.txt/, /^text\.txt ?\+2 −2/);
    await agent().command('Waymark: Group Changes by Turn');
    await agent().command('Waymark: Focus on Changes View');
    await lists(
      /^Turn 2 · And in line 25\. ?1 file/,
      /^text\.txt ?\+1 −1/,
      /^Turn 1 · Shout in line 5\. ?2 files/,
      /^made\.txt ?\+1 −0/,
      /^text\.txt ?\+1 −1/,
    );
    await agent().window.setPanelWidth(300 + 48);
    for (const theme of ['light', 'high-contrast-light', 'high-contrast-dark', 'dark'] as const) {
      await agent().window.setTheme(theme);
      await agent().window.screenshot(`review-turns-${theme}`);
    }
  });

  it('are undone and kept by turn with the keys of the view, without affecting other turns', async () => {
    await goTo('Turn 2');
    await page().keyboard.press('Alt+Backspace');
    await until('turn 2 undone', () => agent().file('text.txt') === withLines(5));
    assert.equal(agent().file('made.txt'), 'one\n');
    await agent().command('Waymark: Redo Undone Changes');
    await until('turn 2 back', () => agent().file('text.txt') === withLines(5, 25));
    await lists(/^Turn 2/, /^text\.txt/, /^Turn 1/, /^made\.txt/, /^text\.txt/);
    // While the list is redrawn it has no focused row: repeat the key until the last row is reached.
    await until('the file of turn 1 kept', async () => {
      await goTo('Turn 1');
      await page().keyboard.press('End');
      const last = rows()
        .nth(4)
        .and(page().locator('.focused', { hasText: 'text.txt' }));
      if ((await last.count()) === 0) return false;
      await page().keyboard.press('Alt+Enter');
      return lists(/^Turn 2/, /^text\.txt/, /^Turn 1 .* ?1 file/, /^made\.txt/).catch(() => false);
    });
    assert.equal(agent().file('text.txt'), withLines(5, 25), 'keeping changes no file');
  });

  it('are compared for a single turn, from the palette', async () => {
    await agent().command('Waymark: Review Changes of Turn…');
    const picker = page().locator('.quick-input-widget:visible');
    await until('both turns', async () => (await picker.locator('.monaco-list-row').count()) === 2);
    await agent().window.screenshot('review-turn-choice');
    await page().keyboard.type('Shout');
    await until('one turn', async () => (await picker.locator('.monaco-list-row').count()) === 1);
    await page().keyboard.press('Enter');
    await page().locator('.tab.active', { hasText: 'Changes of turn 1' }).waitFor();
    await multiDiff().locator('.view-line', { hasText: 'LINE 5' }).first().waitFor();
    await agent().window.screenshot('review-turn');
    const words = await multiDiff().innerText();
    assert.match(words, /made\.txt/);
    assert.match(words, /text\.txt/);
    assert.doesNotMatch(words.replaceAll('\u00a0', ' '), /LINE 25/, 'that is of turn 2');
    const undoAll = page().locator('.editor-actions').getByRole('button', { name: 'Undo All Changes' });
    assert.equal(await undoAll.count(), 0, 'it would undo the changes of other turns, too');
  });

  it('since the last review are shown separately, even after a reload', async () => {
    await agent().command('Waymark: Review Changes');
    await page().locator('.tab.active', { hasText: 'Changes by the agent' }).waitFor();
    agent().model(toolCall('write_file', { path: 'third.txt', content: 'three\n' }), finish('Third.'));
    await say('One more file.');
    await until('the third file', () => agent().file('third.txt') === 'three\n');
    await agent().reaches('finished', 3);
    await agent().command('View: Close All Editors');
    await agent().window.reload();
    await page().locator('.statusbar-item', { hasText: '3 files to review' }).waitFor({ timeout: 60_000 });
    await agent().command('Waymark: Focus on Changes View');
    await lists(/^Turn 3 · One more file/, /^third\.txt/, /^Turn 2/, /^text\.txt/, /^Turn 1/, /^made\.txt/);
    await agent().command('Waymark: Review Changes Since Last Look');
    await page().locator('.tab.active', { hasText: 'Changes since you last looked' }).waitFor();
    await multiDiff().locator('.view-line', { hasText: 'three' }).first().waitFor();
    await agent().window.screenshot('review-since');
    assert.doesNotMatch(await multiDiff().innerText(), /made\.txt|text\.txt/);
    await agent().command('Waymark: Review Changes Since Last Look');
    await page().locator('.notifications-toasts', { hasText: 'Nothing changed since you last looked.' }).waitFor();
    await agent().command('Waymark: List Changes by File');
    await agent().command('Waymark: Focus on Changes View');
    await lists(/^made\.txt/, /^text\.txt/, /^third\.txt/);
  });

  it('need copies, whose disk usage is shown', async () => {
    await agent().command('Waymark: Show Disk Use of Checkpoints');
    const words = /Copies of files for undo take \d+\.\d MB on this machine\. .* after 30 days, or beyond \d+ MB\./;
    await page().locator('.notifications-toasts', { hasText: words }).waitFor();
  });
});
